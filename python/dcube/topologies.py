"""Networks: the parts of `Topology` that are written in Python."""

from __future__ import annotations

from typing import Any

from . import _core
from ._core import Topology


def restored(*kept: Any) -> Topology:
    """A network that its name alone does not determine, restored from its `pickle`."""
    topology: Topology = _core._restored_topology(*kept)
    return topology
