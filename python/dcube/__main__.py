"""``python -m dcube`` starts the program of the command line, which an installed wheel has."""

import os
import sys
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

from . import __version__


def program() -> Path | None:
    """The program dcube of the wheel, in the folder for programs into which it was installed."""
    try:
        installed = files("dcube") or []
    except PackageNotFoundError:
        return None
    paths = (Path(file.locate()).resolve() for file in installed if file.parts[-2:] == ("bin", "dcube"))
    return next((path for path in paths if path.is_file()), None)


def main() -> None:
    if path := program():
        os.execv(path, [str(path), *sys.argv[1:]])
    print(f"""dcube {__version__}, the Python package: `import dcube` in a program or a notebook, then help(dcube).
The program of the command line is not part of it: it is `dcube` where that is installed, `./dcube` in a checkout.""",
          file=sys.stderr if sys.argv[1:] else sys.stdout)
    sys.exit(2 if sys.argv[1:] else 0)


if __name__ == "__main__":
    main()
