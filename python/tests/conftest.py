"""Tests that need a package are skipped where it is missing. Where DCUBE_NO_SKIPS is set, they fail instead."""

import importlib
import os

import pytest

if "DCUBE_NO_SKIPS" in os.environ:
    pytest.importorskip = importlib.import_module
