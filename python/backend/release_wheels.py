"""The wheels of a release, and its source package: ``python3 release_wheels.py BUILD FOLDER``, in the source tree.

A build has the portable modules and the program if its target dcube_wheels was built (packaging/cmake/portable.cmake).
The modules need the C library alone, at least glibc 2.34: so the wheels' platform is manylinux_2_34.
"""

import platform
import re
import sys
from pathlib import Path

import dcube_backend


def write_wheels(build: Path, folder: Path) -> list[str]:
    machine = platform.machine()
    names = []
    for module in sorted((build / "portable" / "python").glob("_core.cpython-*.so")):
        [version] = re.findall(r"cpython-(\d+)", module.name)
        files = dcube_backend.contents(module, build / "static" / "dcube")
        tag = f"cp{version}-cp{version}-manylinux_2_34_{machine}"
        names.append(dcube_backend.write_wheel(folder, files, tag, dcube_backend.NUMPY))
    return names


if __name__ == "__main__":
    build, folder = Path(sys.argv[1]), Path(sys.argv[2])
    if not write_wheels(build, folder):
        sys.exit(f"there is no portable module in {build}: build dcube_wheels first")
    dcube_backend.build_sdist(str(folder))
