"""Types: the stub of the module says what the module has, and whoever checks types can use the package."""

import os
import subprocess
import sys
from pathlib import Path

import dcube
import pytest

HERE = Path(__file__).resolve().parent
PACKAGES = Path(dcube.__file__).parents[1]
CONFIG = HERE.parents[1] / "pyproject.toml"

pytest.importorskip("mypy")


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a check has read of NumPy and others, for the next one."""
    return tmp_path_factory.mktemp("cache")


def checked(*words: str | Path, cache: Path) -> str:
    """What a type checker prints; empty if it finds nothing."""
    environment = dict(os.environ, MYPYPATH=str(PACKAGES), MYPY_CACHE_DIR=str(cache))
    done = subprocess.run(
        [sys.executable, "-m", *words], cwd=cache, env=environment, capture_output=True, text=True, timeout=300
    )
    return "" if done.returncode == 0 else done.stdout + done.stderr


def test_the_stub_says_what_the_module_has(cache: Path) -> None:
    allowed = HERE / "stubtest.allow"
    words: list[str | Path] = ["mypy.stubtest", "dcube._core", "--mypy-config-file", CONFIG, "--allowlist", allowed]
    assert checked(*words, cache=cache) == ""


def test_a_program_that_uses_everything_is_checked_strictly(cache: Path) -> None:
    assert checked("mypy", "--config-file", CONFIG, "--strict", HERE / "typed.py", cache=cache) == ""


def test_the_package_is_checked_strictly(cache: Path) -> None:
    assert checked("mypy", "--config-file", CONFIG, "--strict", "-p", "dcube", cache=cache) == ""
