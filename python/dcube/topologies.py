"""Networks: what `Topology` needs of Python."""

from __future__ import annotations

from typing import Any

from . import _core
from ._core import Topology


def restored(*kept: Any) -> Topology:
    """A network that its name alone does not give, of what `pickle` has kept of it."""
    topology: Topology = _core._restored_topology(*kept)
    return topology
