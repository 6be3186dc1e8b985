"""How a question is asked: the keyword arguments that most functions share."""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias, TypedDict

from ._core import Topology

if TYPE_CHECKING:
    import numpy.typing as npt

Network: TypeAlias = Topology | str | Any  # Any: a graph of networkx, which need not be there
Exact = int | float | Fraction | str


class NetworkQuestion(TypedDict, total=False):
    """The network and its links, and the machine that emulates it."""

    dim: int | None
    """Dimension of a hypercube; or `topology`."""
    topology: Network | None
    """A name, a `Topology` or an undirected networkx graph of nodes 0 .. N-1."""
    ports: str | None
    """``"all"`` or ``"one"``: ports a node may use in a step."""
    tau: Exact | None
    """ns a byte: links take time."""
    beta: Exact | None
    """ns a packet."""
    clock: str | None
    """``"data-driven"`` or ``"lockstep"``, of links that take time."""
    threads: int | None
    pin: str | None
    """``"none"``, ``"compact"`` or ``"scatter"``."""
    capacity: int | None
    """Packets that may wait in a channel."""
    channel: str | None
    """``"slots"`` or ``"spsc"``."""
    memory_limit: int | str | None
    """Bytes."""
    watch: bool | None
    """Whether changes of bytes that are lent are found; slow."""


class ArrayQuestion(NetworkQuestion, total=False):
    """What is asked of a collective whose data are given, as arrays are. None counts as not given."""

    packets: int | None
    """Of a message."""
    groups: int | None
    detour_groups: int | None
    waves: str | None
    halvings: int | None
    algorithm: Any
    """A name, ``"auto"``, ``"unit:NAME"``, or an `Algorithm`."""
    seed: int | None
    """Of the data."""
    failing: str | Sequence[str] | None
    """Links ``"5-7@2"`` and nodes ``"5@2"`` that fail from a step on."""


class Question(ArrayQuestion, total=False):
    """What is asked of a collective. None counts as not given."""

    bytes: int | str | None
    """Of a packet; ``"4KiB"`` is possible too."""
    root: int | None
    peer: int | None
    op: str | None
    """``"sum"``, ``"min"``, ``"max"`` or ``"bit-xor"``."""
    type: npt.DTypeLike | None
    """``"int8"`` to ``"float64"``, or a NumPy type."""
    permutation: str | Sequence[int] | npt.NDArray[Any] | None
    """A name, or where the message of each node goes."""
    rows: int | None
    columns: int | None
    layout: str | None
    to: str | None
    """The layout afterwards."""
    in_place: bool | None
    machine: str | None
    """A machine whose tau and beta are known."""
    repeat: int | None


def require_known(given: Mapping[str, Any], *own: str) -> None:
    """Raise TypeError for a name that is none of a question's arguments nor of the function's own."""
    for name in given.keys() - Question.__annotations__.keys():
        known = [*own, *Question.__annotations__]
        near = difflib.get_close_matches(name, known, n=1)
        hint = f"did you mean {near[0]}? There are" if near else "there are"
        raise TypeError(f"{name!r} is not an argument: {hint} {', '.join(known)}")


_LISTS = frozenset(("permutation", "failing"))  # arguments of which a list is one value


def combinations(question: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Every combination of the arguments that are a list, a tuple or a range; the last of these changes fastest."""
    choices = [
        list(value) if name not in _LISTS and isinstance(value, (list, tuple, range)) else [value]
        for name, value in question.items()
    ]
    return [dict(zip(question, chosen, strict=True)) for chosen in itertools.product(*choices)]
