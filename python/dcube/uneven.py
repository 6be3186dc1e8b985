"""Collectives whose messages have different lengths, as MPI's vector forms: all_to_all_v and its like.

Messages are given in one of two ways, and the result comes in the same one:

lists of arrays
    ``x[i][j]`` is what node i has for node j; axis 0 of each array counts its packets, and all arrays have the same
    further axes and type. `counts` is left out.
one array
    of all messages, one behind the other: those of node 0, then those of node 1, and so on. Axis 0 counts packets;
    `counts` says how many each message has.

A packet is what one step of a link carries: an element, or with further axes a row of them, such as a token's vector.
`machine`, `return_report` and the other arguments are those of `dcube.collectives`, but for `packets` and `out`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias, Unpack

import numpy as np
import numpy.typing as npt

from ._core import Machine
from .collectives import Array, _array, _Call, _dimension
from .errors import refused
from .questions import ArrayQuestion

Counts: TypeAlias = npt.NDArray[np.int64]
Messages: TypeAlias = npt.ArrayLike | Sequence[npt.ArrayLike] | Sequence[Sequence[npt.ArrayLike]]


def _whole_numbers(counts: npt.ArrayLike, axes: int) -> Counts:
    numbers = np.asarray(counts)
    if numbers.dtype.kind not in "iu":
        raise TypeError(f"counts are whole numbers, not {numbers.dtype}")
    if numbers.ndim != axes or (axes == 2 and numbers.shape[0] != numbers.shape[1]):
        raise refused("counts", None, f"has the shape {numbers.shape}: {'(N, N)' if axes == 2 else '(N,)'} is needed")
    if numbers.size and numbers.min() < 0:
        raise refused("counts", None, "has a negative number")
    return numbers.astype(np.int64)


def _joined(messages: Sequence[Array]) -> Array:
    first = messages[0]
    for one in messages:
        if one.ndim == 0 or one.shape[1:] != first.shape[1:] or one.dtype != first.dtype:
            raise refused("x", None, f"has arrays of different kinds, {one.dtype} {one.shape} beside {first.dtype} "
                                     f"{first.shape}: they may differ in axis 0 only")
    return np.concatenate(messages)


def _rows(x: Any) -> list[list[Array]]:
    rows = [[_array(one) for one in row] for row in x]
    if not rows or any(len(row) != len(rows) for row in rows):
        raise refused("x", None, "needs N rows of N arrays")
    return rows


def _split(y: Array, counts: Counts) -> list[Array]:
    """The messages that lie one behind the other."""
    return np.split(y, np.cumsum(counts)[:-1])


def _called(collective: str, x: Array, counts: Counts, machine: Machine | str | None, question: Mapping[str, Any],
            axis: int = 0) -> _Call:
    """The call on messages as one array, in which this axis counts packets."""
    call = _Call(collective, x, machine, question, "counts")
    call.refuse_groups()
    if "packets" in call.question:
        raise refused("packets", None, "is no argument here: counts says how many every message has")
    nodes = len(counts)
    if call.machine is None and not call.question.keys() & {"dim", "topology"}:
        call.question["dim"] = _dimension("counts", nodes, f"is of {nodes} nodes")
    topology = call.network(by_axis=False)
    if topology.nodes != nodes:
        raise refused("counts", None, f"is of {nodes} nodes: {topology.name} has {topology.nodes}")
    packets = x.shape[axis] if x.ndim else 0
    if packets != counts.sum():
        raise refused("x", None, f"has {packets} packets: counts adds up to {counts.sum()}")
    size = int(np.prod(x.shape[axis + 1:], dtype=np.int64)) * x.itemsize
    call.question |= {"bytes": size, "counts": counts.ravel().tolist()}
    return call


def _answer(y: Any, report: Any, return_report: bool) -> Any:
    return (y, report) if return_report else y


def all_to_all_v(x: Messages, counts: npt.ArrayLike | None = None, *, machine: Machine | str | None = None,
                 return_report: bool = False, **question: Unpack[ArrayQuestion]) -> Any:
    """Every node has a message for every node: ``y[j][i] = x[i][j]``.

    With counts (N, N), row i those of node i's messages, x has them one behind the other, and y those that the nodes
    get: for node 0 from 0, 1, .., then for node 1, with the counts ``counts.T``.

    See ``help(dcube.uneven)`` for the two ways to give messages, `machine` and `return_report`.
    """
    rows = _rows(x) if counts is None else None
    if rows:
        numbers = np.array([[len(one) for one in row] for row in rows])
        flat = _joined([one for row in rows for one in row])
    else:
        numbers, flat = _whole_numbers(counts, 2), _array(x)  # type: ignore[arg-type]
    y, report = _called("all-to-all", flat, numbers, machine, question).run(flat.shape, None, return_report=True)
    nodes = len(numbers)
    if not rows:
        return _answer(y, report, return_report)
    parts = _split(y, numbers.T.ravel())
    return _answer([parts[node * nodes:(node + 1) * nodes] for node in range(nodes)], report, return_report)


def all_gather_v(x: Messages, counts: npt.ArrayLike | None = None, *, machine: Machine | str | None = None,
                 return_report: bool = False, **question: Unpack[ArrayQuestion]) -> Any:
    """Every node gets the message of every node: y (N, ...), ``y[n]`` is all of x, one message behind the other.

    With lists, ``y[n][i] = x[i]``. See ``help(dcube.uneven)`` for the two ways to give messages.
    """
    flat, numbers, listed = _one_each(x, counts)
    call = _called("all-gather", flat, numbers, machine, question)
    y, report = call.run((len(numbers), *flat.shape), None, return_report=True)
    return _answer([_split(here, numbers) for here in y] if listed else y, report, return_report)


def gather_v(x: Messages, counts: npt.ArrayLike | None = None, root: int = 0, *, machine: Machine | str | None = None,
             return_report: bool = False, **question: Unpack[ArrayQuestion]) -> Any:
    """The root gets the message of every node: y is x, as the root has it then.

    See ``help(dcube.uneven)`` for the two ways to give messages.
    """
    return _rooted("gather", x, counts, root, machine, return_report, question)


def scatter_v(x: Messages, counts: npt.ArrayLike | None = None, root: int = 0, *, machine: Machine | str | None = None,
              return_report: bool = False, **question: Unpack[ArrayQuestion]) -> Any:
    """Every node gets its message from the root: y is x, as the nodes have it then.

    See ``help(dcube.uneven)`` for the two ways to give messages.
    """
    return _rooted("scatter", x, counts, root, machine, return_report, question)


def reduce_scatter_v(x: Messages, operation: str = "sum", counts: npt.ArrayLike | None = None, *,
                     machine: Machine | str | None = None, return_report: bool = False,
                     **question: Unpack[ArrayQuestion]) -> Any:
    """Every node gets the sum of all messages for it: ``y[j]`` is the sum of all ``x[i][j]``.

    With counts (N,), x is (N, ...): for each node its messages, one behind the other; y has one for each node. With
    lists, ``x[i][j]`` are as long for all i. See ``help(dcube.uneven)``.
    """
    if counts is None:
        rows = _rows(x)
        numbers = np.array([len(one) for one in rows[0]])
        if any(len(one) != number for row in rows for one, number in zip(row, numbers)):
            raise refused("x", None, "has messages for one node that are not as long: they are added up")
        flat = np.stack([_joined(row) for row in rows])
    else:
        flat, numbers = _array(x), _whole_numbers(counts, 1)  # type: ignore[arg-type]
    if flat.ndim < 2 or len(flat) != len(numbers):
        raise refused("x", None, f"has the shape {flat.shape}: ({len(numbers)}, {numbers.sum()}, ...) is needed")
    call = _called("reduce-scatter", flat, numbers, machine, question, axis=1)
    call.reduce_by(operation)
    y, report = call.run(flat.shape[1:], None, return_report=True)
    return _answer(y if counts is not None else _split(y, numbers), report, return_report)


def _one_each(x: Messages, counts: npt.ArrayLike | None) -> tuple[Array, Counts, bool]:
    if counts is not None:
        flat = _array(x)  # type: ignore[arg-type]
        if flat.ndim == 0:
            raise refused("x", None, "has no axis of packets: it is one number")
        return flat, _whole_numbers(counts, 1), False
    messages = [_array(one) for one in x]  # type: ignore[arg-type,union-attr]
    if not messages:
        raise refused("x", None, "has no arrays: one for each node is needed")
    flat = _joined(messages)
    return flat, np.array([len(one) for one in messages]), True


def _rooted(collective: str, x: Messages, counts: npt.ArrayLike | None, root: int, machine: Machine | str | None,
            return_report: bool, question: Mapping[str, Any]) -> Any:
    flat, numbers, listed = _one_each(x, counts)
    call = _called(collective, flat, numbers, machine, question)
    call.question["root"] = root
    y, report = call.run(flat.shape, None, return_report=True)
    return _answer(_split(y, numbers) if listed else y, report, return_report)
