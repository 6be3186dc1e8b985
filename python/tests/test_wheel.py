"""The wheel: built offline, the same bytes twice, and usable in a fresh virtual environment."""

import ast
import email
import json
import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import dcube
import pytest

SOURCES = Path(__file__).resolve().parents[2]
BUILD = Path(dcube.__file__).parents[2]  # has python/dcube
OFFLINE = {"PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


def run(*words: str | Path, folder: Path) -> str:
    """What a command prints, which sees nothing of this build."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | OFFLINE
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of a virtual environment that has the system's packages."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, system_site_packages=True)
    return folder / "bin" / "python"


def pip(python: Path, *words: str | Path, folder: Path) -> None:
    command, *options = words
    run(python, "-m", "pip", command, "--config-settings", f"build-dir={BUILD}", *options, SOURCES, folder=folder)


def test_a_wheel_is_installed_and_imported_from_elsewhere(python: Path, tmp_path: Path) -> None:
    pip(python, "wheel", "--no-deps", "--wheel-dir", tmp_path / "a", folder=tmp_path)
    pip(python, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", tmp_path / "b", folder=tmp_path)
    [first], [second] = (tmp_path / "a").iterdir(), (tmp_path / "b").iterdir()
    assert first.name == second.name
    assert first.read_bytes() == second.read_bytes()

    with zipfile.ZipFile(first) as archive:
        names = archive.namelist()
        assert archive.testzip() is None
    assert len([name for name in names if name.endswith(".so")]) == 1
    assert {"dcube/__init__.py", "dcube/py.typed", "dcube/_core.pyi"} <= set(names)
    assert [name for name in names if name.endswith("licenses/LICENSE")]

    run(python, "-m", "pip", "install", first, folder=tmp_path)
    program = "import dcube; print(dcube.__file__); print(dcube.run('broadcast', dim=3).steps)"
    file, steps = run(python, "-c", program, folder=tmp_path).split()
    assert Path(file).is_relative_to(python.parents[1])
    assert steps == "3"

    started = run(python.parent / "dcube", "run", "broadcast", "--dim", "3", "--seed", "5", "--json", folder=tmp_path)
    again = run(python, "-m", "dcube", "run", "broadcast", "--dim", "3", "--seed", "5", "--json", folder=tmp_path)
    assert json.loads(started)["result_digest"] == json.loads(again)["result_digest"]
    run(python, "-m", "pip", "uninstall", "--yes", "dcube", folder=tmp_path)
    assert not (python.parent / "dcube").exists()


def test_an_editable_one_leads_to_the_build(python: Path, tmp_path: Path) -> None:
    pip(python, "install", "--no-build-isolation", "--editable", folder=tmp_path)
    file = run(python, "-c", "import dcube; print(dcube.__file__)", folder=tmp_path).strip()
    assert Path(file) == BUILD / "python" / "dcube" / "__init__.py"
    assert "./dcube" in run(python, "-m", "dcube", folder=tmp_path)  # it has no program
    run(python, "-m", "pip", "uninstall", "--yes", "dcube", folder=tmp_path)


def test_where_tools_are_missing_it_names_them(tmp_path: Path) -> None:
    (tmp_path / "cmake").symlink_to("/bin/true")
    program = f"import dcube_backend; dcube_backend.build_wheel({str(tmp_path)!r})"
    done = subprocess.run([sys.executable, "-c", program], cwd=SOURCES, capture_output=True, text=True, timeout=60,
                          env={"PATH": str(tmp_path), "PYTHONPATH": str(SOURCES / "python" / "backend"),
                               "PYTHONDONTWRITEBYTECODE": "1"})
    assert done.returncode == 1
    assert "needs ninja, c++, pkg-config: docs/contributing.md" in done.stderr


def test_a_python_that_is_too_old_reads_that_it_is(tmp_path: Path) -> None:
    backend = SOURCES / "python" / "backend"
    source = (backend / "dcube_backend.py").read_text()
    ast.parse(source, feature_version=(3, 8))
    program = f"""
import sys
sys.modules["tomllib"] = None  # as before Python 3.11
import dcube_backend
print(dcube_backend.prepare_metadata_for_build_wheel({str(tmp_path)!r}))
sys.version_info = (3, 10)
dcube_backend.build_wheel({str(tmp_path)!r})
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=SOURCES, capture_output=True, text=True, timeout=60,
                          env=os.environ | {"PYTHONPATH": str(backend), "PYTHONDONTWRITEBYTECODE": "1"})
    told = email.message_from_string((tmp_path / done.stdout.strip() / "METADATA").read_text())
    assert (told["Name"], told["Version"], told["Requires-Python"]) == ("dcube", dcube.__version__, ">=3.11")
    assert done.returncode == 1 and done.stderr == "dcube requires Python >=3.11\n"
