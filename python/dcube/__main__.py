"""``python -m dcube`` describes the package, and says where the command-line program is."""

import sys

from . import __version__

if __name__ == "__main__":
    print(f"""dcube {__version__}, the Python package: `import dcube` in a program or a notebook, then help(dcube).
The program of the command line is not part of it: it is `dcube` where that is installed, `./dcube` in a checkout.""",
          file=sys.stderr if sys.argv[1:] else sys.stdout)
    sys.exit(2 if sys.argv[1:] else 0)
