"""Builds wheels of dcube: PEP 517 and, for ``pip install --editable``, PEP 660.

It needs CMake, Ninja, a C++ compiler and the packages of a build; of Python only the standard library, and no network.
A wheel has the module, and the program dcube with the module for browsers, where that was built.

The build is the launcher's, build/release, for the system's Python, and a folder of its own for any other. A third is
named by ``--config-settings build-dir=FOLDER``.

A Python that is too old for dcube reads this file too, to learn from the metadata that it is: until something is built,
nothing here needs more than Python 3.8.
"""

from __future__ import annotations

import base64
import fcntl
import gzip
import hashlib
import io
import os
import re
import shutil
import stat
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile
from pathlib import Path
from typing import Any, Dict, Iterator, Optional

Settings = Optional[Dict[str, Any]]

SYSTEM_PYTHON = Path("/usr/bin/python3")
LEFT_OUT = {".git", "build", "dist", "node_modules", "__pycache__"}  # of a source archive; web/page/dist belongs to it
A_TIME = (1980, 1, 1, 0, 0, 0)  # of all files: the same sources give the same archive


def root() -> Path:
    return Path.cwd()  # says PEP 517; the path of this file may lead through links


def project() -> dict[str, Any]:
    header = (root() / "include/dcube/version.hpp").read_text()
    version = ".".join(re.findall(r"^#define DCUBE_VERSION_[A-Z]+ (\d+)$", header, re.MULTILINE))
    return {**project_table((root() / "pyproject.toml").read_text()), "version": version}


def project_table(text: str) -> dict[str, Any]:
    try:
        import tomllib  # of Python 3.11
    except ModuleNotFoundError:  # this Python need only be told that it is too old
        texts = dict(re.findall(r'^(description|requires-python) = "(.*)"$', text, re.MULTILINE))
        return {**texts, "optional-dependencies": {}}
    table: dict[str, Any] = tomllib.loads(text)["project"]
    return table


def stem() -> str:
    return f"dcube-{project()['version']}"


def tag() -> str:
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{re.sub('[-.]', '_', sysconfig.get_platform())}"


NUMPY = "numpy >=1.24"


def numpy_of_system() -> str:
    """The NumPy that the system's pybind11 knows, before version 2.12 none of version 2."""
    try:
        command = ["pkg-config", "--max-version=2.11.99", "pybind11"]
        is_old = subprocess.run(command, stderr=subprocess.DEVNULL).returncode == 0
    except FileNotFoundError:
        is_old = False  # nothing can be built here, which is said when it is tried
    return f"{NUMPY}, <2" if is_old else NUMPY


def metadata(numpy: str) -> str:
    about = project()
    lines = [
        "Metadata-Version: 2.1",
        "Name: dcube",
        f"Version: {about['version']}",
        f"Summary: {about['description']}",
        "License: MIT",
        "License-File: LICENSE",
        "License-File: copyright",
        f"Requires-Python: {about['requires-python']}",
        f"Requires-Dist: {numpy}",
    ]
    for extra, requirements in about["optional-dependencies"].items():
        lines.append(f"Provides-Extra: {extra}")
        lines.extend(f"Requires-Dist: {one} ; extra == '{extra}'" for one in requirements)
    return "\n".join(lines) + "\n"


def dist_info(tag: str, numpy: str) -> dict[str, bytes]:
    """The wheel's own files, but for the list of all."""
    folder = f"{stem()}.dist-info"
    wheel = f"Wheel-Version: 1.0\nGenerator: dcube_backend\nRoot-Is-Purelib: false\nTag: {tag}\n"
    return {
        f"{folder}/METADATA": metadata(numpy).encode(),
        f"{folder}/WHEEL": wheel.encode(),
        f"{folder}/licenses/LICENSE": (root() / "LICENSE").read_bytes(),
        f"{folder}/licenses/copyright": (root() / "packaging" / "copyright").read_bytes(),
    }


def build_folder(settings: Settings) -> Path:
    if settings and "build-dir" in settings:
        return root() / str(settings["build-dir"])
    is_system = SYSTEM_PYTHON.resolve() == Path(sys.executable).resolve()
    return root() / "build" / ("release" if is_system else tag())


def is_set_up(build: Path) -> bool:
    """Whether the build is of these sources, and has the module."""
    try:
        cache = (build / "CMakeCache.txt").read_text()
        ninja = (build / "build.ninja").read_text()
    except FileNotFoundError:
        return False
    is_ours = f"CMAKE_HOME_DIRECTORY:INTERNAL={root().resolve()}\n" in cache
    return is_ours and re.search(r"^build dcube_python[ :]", ninja, re.MULTILINE) is not None


def require_tools() -> None:
    missing = [tool for tool in ("cmake", "ninja", "c++", "pkg-config") if shutil.which(tool) is None]
    if missing:
        sys.exit(f"dcube is built from its sources here, which needs {', '.join(missing)}: docs/contributing.md names "
                 "all that a build needs; the wheels of a release need nothing")


def built(settings: Settings) -> Path:
    """Builds module and program; the build's folder."""
    if sys.version_info < (3, 11):  # whoever did not ask for the metadata first
        sys.exit(f"dcube requires Python {project()['requires-python']}")
    require_tools()
    build = build_folder(settings)
    build.mkdir(parents=True, exist_ok=True)
    with open(build / ".lock", "w") as lock:  # the launcher's: it may be building, too
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not is_set_up(build):
            fresh = ["--fresh"] if (build / "CMakeCache.txt").exists() else []
            options = ["-D", "CMAKE_BUILD_TYPE=Release", "-D", "DCUBE_PYTHON=ON"]
            # Not the one of a virtual environment, which may be gone tomorrow.
            options += ["-D", f"Python_EXECUTABLE={Path(sys.executable).resolve()}"]
            subprocess.run(["cmake", *fresh, "-S", root(), "-B", build, "-G", "Ninja", *options], check=True)
        subprocess.run(["ninja", "-C", build, "dcube_python", "cli/dcube"], check=True)
    return build


def stripped(binary: Path) -> bytes:
    """A module or program without the names that only a debugger reads, which are half of it."""
    if shutil.which("strip") is None:
        return binary.read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / binary.name
        subprocess.run(["strip", "--strip-unneeded", "-o", copy, binary], check=True)
        return copy.read_bytes()


def contents(module: Path, program: Path) -> dict[str, bytes]:
    """What a wheel installs: the package with this module, and the program, whose files pip puts into bin and share."""
    files = {}
    for path in (root() / "python" / "dcube").iterdir():
        if path.suffix in {".py", ".pyi"} or path.name == "py.typed":
            files[f"dcube/{path.name}"] = path.read_bytes()
    files[f"dcube/{module.name}"] = stripped(module)
    files[f"{stem()}.data/scripts/dcube"] = stripped(program)
    for_browsers = root() / "build" / "wasm" / "web" / "wasm" / "dcube.wasm"
    if for_browsers.is_file():
        files[f"{stem()}.data/data/share/dcube/dcube.wasm"] = for_browsers.read_bytes()
    return files


def record(files: dict[str, bytes]) -> bytes:
    lines = []
    for name, content in sorted(files.items()):
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(content)}\n")
    return "".join([*lines, f"{stem()}.dist-info/RECORD,,\n"]).encode()


def write_wheel(directory: str | Path, files: dict[str, bytes], tag: str, numpy: str) -> str:
    name = f"{stem()}-{tag}.whl"
    files = {**files, **dist_info(tag, numpy)}
    files[f"{stem()}.dist-info/RECORD"] = record(files)
    with zipfile.ZipFile(Path(directory) / name, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in sorted(files.items()):
            entry = zipfile.ZipInfo(path, A_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            is_program = path.endswith(".so") or "/scripts/" in path
            entry.external_attr = (stat.S_IFREG | (0o755 if is_program else 0o644)) << 16  # pip asks for both
            archive.writestr(entry, content)
    return name


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: Settings = None) -> str:
    for name, content in dist_info(tag(), numpy_of_system()).items():
        path = Path(metadata_directory) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return f"{stem()}.dist-info"


def build_wheel(
    wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None
) -> str:
    build = built(config_settings)
    module = build / "python" / "dcube" / f"_core{sysconfig.get_config_var('EXT_SUFFIX')}"
    files = contents(module, build / "cli" / "dcube")
    return write_wheel(wheel_directory, files, tag(), numpy_of_system())


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def build_editable(
    wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None
) -> str:
    """A wheel that leads to the build's folder, which has links to the sources."""
    folder = built(config_settings) / "python"
    return write_wheel(wheel_directory, {"dcube.pth": f"{folder}\n".encode()}, tag(), numpy_of_system())


def sources() -> Iterator[Path]:
    for folder, folders, names in os.walk(root()):
        here = Path(folder)
        if here != root() / "web" / "page":
            folders[:] = [name for name in folders if name not in LEFT_OUT]
        else:
            folders[:] = [name for name in folders if name not in LEFT_OUT - {"dist"}]
        yield from (here / name for name in names if name != ".git")


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    name = f"{stem()}.tar.gz"
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w", format=tarfile.PAX_FORMAT) as archive:

        def add(path: str, content: bytes, mode: int = 0o644) -> None:
            entry = tarfile.TarInfo(f"{stem()}/{path}")
            entry.size, entry.mode = len(content), mode
            archive.addfile(entry, io.BytesIO(content))

        add("PKG-INFO", metadata(numpy_of_system()).encode())
        for path in sorted(sources()):
            if path.is_file() and not path.is_symlink():
                add(str(path.relative_to(root())), path.read_bytes(), 0o755 if os.access(path, os.X_OK) else 0o644)
    (Path(sdist_directory) / name).write_bytes(gzip.compress(tar.getvalue(), mtime=0))
    return name
