"""How a question is asked: the keyword arguments that most functions share."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias, TypedDict

import numpy as np

from ._core import Topology, question_keys, unknown_name

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
    # generated from the table of a question's keys: faults ports Links
    faults: str | Sequence[str] | None
    """Links and nodes that are missing: 0-1,9."""
    ports: str | None
    """Ports a node may use in a step: all, one. Default: all."""
    link: str | None
    """A packet takes one step, or time by its size: unit, link-bound. Default: unit."""
    tau: Exact | None
    """ns per byte, for links that take time: 2, 5/2 or 0.5."""
    beta: Exact | None
    """ns per packet, for links that take time."""
    clock: str | None
    """When a packet leaves on links that take time: data-driven, lockstep. Default: data-driven."""
    duplex: str | None
    """Whether a node with one port sends and receives at once, on links that take time: full, half. Default: full."""
    # end
    threads: int | None
    """Threads at most."""
    pin: str | None
    """``"none"``, ``"compact"``, ``"scatter"``, ``"no-smt"``, ``"one-per-l3"`` or processors (``"0,2,4-7"``): threads
    stay on them."""
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

    # generated from the table of a question's keys: packets within Tuning
    packets: int | None
    """Packets of a message; all-reduce, scans: blocks of the vector. Default: 1."""
    within: str | None
    """Dimensions or factors within which groups of nodes do it, all at once: 0,1,2. Default: all nodes together."""
    groups: int | None
    """Groups of a pipelined algorithm. Default: the best."""
    detour_groups: int | None
    """Groups on detours. Default: the best."""
    waves: str | None
    """The dimensions of each wave: '432|1', '7..3|2|1'. Default: the best."""
    halvings: int | None
    """How often halving-doubling halves. Default: the best."""
    # end
    algorithm: Any
    """A name, ``"auto"``, ``"unit:NAME"``, or an `Algorithm`."""
    # generated from the table of a question's keys: seed failing
    seed: int | None
    """Seed of the data. Default: 1."""
    failing: str | Sequence[str] | None
    """Links and nodes that fail from a step on: 0-1@3,5@2."""
    # end


class Question(ArrayQuestion, total=False):
    """What is asked of a collective. None counts as not given."""

    # generated from the table of a question's keys: Problem
    bytes: int | str | None
    """Size of a packet: 64, 64B, 4KiB, 1M. Default: 64."""
    root: int | None
    """Root; send, exchange: the source. Default: 0."""
    peer: int | None
    """Send, exchange: the destination."""
    permutation: str | Sequence[int] | npt.NDArray[Any] | None
    """Permute: where each node's message goes: rotation, inversion, ... or @FILE."""
    counts: str | Sequence[Any] | npt.NDArray[Any] | None
    """Packets of each message, where they differ: zipf:1:2, sparse:1/8, poisson:2, block:4, hot:0:9 or @FILE."""
    rows: int | None
    """Rows of the matrix."""
    columns: int | None
    """Columns of the matrix."""
    layout: str | None
    """How the matrix lies on the nodes: rows-blocked, submatrices, ... Default: rows-blocked."""
    to_layout: str | None
    """How matrix-relayout leaves the matrix: rows-striped, ..."""
    operation: str | None
    """Operation of a reduction: sum, min, max, bit-xor, prod, avg, ... Default: sum."""
    # end
    type: npt.DTypeLike | None
    """``"int8"`` to ``"float64"``, or a NumPy type; the texts ``"int"`` and ``"float"`` are refused."""
    # generated from the table of a question's keys: in_place machine
    in_place: bool | None
    """One array per node: its output takes the place of its input."""
    machine: str | None
    """A machine whose tau and beta are known: ncube3, infiniband-hdr, ..."""
    # end
    repeat: int | None
    """Runs of the collective."""


def require_known(given: Mapping[str, Any], *own: str, allowed: Collection[str] = Question.__annotations__) -> None:
    """Raise TypeError for a name that is no argument of a question, and list the function's own and those allowed."""
    for name in given.keys() - Question.__annotations__.keys():
        raise TypeError(unknown_name(name, "an argument", [*own, *allowed]))


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


# The arguments of which a list is one value.
_LISTS = frozenset(name for _, name, kind in question_keys if kind in ("nodes", "numbers", "texts"))


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
