from pathlib import Path

import dcube
from dcube import _core

HEADER = Path(__file__).resolve().parents[2] / "include/dcube/version.hpp"


def test_the_version_is_that_of_the_core() -> None:
    header = HEADER.read_text()
    assert dcube.__version__ == _core.__version__
    for name, number in zip(("MAJOR", "MINOR", "PATCH"), dcube.__version__.split("."), strict=True):
        assert f"#define DCUBE_VERSION_{name} {number}\n" in header
