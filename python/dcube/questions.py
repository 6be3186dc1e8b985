"""How a question is asked: the keyword arguments that most functions share."""

from __future__ import annotations

import difflib
import itertools
import operator
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias, TypedDict

import numpy as np

from ._core import Topology

if TYPE_CHECKING:
    import numpy.typing as npt

Network: TypeAlias = Topology | str | Any  # Any: a graph of networkx, which need not be there
Exact = int | float | Fraction | Decimal | str


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
    """``"int8"`` to ``"float64"``, or a NumPy type; the texts ``"int"`` and ``"float"`` are refused."""
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


def require_known(given: Mapping[str, Any], *own: str, allowed: Collection[str] = Question.__annotations__) -> None:
    """Raise TypeError for a name that is no argument of a question, and list the function's own and those allowed."""
    for name in given.keys() - Question.__annotations__.keys():
        known = [*own, *allowed]
        near = difflib.get_close_matches(name, known, n=1)
        hint = f"did you mean {near[0]}? There are" if near else "there are"
        raise TypeError(f"{name!r} is not an argument: {hint} {', '.join(known)}")


def whole(name: str, value: Any) -> int:
    """A whole number, of Python or NumPy. Raises TypeError, which names the argument, for anything else."""
    if isinstance(value, (bool, np.bool_)) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} is an int, not {type(value).__name__}")
    return operator.index(value)


def require_text(name: str, value: Any) -> str:
    """A str. Raises TypeError, which names the argument, for anything else."""
    if not isinstance(value, str):
        raise TypeError(f"{name} is a str, not {type(value).__name__}")
    return value


_PLACES = 9  # decimals that all links can have: 10**9 fits in 32 bits


def exact(value: Any) -> Fraction:
    """The fraction that a float stands for, of Python, NumPy or decimal.

    As it is written, if that has at most nine decimals: 0.1 is one tenth. Else the simplest fraction, of a denominator
    up to 10**9, that differs by less than two neighbouring floats do: 1 / 3 is one third, 0.1 + 0.2 three tenths.
    """
    written = Fraction(str(value))
    if 10**_PLACES % written.denominator == 0:
        return written
    if isinstance(value, Decimal):
        unit = Fraction(value.next_plus()) - written
    elif isinstance(value, (float, np.floating)):
        unit = Fraction(str(np.nextafter(value, type(value)(np.inf)))) - written
    else:
        return written
    for places in range(1, _PLACES + 1):
        near = written.limit_denominator(10**places)
        if abs(near - written) <= unit:
            return near
    return written


def exact_text(value: Any) -> str:
    """The same as the core reads it; what is no number (nan) as it is, for the core to refuse."""
    try:
        return str(exact(value))
    except ValueError:
        return str(value)


_LISTS = frozenset(("permutation", "failing"))  # arguments of which a list is one value


def _values(name: str, value: Any) -> list[Any]:
    """Those that an argument goes through: several of a list, a tuple, a range, an array or an iterator."""
    if name in _LISTS:
        return [value]
    if isinstance(value, Set):
        raise TypeError(f"{name} is a {type(value).__name__}, which has no order: give a list, as sorted(..) makes one")
    if isinstance(value, (list, tuple, range, Iterator)):
        return list(value)
    if not hasattr(value, "__array__") or np.ndim(value) == 0:
        return [value]
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(f"{name} is a masked array, whose mask would be lost: its compressed() has the others")
    if np.ndim(value) > 1:
        raise TypeError(f"{name} is an array of {np.ndim(value)} axes: values that are swept have one")
    # Where whole numbers are meant, numpy.logspace gives floats.
    return [int(one) if isinstance(one, np.floating) and one.is_integer() else one for one in np.asarray(value)]


def combinations(question: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Every combination of the arguments that have several values; the last of these changes fastest."""
    values = [_values(name, value) for name, value in question.items()]
    return [dict(zip(question, chosen, strict=True)) for chosen in itertools.product(*values)]


def varied(one: Mapping[str, Any], question: Mapping[str, Any]) -> str:
    """What is special of a combination: the arguments that have several values, and which they have in this one."""
    return ", ".join(f"{name}={_shown(value)}" for name, value in one.items() if value is not question[name])


def _shown(value: Any) -> str:
    return getattr(value, "name", "") or str(value)  # of a network, an Algorithm
