"""Types: the stub of the module says what the module has, and whoever checks types can use the package."""

import os
import subprocess
import sys
from pathlib import Path

import dcube
import pytest

HERE = Path(__file__).resolve().parent
PACKAGES = Path(dcube.__file__).parents[1]

pytest.importorskip("mypy")


def checked(*words: str | Path, cache: Path) -> str:
    """What a type checker prints; empty if it finds nothing."""
    environment = dict(os.environ, MYPYPATH=str(PACKAGES), MYPY_CACHE_DIR=str(cache))
    done = subprocess.run(
        [sys.executable, "-m", *words], cwd=cache, env=environment, capture_output=True, text=True, timeout=300
    )
    return "" if done.returncode == 0 else done.stdout + done.stderr


def test_the_stub_says_what_the_module_has(tmp_path: Path) -> None:
    allowed = HERE / "stubtest.allow"
    assert checked("mypy.stubtest", "dcube._core", "--allowlist", allowed, cache=tmp_path) == ""


def test_a_program_that_uses_everything_is_checked_strictly(tmp_path: Path) -> None:
    config = HERE.parents[1] / "pyproject.toml"
    assert checked("mypy", "--config-file", config, "--strict", HERE / "typed.py", cache=tmp_path) == ""


def test_the_package_is_checked_strictly(tmp_path: Path) -> None:
    config = HERE.parents[1] / "pyproject.toml"
    assert checked("mypy", "--config-file", config, "--strict", "-p", "dcube", cache=tmp_path) == ""
