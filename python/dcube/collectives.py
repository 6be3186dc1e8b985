"""Collectives on NumPy arrays.

Axis 0 is the node, and in collectives with a message for every pair of nodes axis 1 is the other node. N is the number
of nodes. All functions take these arguments, and raise these errors:

out : array, optional
    The result is written here and nothing is allocated: C-contiguous, of the result's shape and type, and apart from
    `x`. Where input and output may be one array, ``out=x`` does it in place: the functions that can say so.
machine : Machine, optional
    Worth keeping for many small calls. Else `dim` or `topology` says what the network is; else it is the hypercube of
    x's axis 0 (``broadcast``, ``exchange``, ``send`` and matrices: it must be given).
return_report : bool
    Return ``(result, report)``. The report's `verified` is false: the data are the caller's.
**question
    What else is asked: see `dcube.questions.Question`. `bytes` and `type` follow from the array; with ``packets=k``
    every message goes as k packets of equal size. With ``within="0,1"`` groups of nodes do it, all at the same time
    (`dcube.Group`): where there is a message for every pair of nodes, axis 1 is the rank in the group. Messages of 0
    bytes, as those of an array (4, 0), are not sent.

Raises
------
InvalidArgument
    Shapes, sizes, or whatever else does not fit; the message says what is needed.
TypeError
    Elements that are Python objects; in reductions whatever is not of the eleven types; masked arrays.

Elements are of any type without Python objects, but for matrices, whose elements have 1, 2, 4 or 8 bytes. An array of a
class of its own, such as numpy.matrix, counts as its elements alone, and the result is a plain array. A C-contiguous
array is read where it lies; any other is copied once. The slots of nodes that the network lacks exist and are unused:
in a new result they are 0.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, Unpack, overload

import numpy as np
import numpy.typing as npt

from . import _core
from ._core import Group
from .errors import refused
from .questions import ArrayQuestion, require_known, whole
from .reports import Report

if TYPE_CHECKING:
    from ._core import Machine, Topology

Array: TypeAlias = npt.NDArray[Any]
Result: TypeAlias = Array | tuple[Array, Report]


_NOT_OF_NUMPY = ("bfloat16", "int64-int64", "double-int64")
_OF_NUMPY = [name for name in _core.element_types if name not in _NOT_OF_NUMPY]
_REDUCIBLE = frozenset(map(np.dtype, _OF_NUMPY))
# Keys whose values follow from the array or are arguments of the function itself.
_NO_ARGUMENTS = {
    "bytes": "it follows from the array",
    "type": "it is the array's",
    "rows": "they are the array's",
    "columns": "they are the array's",
    "in_place": "out=x says so",
    "repeat": "a call is one run",
}


class _Call:
    """One call: its network, its arrays, and the question that it puts."""

    def __init__(self, collective: str, x: npt.ArrayLike, machine: Machine | str | None,
                 question: Mapping[str, Any], *own: str) -> None:
        self.collective = collective
        self.x = _array(x)
        self.machine: Machine | None = None
        require_known(question, *own, "out", "machine", "return_report", allowed=ArrayQuestion.__annotations__)
        self.question = {key: value for key, value in question.items() if value is not None}
        for key in _NO_ARGUMENTS.keys() & self.question.keys():
            raise TypeError(f"{key} is no argument here: {_NO_ARGUMENTS[key]}")
        if isinstance(machine, str):
            self.question["machine"] = machine  # the links of a machine that is known
        elif machine is not None:
            self._use(machine)

    def _use(self, machine: Machine) -> None:
        if not isinstance(machine, _core.Machine):
            raise TypeError(f"machine is a Machine or a str, not {type(machine).__name__}")
        for key in _core.machine_arguments:
            if key in self.question:
                raise refused(key, None, "is the machine's, where one is given")
        self.machine = machine
        self.question |= _core.question_of_machine(machine)

    def network(self, by_axis: bool) -> Topology:
        """The network; `by_axis`: if none is given, the hypercube that axis 0 makes."""
        given = {key: self.question.pop(key) for key in ("dim", "topology", "faults") if key in self.question}
        if by_axis and not given.keys() & {"dim", "topology"}:
            given["dim"] = self._dimension_of_axis()
        topology = _core.network_of(given) if self.machine is None else self.machine.topology
        self.question["topology"] = topology  # parsed once
        return topology

    def together(self, topology: Topology) -> int:
        """The number of nodes that do it together: those of a group, or all."""
        within = self.question.get("within")
        return topology.nodes if within is None else Group(topology, within).size

    def refuse_groups(self) -> None:
        """Roots and ends of groups are many: their messages have no place in the arrays."""
        if "within" in self.question:
            raise refused("within", None, f"is not possible for arrays of {self.collective}: Machine.prepare takes it, "
                                          "and run on data made from a seed")

    def _dimension_of_axis(self) -> int:
        if self.x.ndim == 0:
            raise refused("x", None, "has no axis of nodes: it is one number")
        nodes: int = self.x.shape[0]
        return _dimension("x", nodes, f"has {nodes} nodes on its axis 0")

    def leading(self, *expected: int) -> tuple[int, ...]:
        """The axes that follow these, which are those of nodes."""
        shape: tuple[int, ...] = self.x.shape
        if shape[: len(expected)] != expected:
            raise refused("x", None, f"has the shape {shape}: {self._where()} it is "
                                     f"({', '.join(map(str, expected))}, ...)")
        return shape[len(expected):]

    def _where(self) -> str:
        topology: Topology = self.question["topology"]
        return f"on {'a machine of ' if self.machine else ''}{topology.nodes} nodes ({topology.name})"

    def cut(self, messages: int) -> None:
        """Sets the size of a packet, for `x` of this many messages."""
        packets = whole("packets", self.question.get("packets", 1))
        size = self.x.nbytes // messages
        if packets < 1 and size > 0:
            raise refused("packets", packets, f"is too small: a message of {size} bytes is 1 packet or more")
        unit = self.x.itemsize if "operation" in self.question else 1
        if size > 0 and size % (packets * unit):
            raise refused("packets", packets, f"is not possible: a message of {size} bytes is not {packets} packets of "
                                              f"as many {'bytes' if unit == 1 else 'whole elements'}")
        self.question |= {"bytes": size // max(packets, 1), "packets": packets}

    def reduce_by(self, operation: str) -> None:
        """The elements are combined."""
        if self.x.dtype not in _REDUCIBLE:
            raise TypeError(f"elements of {_name(self.x.dtype)} cannot be combined: "
                            f"{', '.join(_OF_NUMPY)} can, in this machine's byte order")
        self.question |= {"operation": operation, "type": self.x.dtype.name}

    def run(self, shape: tuple[int, ...], out: Array | None, return_report: bool, in_place: bool = False) -> Result:
        """Runs it; in place where `out` is x and that is possible."""
        if out is None:
            topology: Topology = self.question["topology"]
            is_filled = topology.members == topology.nodes and self.collective != "exscan"
            make = np.empty if is_filled else np.zeros
            y = make(shape, self.x.dtype)
        else:
            y = self._checked(out, shape, in_place)
        kept = [*_references(self.x), *_references(y)]
        report = _core.run_on_arrays(self.collective, self.x, y, self.question, self.machine, return_report)
        del kept  # only now: the core reads and writes what these hold
        return (y, report) if return_report else y

    def _checked(self, out: Array, shape: tuple[int, ...], in_place: bool) -> Array:
        if not isinstance(out, np.ndarray):
            raise TypeError(f"out is a NumPy array, not {type(out).__name__}")
        _require_no_mask("out", out)
        if out.dtype != self.x.dtype:
            raise TypeError(f"out has elements of {_name(out.dtype)}: {_name(self.x.dtype)} are needed, as x has")
        if out.shape != shape:
            raise refused("out", None, f"has the shape {out.shape}: {shape} is needed")
        if not out.flags.c_contiguous:
            raise refused("out", None, "is not C-contiguous: it is written where it lies")
        if not out.flags.writeable:
            raise refused("out", None, "is read-only")
        if in_place and _is_same(out, self.x):
            self.question["in_place"] = True  # so that the report's question can be run again
        elif np.may_share_memory(out, self.x):  # both are contiguous: bounds say all
            raise refused("out", None, "overlaps x: they must be apart" +
                          (", or out=x for a run in place" if in_place else ""))
        elif _same_pages(out, self.x):
            raise refused("out", None, "shows the same bytes of a file or of shared memory as x: they must be apart" +
                          (", or out=x, one array, for a run in place" if in_place else ""))
        return out


def _dimension(argument: str, nodes: int, said: str) -> int:
    """That of the hypercube of so many nodes; `said` is how the argument says how many."""
    if nodes == 0 or nodes & (nodes - 1):
        raise refused(argument, None, f"{said}, which are no hypercube: give a network of {nodes} nodes, such as "
                                      f"topology='ring:{nodes}'")
    return nodes.bit_length() - 1


def _has_mask(x: Any) -> bool:
    """Whether an array is masked. Masks would be ignored; NumPy drops the masks of a list of arrays, too."""
    return isinstance(x, np.ma.MaskedArray) or (isinstance(x, (list, tuple)) and any(map(_has_mask, x)))


def _require_no_mask(name: str, x: Any) -> None:
    if _has_mask(x):
        raise TypeError(f"{name} has a mask, which would be lost: fill it first, as filled(0) of a masked array does")


def _owners(array: Array) -> Iterator[Array]:
    """The array and those whose memory it shows; the last one has got its own, or that of another object."""
    one: Any = array
    while isinstance(one, np.ndarray):
        yield one
        one = one.base


def _references(array: Array) -> list[weakref.ref[Array]]:
    """Weak references: they keep NumPy from resizing the array, even without refcheck, as another thread might."""
    return [weakref.ref(one) for one in _owners(array)]


def _same_pages(a: Array, b: Array) -> bool:
    """Whether both show the same bytes of a file or of shared memory, at addresses that differ."""
    if any([*_owners(one)][-1].flags.owndata for one in (a, b)):
        return False
    return any(file == other and max(first, start) < min(last, stop)
               for file, first, last in _pages(a) for other, start, stop in _pages(b))


def _pages(array: Array) -> list[tuple[str, int, int]]:
    """Which bytes of which files the array shows: (device and inode, the first byte, the one after the last)."""
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="replace") as file:
            lines = [line.split(maxsplit=5) for line in file]
    except OSError:  # not on Linux
        return []
    begin, end = array.ctypes.data, array.ctypes.data + array.nbytes
    found = []
    for addresses, _, offset, device, inode, *_ in lines:
        low, high = (int(one, 16) for one in addresses.split("-"))
        first, last = max(begin, low), min(end, high)
        if inode != "0" and first < last:
            place = int(offset, 16) - low  # of an address in the file
            found.append((f"{device} {inode}", first + place, last + place))
    return found


def _array(x: npt.ArrayLike) -> Array:
    _require_no_mask("x", x)
    array = np.asarray(x)
    if array.dtype.hasobject:
        raise TypeError(f"x has elements of {_name(array.dtype)}: Python objects cannot be sent")
    # ascontiguousarray() would give a number an axis.
    return array if array.flags.c_contiguous else array.copy(order="C")


def _name(dtype: np.dtype[Any]) -> str:
    return f"{dtype} ({dtype.str})" if not dtype.isnative else str(dtype)


def _node(name: str, node: int, topology: Topology) -> int:
    number = whole(name, node)
    if not 0 <= number < topology.nodes:
        size = "small" if number < 0 else "large"
        raise refused(name, number, f"is too {size}: 0 to {topology.nodes - 1} are allowed")
    return number


@overload
def all_to_all(x: npt.ArrayLike, *, out: Array | None = None, machine: Machine | str | None = None,
               return_report: Literal[False] = False, **question: Unpack[ArrayQuestion]) -> Array: ...
@overload
def all_to_all(x: npt.ArrayLike, *, out: Array | None = None, machine: Machine | str | None = None,
               return_report: Literal[True], **question: Unpack[ArrayQuestion]) -> tuple[Array, Report]: ...
def all_to_all(x: npt.ArrayLike, *, out: Array | None = None, machine: Machine | str | None = None,
               return_report: bool = False, **question: Unpack[ArrayQuestion]) -> Result:
    """Every node has a message for every node: x (N, N, ...) to y (N, N, ...), ``y[j, i] = x[i, j]``.

    ``x[i, j]`` is what node i has for j, ``y[j, i]`` what j has got from i. ``out=x`` does it in place.

    See ``help(dcube.collectives)`` for `out`, `machine`, `return_report` and the errors.
    """
    call = _Call("all-to-all", x, machine, question)
    topology = call.network(by_axis=True)
    messages = (topology.nodes, call.together(topology))
    call.leading(*messages)
    call.cut(messages[0] * messages[1])
    return call.run(call.x.shape, out, return_report, in_place=True)


@overload
def all_gather(x: npt.ArrayLike, *, out: Array | None = None, machine: Machine | str | None = None,
               return_report: Literal[False] = False, **question: Unpack[ArrayQuestion]) -> Array: ...
@overload
def all_gather(x: npt.ArrayLike, *, out: Array | None = None, machine: Machine | str | None = None,
               return_report: Literal[True], **question: Unpack[ArrayQuestion]) -> tuple[Array, Report]: ...
def all_gather(x: npt.ArrayLike, *, out: Array | None = None, machine: Machine | str | None = None,
               return_report: bool = False, **question: Unpack[ArrayQuestion]) -> Result:
    """Every node gets the message of every node: x (N, ...) to y (N, N, ...), ``y[n, i] = x[i]``.

    In place, with ``out=x``, x is (N, N, ...) and the message of node n stands at ``x[n, n]``.

    See ``help(dcube.collectives)`` for `out`, `machine`, `return_report` and the errors.
    """
    call = _Call("all-gather", x, machine, question)
    topology = call.network(by_axis=True)
    nodes, together = topology.nodes, call.together(topology)
    in_place = _is_same(out, call.x)
    message = call.leading(nodes, together) if in_place else call.leading(nodes)
    call.cut(nodes * together if in_place else nodes)
    return call.run((nodes, together, *message), out, return_report, in_place)


@overload
def all_reduce(x: npt.ArrayLike, operation: str = "sum", *, out: Array | None = None,
               machine: Machine | str | None = None, return_report: Literal[False] = False,
               **question: Unpack[ArrayQuestion]) -> Array: ...
@overload
def all_reduce(x: npt.ArrayLike, operation: str = "sum", *, out: Array | None = None,
               machine: Machine | str | None = None, return_report: Literal[True],
               **question: Unpack[ArrayQuestion]) -> tuple[Array, Report]: ...
def all_reduce(x: npt.ArrayLike, operation: str = "sum", *, out: Array | None = None,
               machine: Machine | str | None = None, return_report: bool = False,
               **question: Unpack[ArrayQuestion]) -> Result:
    """Every node gets the sum of all messages: x (N, ...) to y (N, ...), ``y[n] = x[0] + x[1] + ...``.

    `operation` is ``"sum"``, ``"prod"``, ``"min"``, ``"max"``, of floats ``"avg"``, and of integers ``"bit-and"``,
    ``"bit-or"``, ``"bit-xor"``, ``"logical-and"``, ``"logical-or"`` or ``"logical-xor"``. Integers wrap around. Floats
    are added in an order of the algorithm's own, in which all nodes get the same bits. NaN is carried on by all of
    them, as by NumPy's ``sum``, ``min`` and ``max``, and -0.0 is smaller than 0.0. ``out=x`` does it in place.

    See ``help(dcube.collectives)`` for `out`, `machine`, `return_report` and the errors.
    """
    return _of_vectors("all-reduce", x, operation, out, machine, return_report, question)


@overload
def scan(x: npt.ArrayLike, operation: str = "sum", *, out: Array | None = None,
         machine: Machine | str | None = None, return_report: Literal[False] = False,
         **question: Unpack[ArrayQuestion]) -> Array: ...
@overload
def scan(x: npt.ArrayLike, operation: str = "sum", *, out: Array | None = None,
         machine: Machine | str | None = None, return_report: Literal[True],
         **question: Unpack[ArrayQuestion]) -> tuple[Array, Report]: ...
def scan(x: npt.ArrayLike, operation: str = "sum", *, out: Array | None = None,
         machine: Machine | str | None = None, return_report: bool = False,
         **question: Unpack[ArrayQuestion]) -> Result:
    """Every node gets the sum of all messages up to its own: x (N, ...) to y (N, ...), ``y[n] = x[0] + .. + x[n]``.

    NumPy calls it ``x.cumsum(axis=0)``. `operation` as for `all_reduce`. ``out=x`` does it in place.

    See ``help(dcube.collectives)`` for `out`, `machine`, `return_report` and the errors.
    """
    return _of_vectors("scan", x, operation, out, machine, return_report, question)


@overload
def exscan(x: npt.ArrayLike, operation: str = "sum", *, out: Array | None = None,
           machine: Machine | str | None = None, return_report: Literal[False] = False,
           **question: Unpack[ArrayQuestion]) -> Array: ...
@overload
def exscan(x: npt.ArrayLike, operation: str = "sum", *, out: Array | None = None,
           machine: Machine | str | None = None, return_report: Literal[True],
           **question: Unpack[ArrayQuestion]) -> tuple[Array, Report]: ...
def exscan(x: npt.ArrayLike, operation: str = "sum", *, out: Array | None = None,
           machine: Machine | str | None = None, return_report: bool = False,
           **question: Unpack[ArrayQuestion]) -> Result:
    """Every node gets the sum of all messages before its own: x (N, ...) to y (N, ...), ``y[n] = x[0] + .. + x[n-1]``.

    `operation` as for `all_reduce`. Nothing comes before node 0: ``y[0]`` stays as it is in `out`, and is 0 in a new
    result. ``out=x`` does it in place.

    See ``help(dcube.collectives)`` for `out`, `machine`, `return_report` and the errors.
    """
    return _of_vectors("exscan", x, operation, out, machine, return_report, question)


@overload
def reduce_scatter(x: npt.ArrayLike, operation: str = "sum", *, out: Array | None = None,
                   machine: Machine | str | None = None, return_report: Literal[False] = False,
                   **question: Unpack[ArrayQuestion]) -> Array: ...
@overload
def reduce_scatter(x: npt.ArrayLike, operation: str = "sum", *, out: Array | None = None,
                   machine: Machine | str | None = None, return_report: Literal[True],
                   **question: Unpack[ArrayQuestion]) -> tuple[Array, Report]: ...
def reduce_scatter(x: npt.ArrayLike, operation: str = "sum", *, out: Array | None = None,
                   machine: Machine | str | None = None, return_report: bool = False,
                   **question: Unpack[ArrayQuestion]) -> Result:
    """Every node gets a sum of its own: x (N, N, ...) to y (N, ...), ``y[n] = x[0, n] + x[1, n] + ...``.

    `operation` as in `all_reduce`. In place, with ``out=x``, node n's sum takes the place of its own ``x[n, n]``; what
    the other places hold afterwards is unspecified.

    See ``help(dcube.collectives)`` for `out`, `machine`, `return_report` and the errors.
    """
    call = _Call("reduce-scatter", x, machine, question, "operation")
    topology = call.network(by_axis=True)
    nodes, together = topology.nodes, call.together(topology)
    message = call.leading(nodes, together)
    call.reduce_by(operation)
    call.cut(nodes * together)
    in_place = _is_same(out, call.x)
    return call.run(call.x.shape if in_place else (nodes, *message), out, return_report, in_place)


@overload
def reduce(x: npt.ArrayLike, operation: str = "sum", root: int = 0, *, out: Array | None = None,
           machine: Machine | str | None = None, return_report: Literal[False] = False,
           **question: Unpack[ArrayQuestion]) -> Array: ...
@overload
def reduce(x: npt.ArrayLike, operation: str = "sum", root: int = 0, *, out: Array | None = None,
           machine: Machine | str | None = None, return_report: Literal[True],
           **question: Unpack[ArrayQuestion]) -> tuple[Array, Report]: ...
def reduce(x: npt.ArrayLike, operation: str = "sum", root: int = 0, *, out: Array | None = None,
           machine: Machine | str | None = None, return_report: bool = False,
           **question: Unpack[ArrayQuestion]) -> Result:
    """The root gets the sum of all: x (N, ...) to y (...), ``y = x[0] + x[1] + ...``.

    `operation` as for `all_reduce`.

    See ``help(dcube.collectives)`` for `out`, `machine`, `return_report` and the errors.
    """
    call = _Call("reduce", x, machine, question, "operation", "root")
    call.refuse_groups()
    topology = call.network(by_axis=True)
    message = call.leading(topology.nodes)
    call.question["root"] = _node("root", root, topology)
    call.reduce_by(operation)
    call.cut(topology.nodes)
    return call.run(message, out, return_report)


@overload
def broadcast(x: npt.ArrayLike, root: int = 0, *, out: Array | None = None, machine: Machine | str | None = None,
              return_report: Literal[False] = False, **question: Unpack[ArrayQuestion]) -> Array: ...
@overload
def broadcast(x: npt.ArrayLike, root: int = 0, *, out: Array | None = None, machine: Machine | str | None = None,
              return_report: Literal[True], **question: Unpack[ArrayQuestion]) -> tuple[Array, Report]: ...
def broadcast(x: npt.ArrayLike, root: int = 0, *, out: Array | None = None, machine: Machine | str | None = None,
              return_report: bool = False, **question: Unpack[ArrayQuestion]) -> Result:
    """Every node gets the root's message: x (...) to y (N, ...), ``y[n] = x``. It needs a network.

    See ``help(dcube.collectives)`` for `out`, `machine`, `return_report` and the errors.
    """
    call = _Call("broadcast", x, machine, question, "root")
    call.refuse_groups()
    topology = call.network(by_axis=False)
    call.question["root"] = _node("root", root, topology)
    call.cut(1)
    return call.run((topology.nodes, *call.x.shape), out, return_report)


@overload
def scatter(x: npt.ArrayLike, root: int = 0, *, out: Array | None = None, machine: Machine | str | None = None,
            return_report: Literal[False] = False, **question: Unpack[ArrayQuestion]) -> Array: ...
@overload
def scatter(x: npt.ArrayLike, root: int = 0, *, out: Array | None = None, machine: Machine | str | None = None,
            return_report: Literal[True], **question: Unpack[ArrayQuestion]) -> tuple[Array, Report]: ...
def scatter(x: npt.ArrayLike, root: int = 0, *, out: Array | None = None, machine: Machine | str | None = None,
            return_report: bool = False, **question: Unpack[ArrayQuestion]) -> Result:
    """Every node gets its message from the root: x (N, ...) to y (N, ...), ``y[n] = x[n]``.

    See ``help(dcube.collectives)`` for `out`, `machine`, `return_report` and the errors.
    """
    return _by_root("scatter", x, root, out, machine, return_report, question)


@overload
def gather(x: npt.ArrayLike, root: int = 0, *, out: Array | None = None, machine: Machine | str | None = None,
           return_report: Literal[False] = False, **question: Unpack[ArrayQuestion]) -> Array: ...
@overload
def gather(x: npt.ArrayLike, root: int = 0, *, out: Array | None = None, machine: Machine | str | None = None,
           return_report: Literal[True], **question: Unpack[ArrayQuestion]) -> tuple[Array, Report]: ...
def gather(x: npt.ArrayLike, root: int = 0, *, out: Array | None = None, machine: Machine | str | None = None,
           return_report: bool = False, **question: Unpack[ArrayQuestion]) -> Result:
    """The root gets every node's message: x (N, ...) to y (N, ...), ``y[n] = x[n]``.

    See ``help(dcube.collectives)`` for `out`, `machine`, `return_report` and the errors.
    """
    return _by_root("gather", x, root, out, machine, return_report, question)


@overload
def permute(x: npt.ArrayLike, permutation: str | Sequence[int] | npt.NDArray[Any], *, out: Array | None = None,
            machine: Machine | str | None = None, return_report: Literal[False] = False,
            **question: Unpack[ArrayQuestion]) -> Array: ...
@overload
def permute(x: npt.ArrayLike, permutation: str | Sequence[int] | npt.NDArray[Any], *, out: Array | None = None,
            machine: Machine | str | None = None, return_report: Literal[True],
            **question: Unpack[ArrayQuestion]) -> tuple[Array, Report]: ...
def permute(x: npt.ArrayLike, permutation: str | Sequence[int] | npt.NDArray[Any], *, out: Array | None = None,
            machine: Machine | str | None = None, return_report: bool = False,
            **question: Unpack[ArrayQuestion]) -> Result:
    """Node n's message goes to ``permutation[n]``: x (N, ...) to y (N, ...), ``y[permutation[n]] = x[n]``.

    A permutation is a list of nodes or a name, such as ``"bit-reversal"``. ``out=x`` does it in place.

    See ``help(dcube.collectives)`` for `out`, `machine`, `return_report` and the errors.
    """
    call = _Call("permute", x, machine, question, "permutation")
    nodes = call.network(by_axis=True).nodes
    call.leading(nodes)
    call.question["permutation"] = permutation
    call.cut(nodes)
    return call.run(call.x.shape, out, return_report, in_place=True)


@overload
def exchange(x: npt.ArrayLike, a: int, b: int, *, out: Array | None = None, machine: Machine | str | None = None,
             return_report: Literal[False] = False, **question: Unpack[ArrayQuestion]) -> Array: ...
@overload
def exchange(x: npt.ArrayLike, a: int, b: int, *, out: Array | None = None, machine: Machine | str | None = None,
             return_report: Literal[True], **question: Unpack[ArrayQuestion]) -> tuple[Array, Report]: ...
def exchange(x: npt.ArrayLike, a: int, b: int, *, out: Array | None = None, machine: Machine | str | None = None,
             return_report: bool = False, **question: Unpack[ArrayQuestion]) -> Result:
    """Nodes a and b swap messages: x (2, ...) to y (2, ...); x[0] is a's, and y[0] what a has got. It needs a network.

    ``out=x`` does it in place.

    See ``help(dcube.collectives)`` for `out`, `machine`, `return_report` and the errors.
    """
    call = _Call("exchange", x, machine, question, "a", "b")
    call.refuse_groups()
    topology = call.network(by_axis=False)
    call.leading(2)
    call.question |= {"root": _node("a", a, topology), "peer": _node("b", b, topology)}
    call.cut(2)
    return call.run(call.x.shape, out, return_report, in_place=True)


@overload
def send(x: npt.ArrayLike, a: int, b: int, *, out: Array | None = None, machine: Machine | str | None = None,
         return_report: Literal[False] = False, **question: Unpack[ArrayQuestion]) -> Array: ...
@overload
def send(x: npt.ArrayLike, a: int, b: int, *, out: Array | None = None, machine: Machine | str | None = None,
         return_report: Literal[True], **question: Unpack[ArrayQuestion]) -> tuple[Array, Report]: ...
def send(x: npt.ArrayLike, a: int, b: int, *, out: Array | None = None, machine: Machine | str | None = None,
         return_report: bool = False, **question: Unpack[ArrayQuestion]) -> Result:
    """Node a sends a message to b: x (...) to y (...), ``y = x``. It needs a network.

    See ``help(dcube.collectives)`` for `out`, `machine`, `return_report` and the errors.
    """
    call = _Call("send", x, machine, question, "a", "b")
    call.refuse_groups()
    topology = call.network(by_axis=False)
    call.question |= {"root": _node("a", a, topology), "peer": _node("b", b, topology)}
    call.cut(1)
    return call.run(call.x.shape, out, return_report)


@overload
def transpose(x: npt.ArrayLike, layout: str = "rows", *, out: Array | None = None, machine: Machine | str | None = None,
              return_report: Literal[False] = False, **question: Unpack[ArrayQuestion]) -> Array: ...
@overload
def transpose(x: npt.ArrayLike, layout: str = "rows", *, out: Array | None = None, machine: Machine | str | None = None,
              return_report: Literal[True], **question: Unpack[ArrayQuestion]) -> tuple[Array, Report]: ...
def transpose(x: npt.ArrayLike, layout: str = "rows", *, out: Array | None = None, machine: Machine | str | None = None,
              return_report: bool = False, **question: Unpack[ArrayQuestion]) -> Result:
    """A matrix (R, C), dealt out to the nodes, is transposed: y (C, R), ``y = x.T``.

    `layout` says how it lies on the nodes, before and after: ``"rows"`` (blocks of rows), ``"rows-striped"``,
    ``"rows-blocked-gray"``, ``"rows-striped-gray"``, ``"submatrices"`` or ``"submatrices-gray"``. A network must be
    given. Elements have 1, 2, 4 or 8 bytes. ``out=x`` is possible if the matrix is square.

    See ``help(dcube.collectives)`` for `out`, `machine`, `return_report` and the errors.
    """
    return _of_matrix("matrix-transpose", x, True, {"layout": layout}, out, machine, return_report, question)


@overload
def quarter_turn(x: npt.ArrayLike, layout: str = "rows", *, out: Array | None = None,
                 machine: Machine | str | None = None, return_report: Literal[False] = False,
                 **question: Unpack[ArrayQuestion]) -> Array: ...
@overload
def quarter_turn(x: npt.ArrayLike, layout: str = "rows", *, out: Array | None = None,
                 machine: Machine | str | None = None, return_report: Literal[True],
                 **question: Unpack[ArrayQuestion]) -> tuple[Array, Report]: ...
def quarter_turn(x: npt.ArrayLike, layout: str = "rows", *, out: Array | None = None,
                 machine: Machine | str | None = None, return_report: bool = False,
                 **question: Unpack[ArrayQuestion]) -> Result:
    """A matrix (R, C) turns clockwise: y (C, R), ``y = numpy.rot90(x, -1)``; layouts and types as in `transpose`.

    See ``help(dcube.collectives)`` for `out`, `machine`, `return_report` and the errors.
    """
    return _of_matrix("matrix-quarter-turn", x, True, {"layout": layout}, out, machine, return_report, question)


@overload
def half_turn(x: npt.ArrayLike, layout: str = "rows", *, out: Array | None = None, machine: Machine | str | None = None,
              return_report: Literal[False] = False, **question: Unpack[ArrayQuestion]) -> Array: ...
@overload
def half_turn(x: npt.ArrayLike, layout: str = "rows", *, out: Array | None = None, machine: Machine | str | None = None,
              return_report: Literal[True], **question: Unpack[ArrayQuestion]) -> tuple[Array, Report]: ...
def half_turn(x: npt.ArrayLike, layout: str = "rows", *, out: Array | None = None, machine: Machine | str | None = None,
              return_report: bool = False, **question: Unpack[ArrayQuestion]) -> Result:
    """A matrix (R, C) turns by 180 degrees: y (R, C), ``y = x[::-1, ::-1]``; layouts and types as in `transpose`.

    See ``help(dcube.collectives)`` for `out`, `machine`, `return_report` and the errors.
    """
    return _of_matrix("matrix-half-turn", x, False, {"layout": layout}, out, machine, return_report, question)


@overload
def relayout(x: npt.ArrayLike, layout: str, to_layout: str, *, out: Array | None = None,
             machine: Machine | str | None = None, return_report: Literal[False] = False,
             **question: Unpack[ArrayQuestion]) -> Array: ...
@overload
def relayout(x: npt.ArrayLike, layout: str, to_layout: str, *, out: Array | None = None,
             machine: Machine | str | None = None, return_report: Literal[True],
             **question: Unpack[ArrayQuestion]) -> tuple[Array, Report]: ...
def relayout(x: npt.ArrayLike, layout: str, to_layout: str, *, out: Array | None = None,
             machine: Machine | str | None = None, return_report: bool = False,
             **question: Unpack[ArrayQuestion]) -> Result:
    """The rows of a matrix (R, C) move from one layout to another: the matrix as a whole stays, ``y = x``.

    What it takes is in the report. Layouts, of rows only, and types as in `transpose`.

    See ``help(dcube.collectives)`` for `out`, `machine`, `return_report` and the errors.
    """
    return _of_matrix("matrix-relayout", x, False, {"layout": layout, "to_layout": to_layout}, out, machine,
                      return_report, question)


def _of_vectors(collective: str, x: npt.ArrayLike, operation: str, out: Array | None, machine: Machine | str | None,
                return_report: bool, question: Mapping[str, Any]) -> Result:
    call = _Call(collective, x, machine, question, "operation")
    nodes = call.network(by_axis=True).nodes
    call.leading(nodes)
    call.reduce_by(operation)
    call.cut(nodes)
    return call.run(call.x.shape, out, return_report, in_place=True)


def _by_root(collective: str, x: npt.ArrayLike, root: int, out: Array | None, machine: Machine | str | None,
             return_report: bool, question: Mapping[str, Any]) -> Result:
    call = _Call(collective, x, machine, question, "root")
    call.refuse_groups()
    topology = call.network(by_axis=True)
    call.leading(topology.nodes)
    call.question["root"] = _node("root", root, topology)
    call.cut(topology.nodes)
    return call.run(call.x.shape, out, return_report)


def _of_matrix(collective: str, x: npt.ArrayLike, turned: bool, layouts: Mapping[str, str], out: Array | None,
               machine: Machine | str | None, return_report: bool, question: Mapping[str, Any]) -> Result:
    call = _Call(collective, x, machine, question, *layouts)
    call.network(by_axis=False)
    if call.x.ndim != 2:
        raise refused("x", None, f"has the shape {call.x.shape}: a matrix has two axes")
    if "packets" in call.question:
        raise TypeError("packets is no argument here: a matrix's messages follow from its layout")
    rows, columns = call.x.shape
    call.question |= {"rows": rows, "columns": columns, "type": _type_as_large(call.x.dtype), **layouts}
    return call.run((columns, rows) if turned else (rows, columns), out, return_report, in_place=True)


def _type_as_large(dtype: np.dtype[Any]) -> str:
    """The type of reports: the elements' own, or one that is as large."""
    if dtype in _REDUCIBLE:
        return dtype.name
    if dtype.itemsize not in (1, 2, 4, 8):
        raise TypeError(f"elements of {_name(dtype)} have {dtype.itemsize} bytes: in a matrix they have 1, 2, 4 or 8")
    return f"uint{8 * dtype.itemsize}"


def _is_same(out: Array | None, x: Array) -> bool:
    return isinstance(out, np.ndarray) and out.ctypes.data == x.ctypes.data and out.nbytes == x.nbytes
