"""Node programs: all that a node can do, and what the machine refuses."""

from __future__ import annotations

import gc
import inspect
import itertools
import pickle
import traceback
import weakref
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import dcube

NETWORKS = ["hypercube:3", "ring:5", "torus:3x4", "path:4", "mesh:3x2", "circulant:7,1,2", "ring:3*path:2",
            "hypercube:3 without 5"]
KINDS = [True, False, 0, -1, 2**63 - 1, -(2**63), 2**64 - 1, 2.5, float("inf"), b"", b"bytes", b"\0" * 40]
SCALARS = [np.int8(-3), np.uint64(2**64 - 1), np.float32(0.1), np.float64(1e300), np.complex128(1 + 2j), np.bool_(True),
           np.datetime64("2024-02-29"), np.bytes_(b"abc"), np.str_("äöü")]
ARRAYS = [np.arange(5), np.zeros((2, 3, 4), "f4"), np.array(3.5), np.empty((0, 4), "i2"),
          np.arange(12).reshape(3, 4)[:, ::2], np.asfortranarray(np.arange(6.0).reshape(2, 3)),
          np.arange(4, dtype=">i4"), np.array(["a", "bcd"]),
          np.array([(1, 2.5)], [("a", "i2"), ("b", "f8")]), np.array(["2024-01-01", "NaT"], "M8[s]"), np.arange(3) + 1j]


def same(a: Any, b: Any) -> bool:
    if type(a) is not type(b) or not isinstance(a, np.ndarray):
        return type(a) is type(b) and a == b
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


def members(topology: dcube.Topology) -> list[int]:
    return [node for node in range(topology.nodes) if topology.ports(node)]


def run_pair(program: Callable[..., Any], **machine: Any) -> Any:
    """Two nodes and a link."""
    return dcube.Machine(1, **machine).run(program)


def user_line(error: BaseException) -> str:
    """The code of the last line in the traceback."""
    return traceback.extract_tb(error.__traceback__)[-1].line or ""


def notes(error: BaseException) -> list[str]:
    return list(getattr(error, "__notes__", []))


@pytest.mark.parametrize("network", NETWORKS)
def test_all_neighbours_exchange(network: str) -> None:
    topology = dcube.Topology(network)

    @dcube.program
    def hello(me: dcube.Node) -> Any:
        assert me.nodes == topology.nodes and me.topology == topology and me.ports == topology.ports(me.id)
        for port in range(me.ports):
            me.send(port, me.id)
        assert me.step == 1
        yield
        assert me.step == 2
        assert all(me.arrived(port) for port in range(me.ports))
        heard = [me.receive(port) for port in range(me.ports)]
        assert heard == [me.neighbour(port) for port in range(me.ports)]
        return heard

    run = dcube.Machine(topology=network).run(hello)
    there = members(topology)
    assert [run.results[n] for n in there] == [topology.neighbours(n) for n in there]
    assert all(run.results[n] is None for n in range(topology.nodes) if n not in there)
    assert run.steps == 1 and run.transmissions == topology.directed_links and run.bytes == 8 * run.transmissions
    assert run.virtual_time_ns is None and run.lost == 0 and run.trace is None and run.wall_seconds > 0


@pytest.mark.parametrize("what", KINDS + SCALARS + ARRAYS, ids=lambda what: f"{type(what).__name__}-{what!r:.20}")
@pytest.mark.parametrize("how", [{}, {"watch": True}, {"threads": 2}, {"capacity": 3}])
@pytest.mark.parametrize("trace", [False, True])
def test_what_is_sent_arrives_as_it_was(what: Any, how: dict[str, Any], trace: bool) -> None:
    def program(me: dcube.Node) -> Any:
        me.send(0, what)
        yield
        return me.receive(0)

    for result in dcube.Machine(1, **how).run(program, trace=trace).results:
        assert same(result, what)
        if isinstance(result, np.ndarray):
            assert result.flags.writeable and result.flags.c_contiguous and not np.shares_memory(result, what)


@pytest.mark.parametrize("what", [[1], "text", None, 1j, {}, bytearray(b"a"), np.array([None]),
                                  np.array([(1, None)], [("a", "i2"), ("b", "O")])])
def test_what_cannot_be_sent(what: Any) -> None:
    def program(me: dcube.Node) -> Any:
        me.send(0, what)
        yield

    with pytest.raises(TypeError, match="cannot be sent: arrays"):
        run_pair(program)


@pytest.mark.parametrize("number", [2**64, -(2**63) - 1, 10**30])
def test_an_int_that_is_sent_has_64_bits(number: int) -> None:
    def program(me: dcube.Node) -> Any:
        me.send(0, number)
        yield

    with pytest.raises(OverflowError, match="64 bits"):
        run_pair(program)


def test_what_is_sent_is_copied() -> None:
    def program(me: dcube.Node) -> Any:
        mine = np.full(100, me.id)
        me.send(0, mine)
        mine[:] = -1
        yield
        theirs = me.receive(0)
        theirs += 10  # the receiver's own
        me.send(0, theirs)
        yield
        return me.receive(0)

    assert [list(r) for r in run_pair(program).results] == [[10] * 100, [11] * 100]


@pytest.mark.parametrize("trace", [False, True])
def test_arrays_are_lent_if_asked(trace: bool) -> None:
    def program(me: dcube.Node) -> Any:
        out = np.zeros((2, 50))
        me.send(0, np.full((2, 50), me.id + 0.5), copy=False)  # nobody else holds it
        yield
        assert me.receive(0, out) is out
        me.send(0, out, copy=False)
        yield
        return me.receive(0)

    results = dcube.Machine(1).run(program, trace=trace).results
    assert (results[0] == 0.5).all() and (results[1] == 1.5).all() and results[0].shape == (2, 50)


def test_only_contiguous_arrays_are_lent() -> None:
    def program(me: dcube.Node) -> Any:
        me.send(0, np.arange(10)[::2], copy=False)
        yield

    with pytest.raises(ValueError, match="C-contiguous"):
        run_pair(program)


def test_a_lent_array_keeps_its_shape_and_its_memory() -> None:
    def program(me: dcube.Node) -> Any:
        mine = np.arange(6.0)
        me.send(0, mine, copy=False)
        mine.shape = (2, 3)
        with pytest.raises(ValueError, match="resize"):
            mine.resize(100)
        yield
        return me.receive(0)

    assert all(r.shape == (6,) for r in run_pair(program).results)


def test_a_lent_array_that_has_lost_its_memory_is_not_read() -> None:
    def program(me: dcube.Node) -> Any:
        mine = np.arange(1000.0)
        me.send(0, mine, copy=False)
        mine.resize(100_000, refcheck=False)
        mine.resize(1, refcheck=False)
        yield
        return me.receive(0)

    with pytest.raises(RuntimeError, match="resized"):
        run_pair(program)


@pytest.mark.parametrize("out, error, message", [
    (np.zeros(3), dcube.RuleViolation, "size-mismatch"),
    (np.zeros(2, "i8"), TypeError, "float64 have arrived, and the array is of type int64"),
    (np.zeros(4)[::2], ValueError, "not C-contiguous"),
    (np.frombuffer(bytes(16)), ValueError, "read-only"),
    ([0.0, 0.0], TypeError, "out is an array, not list"),
])
def test_arrays_that_are_filled(out: Any, error: type[Exception], message: str) -> None:
    def program(me: dcube.Node) -> Any:
        me.send(0, np.arange(2.0))
        yield
        me.receive(0, out=out)

    with pytest.raises(error, match=message) as found:
        run_pair(program)
    assert "me.receive(0, out=out)" in user_line(found.value)


def test_bytes_and_numbers_fill_arrays() -> None:
    def program(me: dcube.Node) -> Any:
        raw, number, other = np.zeros(5, "u1"), np.zeros(1, "i8"), np.zeros((2, 2), "i4")
        for what, out in ((b"hello", raw), (7, number), (np.arange(4, dtype="i4"), other)):
            me.send(0, what)
            yield
            me.receive(0, out)
        return raw.tobytes(), int(number[0]), other.tolist()

    assert run_pair(program).results == [(b"hello", 7, [[0, 1], [2, 3]])] * 2


@pytest.mark.parametrize("operation, expected", [("sum", [5, 9, 3]), ("min", [1, 4, 1]), ("max", [4, 5, 2]),
                                                 ("bit-xor", [5, 1, 3])])
@pytest.mark.parametrize("trace", [False, True])
def test_combine(operation: str, expected: list[int], trace: bool) -> None:
    def program(me: dcube.Node) -> Any:
        into = np.array([[1, 4, 1], [4, 5, 2]][me.id], "u2")
        me.send(0, into)
        yield
        assert me.combine(0, into, operation) is into
        return into.tolist()

    assert dcube.Machine(1).run(program, trace=trace).results == [expected, expected]


@pytest.mark.parametrize("into, operation, error, message", [
    (np.zeros(2), "product", dcube.InvalidArgument, "product"),
    (np.zeros(2), "bit-xor", dcube.InvalidArgument, "bit-xor"),
    (np.zeros(2, "c16"), "sum", TypeError, "complex128 cannot be combined"),
    (np.zeros(2, "f4"), "sum", TypeError, "float64 have arrived"),
    (np.zeros(3), "sum", dcube.RuleViolation, "size-mismatch"),
])
def test_combine_refuses(into: Any, operation: str, error: type[Exception], message: str) -> None:
    def program(me: dcube.Node) -> Any:
        me.send(0, np.zeros(2))
        yield
        me.combine(0, into, operation=operation)

    with pytest.raises(error, match=message):
        run_pair(program)


def test_arguments_of_a_call_that_are_not_there() -> None:
    def program(me: dcube.Node) -> Any:
        me.combine(0, np.zeros(2), op="sum")
        yield

    with pytest.raises(TypeError, match=r"'op' is not an argument of combine\(\): did you mean operation\?"):
        run_pair(program)


def test_copy_needs_arrays_of_one_type() -> None:
    def program(me: dcube.Node) -> Any:
        yield
        into = np.zeros(3)
        me.copy(into, np.arange(3.0))
        with pytest.raises(TypeError, match="cannot be copied"):
            me.copy(into, np.arange(3))
        with pytest.raises(dcube.InvalidArgument, match="sizes must be equal"):
            me.copy(into, from_=np.arange(4.0))
        return into.tolist()

    assert run_pair(program).results[0] == [0, 1, 2]


def test_ports_of_a_torus() -> None:
    def program(me: dcube.Node) -> Any:
        me.send(me.port_to(1, +1), me.id)
        yield
        with pytest.raises(dcube.InvalidArgument):
            me.port_to(5, 1)
        return me.receive(me.port_to(dimension=1, direction=-1))

    results = dcube.Machine(topology="torus:3x4").run(program).results
    assert results == [n // 4 * 4 + (n - 1) % 4 for n in range(12)]


def test_phases_and_counters() -> None:
    def program(me: dcube.Node) -> Any:
        me.phase("first")
        me.send(0, 1)
        yield
        me.count("received", me.receive(0))
        me.phase("second")
        me.count("steps")
        me.count(name="ids", number=np.int16(me.id))
        yield

    run = dcube.Machine(2).run(program, trace=True)
    assert run.phases == [{"name": "first", "first_step": 1, "last_step": 1},
                          {"name": "second", "first_step": 2, "last_step": 2}]
    assert run.counters == {"ids": 6, "received": 4, "steps": 4}
    assert run.trace[0] == (1, 0, 1, 0, 8, "first")
    assert run.row()["received"] == 4 and "phases" not in run.row()
    assert "hypercube:2" in repr(run) and "<table>" in run._repr_html_()
    again = pickle.loads(pickle.dumps(run))
    assert (again.row(), again.trace, again.results) == (run.row(), run.trace, run.results) and run.trace is run.trace


def test_random_numbers_depend_on_seed_and_node() -> None:
    def program(me: dcube.Node) -> Any:
        yield
        assert me.random() is me.random()
        return me.random().integers(1 << 60)

    machine = dcube.Machine(3)
    first = machine.run(program).results
    assert len(set(first)) == 8 and machine.run(program, seed=1).results == first
    assert not set(first) & set(machine.run(program, seed=2).results)


def test_arguments_are_one_a_node() -> None:
    def program(me: dcube.Node, own: Any) -> Any:
        yield
        return own

    machine = dcube.Machine(topology="ring:3")
    assert machine.run(program, ["a", "b", "c"]).results == ["a", "b", "c"]
    assert machine.run(program, {2: "c", 0: "a", 1: "b"}).results == ["a", "b", "c"]
    assert machine.run(program, np.arange(3)).results == [0, 1, 2]
    with pytest.raises(dcube.InvalidArgument, match="arguments has 2 items, where the network has 3 nodes"):
        machine.run(program, [1, 2])
    with pytest.raises(KeyError) as found:
        machine.run(program, {7: 1, 8: 2, 9: 3})
    assert notes(found.value) == ["dcube: at node 0, in step 1"]


def test_a_program_waits_for_a_step_or_an_arrival() -> None:
    def pair(me: dcube.Node) -> Any:
        if me.id:
            yield me.until(5)
            me.send(0, 1)
            return None
        port = yield me.any_arrival([0])
        assert port == 0 and me.step == 6
        yield me.arrival(0)  # is there
        return me.step, me.receive(port)

    assert run_pair(pair).results == [(6, 1), None]


def test_any_arrival_takes_the_first_of_its_list() -> None:
    def program(me: dcube.Node) -> Any:
        if me.id:
            me.send(me.topology.port_between(me.id, 0), me.id)
            yield
            return None
        heard = []
        yield
        for ports in ([2, 0], (0, 1), None):
            port = yield me.any_arrival(ports)
            heard.append((port, me.receive(port)))
        with pytest.raises(dcube.InvalidArgument, match="no ports"):
            me.any_arrival([])
        return heard

    assert dcube.Machine(topology="complete:4").run(program).results[0] == [(2, 3), (0, 1), (1, 2)]


def test_links_that_take_time() -> None:
    def program(me: dcube.Node) -> Any:
        for number in range(3):
            yield me.room(0)
            assert me.has_room(0)
            me.send(0, np.zeros(10, "u1"))
            yield
            me.receive(0)

    run = dcube.Machine(1, tau="1/3", beta=2).run(program)
    traced = dcube.Machine(1, tau="1/3", beta=2).run(program, trace=True)
    assert dcube.view(pickle.loads(pickle.dumps(traced))).html == dcube.view(traced).html
    assert run.virtual_time_ns == 3 * (Fraction(10, 3) + 2) and isinstance(run.row()["virtual_time_ns"], (int, float))
    machine = dcube.Machine(1, tau="1/3", beta=2, clock="lockstep")
    assert machine.link == {"tau": Fraction(1, 3), "beta": 2, "clock": "lockstep"} and machine.ports == "all"
    half = dcube.Machine(1, tau=1, beta=2, ports="one", duplex="half")
    assert half.link == {"tau": 1, "beta": 2, "clock": "data-driven", "duplex": "half"} and half.ports == "one"
    with pytest.raises(dcube.RuleViolation, match="half duplex"):
        half.run(program)
    full = dcube.Machine(1, tau=1, beta=2, ports="one")
    assert full.link["duplex"] == "full" and full.run(program).virtual_time_ns == 3 * (10 + 2)
    with pytest.raises(dcube.InvalidArgument, match="push back"):
        run_pair(program)


def test_sub_programs_and_prepared_collectives() -> None:
    machine = dcube.Machine(topology="torus:3x3")
    total = machine.prepare("all-reduce", bytes=16, type="float64")
    spread = machine.prepare("broadcast", bytes=4, root=2)

    def stage(me: dcube.Node, x: Any) -> Any:
        out = np.zeros(2)
        got = yield total(me, x, out)
        assert got is out
        return out.sum()

    def program(me: dcube.Node) -> Any:
        first = yield from stage(me, np.array([me.id, 1.0]))
        out = np.zeros(4, "u1")
        yield spread(me, np.frombuffer(b"root", "u1") if me.id == 2 else None, out)
        return first, out.tobytes()

    run = machine.run(program)
    assert run.results == [(45.0, b"root")] * 9
    assert run.steps == total.steps + spread.steps and total.collective == "all-reduce" and total.algorithm
    assert machine.run(program, trace=True).results == run.results


@pytest.mark.parametrize("x, out, error, message", [
    (np.zeros(2), np.zeros(2, "f4"), TypeError, "is given an array of"),
    (np.zeros(3), np.zeros(2), dcube.InvalidArgument, "input of 24 and an output of 16 bytes"),
    (np.zeros(2), None, dcube.InvalidArgument, "output of 0 bytes"),
    (np.zeros(4)[::2], np.zeros(2), ValueError, "the input is not C-contiguous"),
    (np.zeros(2), np.frombuffer(bytes(16)), ValueError, "the output is read-only"),
])
def test_prepared_collectives_refuse(x: Any, out: Any, error: type[Exception], message: str) -> None:
    machine = dcube.Machine(2)
    total = machine.prepare("all-reduce", bytes=16, type="float64")

    def program(me: dcube.Node) -> Any:
        yield total(me, x, out)

    with pytest.raises(error, match=message) as found:
        machine.run(program)
    assert "yield total(me, x, out)" in user_line(found.value)


def test_a_collective_of_another_network_is_refused() -> None:
    total = dcube.Machine(2).prepare("all-reduce", bytes=8, type=np.int64)

    def program(me: dcube.Node) -> Any:
        yield total(me, np.zeros(1, "i8"), np.zeros(1, "i8"))

    with pytest.raises(dcube.InvalidArgument, match="was prepared for hypercube:2"):
        dcube.Machine(3).run(program)


# What the machine refuses: (rule, how to break it, machine, step, node, port, the program's line).
def two_on_a_link(me: dcube.Node) -> Any:
    yield
    if me.id == 3:
        me.send(1, 1)
        me.send(1, 2)  # breaks


def no_such_port(me: dcube.Node) -> Any:
    yield
    if me.id == 2:
        me.send(9, 1)  # breaks


def second_send(me: dcube.Node) -> Any:
    if me.id == 1:
        me.send(0, 1)
        me.send(1, 1)  # breaks
    yield


def second_receive(me: dcube.Node) -> Any:
    if me.id in (1, 2):
        me.send(0 if me.id == 1 else 1, 1)
    yield  # suspended


def nothing_arrived(me: dcube.Node) -> Any:
    yield
    if me.id == 1:
        me.receive(0)  # breaks


def nothing_exchanged(me: dcube.Node) -> Any:
    if me.id == 1:
        yield me.exchange(0, 1)  # breaks
    yield


def wrong_size(me: dcube.Node) -> Any:
    me.send(0, np.zeros(2))
    yield
    me.receive(0, np.zeros(3) if me.id == 3 else np.zeros(2))  # breaks


def too_many(me: dcube.Node) -> Any:
    for number in range(4):
        if me.id == 0:
            me.send(0, number)  # breaks
        yield


def never_received(me: dcube.Node) -> Any:
    if me.id == 2:
        me.send(0, 1)
    yield


def changed(me: dcube.Node) -> Any:
    mine = np.zeros(3)
    me.send(0, mine, copy=False)
    yield
    mine[0] = me.id
    me.receive(0)
    yield  # suspended


def deadlock(me: dcube.Node) -> Any:
    if me.id != 3:
        yield
        yield me.arrival(1)  # suspended


def long_time(me: dcube.Node) -> Any:
    me.send(0, np.zeros(8))
    yield
    me.receive(0)
    me.send(0, np.zeros(8))  # breaks
    yield
    me.receive(0)


BROKEN = [
    ("link-busy", two_on_a_link, {}, 2, 3, 1),
    ("no-such-port", no_such_port, {}, 2, 2, 9),
    ("second-send", second_send, {"ports": "one"}, 1, 1, 1),
    ("second-receive", second_receive, {"ports": "one"}, 1, 0, 1),
    ("nothing-arrived", nothing_arrived, {}, 2, 1, 0),
    ("nothing-arrived", nothing_exchanged, {}, 2, 1, 0),
    ("size-mismatch", wrong_size, {}, 2, 3, 0),
    ("channel-full", too_many, {}, 2, 0, 0),
    ("never-received", never_received, {}, 1, 2, None),
    ("lent-bytes-changed", changed, {"watch": True}, 2, 1, 0),
    ("deadlock", deadlock, {}, 2, 0, 1),
    ("time-overflow", long_time, {"tau": 2**57, "beta": 0}, None, 0, 0),
]


@pytest.mark.parametrize("rule, program, how, step, node, port", BROKEN, ids=lambda p: getattr(p, "__name__", None))
@pytest.mark.parametrize("trace", [False, True])
def test_a_broken_rule_says_where(rule: str, program: Any, how: dict[str, Any], step: int | None, node: int,
                                  port: int | None, trace: bool) -> None:
    machine = dcube.Machine(2, **how)
    for _ in range(2):  # the machine can be used again
        with pytest.raises(dcube.RuleViolation, match=rule) as found:
            machine.run(program, trace=trace)
        error = found.value
        assert error.rule == rule
        if rule != "never-received":
            assert (error.node, error.port) == (node, port) and step in (None, error.step)
        lines, first = inspect.getsourcelines(program)
        where = [first + i for i, line in enumerate(lines) if "# breaks" in line]
        if where:
            last = traceback.extract_tb(error.__traceback__)[-1]
            assert (last.name, last.lineno) == (program.__name__, where[0])
        suspended = [first + i for i, line in enumerate(lines) if "# suspended" in line]
        if suspended:
            assert f"dcube: suspended in {program.__name__}, line {suspended[0]}: node" in notes(error)[0]


def test_lost_packets() -> None:
    def program(me: dcube.Node) -> Any:
        for number in range(3):
            yield me.exchange(0, number)

    machine = dcube.Machine(2)
    with pytest.raises(dcube.RuleViolation, match="packet-lost") as found:
        machine.run(program, failing=["0-1@2"])
    assert (found.value.rule, found.value.step) == ("packet-lost", 2)
    assert isinstance(found.value.__cause__, dcube.RuleViolation)
    assert "yield me.exchange(0, number)" in user_line(found.value.__cause__)

    def careful(me: dcube.Node) -> Any:
        got = []
        for number in range(4):
            if me.alive(0):
                me.send(0, np.full(3, number))
            elif me.id == 0:
                me.send(0, number)  # is lost
            yield
            if me.arrived(0):
                got.append(int(me.receive(0)[0]))
        return got

    run = machine.run(careful, failing=["0-1@3"])
    assert run.results == [[0, 1], [0, 1], [0, 1, 2, 3], [0, 1, 2, 3]] and run.lost == 2
    with pytest.raises(dcube.InvalidArgument, match="0-3"):
        machine.run(careful, failing=["0-3@1"])
    assert machine.run(careful, failing="2@9").lost == 0


def test_all_begin_a_collective_together() -> None:
    machine = dcube.Machine(2)
    total = machine.prepare("all-reduce", bytes=8, type="int64")

    def some(me: dcube.Node) -> Any:
        if me.id != 2:
            yield total(me, np.zeros(1, "i8"), np.zeros(1, "i8"))
        yield

    with pytest.raises(dcube.RuleViolation, match="only 3 of 4 nodes started all-reduce") as found:
        machine.run(some)
    assert found.value.rule == "not-together" and "suspended in some" in notes(found.value)[0]

    def stray(me: dcube.Node) -> Any:
        me.send(0, 1)
        yield
        yield total(me, np.zeros(1, "i8"), np.zeros(1, "i8"))

    with pytest.raises(dcube.RuleViolation, match="stray-packet") as found:
        machine.run(stray)
    assert found.value.rule == "stray-packet" and "yield total(me" in user_line(found.value)


def test_a_caught_violation_still_ends_the_run() -> None:
    def program(me: dcube.Node) -> Any:
        yield
        try:
            me.receive(0)
        except dcube.RuleViolation:
            pass
        yield
        raise AssertionError("not reached")

    with pytest.raises(dcube.RuleViolation, match="nothing-arrived in step 2 at node 0") as found:
        run_pair(program)
    assert "me.receive(0)" in user_line(found.value)


def test_what_a_program_raises_comes_out_as_it_is() -> None:
    class Own(Exception):
        pass

    def deep(me: dcube.Node) -> Any:
        yield
        if me.id >= 5:
            raise Own(me.id)

    def program(me: dcube.Node) -> Any:
        yield
        yield from deep(me)

    with pytest.raises(Own) as found:
        dcube.Machine(3).run(program)
    assert found.value.args == (5,) and notes(found.value) == ["dcube: at node 5, in step 3"]
    assert [f.name for f in traceback.extract_tb(found.value.__traceback__)][-2:] == ["program", "deep"]
    frame = found.value.__traceback__
    while frame and frame.tb_next:
        frame = frame.tb_next
    assert frame and frame.tb_frame.f_locals["me"].id == 5


def test_what_is_raised_before_the_first_step() -> None:
    def program(me: dcube.Node) -> Any:
        raise LookupError("at once")
        yield

    with pytest.raises(LookupError) as found:
        run_pair(program)
    assert notes(found.value) == ["dcube: at node 0, in step 1"]
    with pytest.raises(ZeroDivisionError):
        run_pair(lambda me: 1 // 0)


@pytest.mark.parametrize("program", [lambda me: None, lambda me: iter([None]), print, len])
def test_programs_are_generator_functions(program: Any) -> None:
    with pytest.raises(TypeError):
        run_pair(program)


def test_the_decorator_says_at_once_that_a_yield_is_missing() -> None:
    with pytest.raises(TypeError, match="at least one yield"):

        @dcube.program
        def program(me: dcube.Node) -> int:
            return 1

    with pytest.raises(TypeError, match="a node program is a generator function, not int"):
        run_pair(3)  # type: ignore[arg-type]

    async def coroutine(me: dcube.Node) -> None:
        pass

    with pytest.raises(TypeError, match="at least one yield"), pytest.warns(RuntimeWarning):
        run_pair(coroutine)
        gc.collect()


def forgotten_exchange(me: dcube.Node) -> Any:
    me.exchange(0, 1)
    yield


def forgotten_twice(me: dcube.Node) -> Any:
    me.exchange(0, 1)
    yield me.until(3)


def forgotten_at_the_end(me: dcube.Node) -> Any:
    yield
    me.until(5)


@pytest.mark.parametrize("program", [forgotten_exchange, forgotten_twice, forgotten_at_the_end])
def test_a_forgotten_yield(program: Any) -> None:
    with pytest.raises(RuntimeError, match="node 0 has called me.(exchange|until) and not yielded it"):
        run_pair(program)


def test_a_forgotten_yield_that_is_caught() -> None:
    kept: list[weakref.ref[Any]] = []

    def program(me: dcube.Node) -> Any:
        out = np.zeros(1, "i8")
        kept.append(weakref.ref(out))
        me.exchange(0, me.id, out)
        with pytest.raises(RuntimeError, match="not yielded"):
            me.until(2)
        given = yield
        return given, me.receive(0)

    assert run_pair(program).results == [(None, 1), (None, 0)]
    assert not any(ref() is not None for ref in kept)


def test_what_may_be_yielded() -> None:
    def number(me: dcube.Node) -> Any:
        yield 3

    def old(me: dcube.Node) -> Any:
        kept = me.until(2)
        yield kept
        yield kept

    with pytest.raises(TypeError, match="and not int") as found:
        run_pair(number)
    assert "yield 3" in user_line(found.value)
    with pytest.raises(RuntimeError, match="yielded once"):
        run_pair(old)

    def forgiving(me: dcube.Node) -> Any:
        try:
            yield 3
        except TypeError:
            yield
        return me.step

    assert run_pair(forgiving).results == [2, 2]


def test_a_node_is_used_by_its_own_program_only() -> None:
    nodes: dict[int, dcube.Node] = {}

    def program(me: dcube.Node) -> Any:
        nodes[me.id] = me
        yield
        if me.id == 1:
            assert nodes[0].id == 0 and nodes[0].ports == 1
            nodes[0].send(0, 1)

    with pytest.raises(RuntimeError, match="node 0 is used by another program"):
        run_pair(program)
    for call in (lambda me: me.send(0, 1), lambda me: me.receive(0), lambda me: me.step, lambda me: me.exchange(0, 1),
                 lambda me: me.random(), lambda me: me.neighbour(0)):
        with pytest.raises(RuntimeError, match="the run of node 1 has ended"):
            call(nodes[1])
    assert nodes[1].id == 1 and nodes[1].topology == dcube.Topology("hypercube:1") and repr(nodes[1])
    with pytest.raises(TypeError):
        dcube.Node()


def test_finally_blocks_run_and_can_send_nothing_more() -> None:
    seen = []

    def program(me: dcube.Node) -> Any:
        try:
            yield
            if me.id == 0:
                raise LookupError
            yield
        finally:
            try:
                me.send(0, 1)
            except RuntimeError as error:
                seen.append((me.id, str(error)))

    with pytest.raises(LookupError):
        run_pair(program)
    assert seen == [(1, "the run of node 1 has ended")]


def test_a_generator_that_two_nodes_share_is_no_crash() -> None:
    def make(me: dcube.Node) -> Any:
        me.send(0, 1)
        yield
        me.receive(0)

    shared: list[Any] = []

    def program(me: dcube.Node) -> Any:
        shared.append(make(me))
        return shared[0]

    with pytest.raises(Exception):
        run_pair(program)


def test_wrong_arguments_of_calls() -> None:
    def program(me: dcube.Node) -> Any:
        yield
        for wrong in (lambda: me.send(), lambda: me.send(0), lambda: me.send(0, 1, False),
                      lambda: me.send(0, 1, cpoy=1),
                      lambda: me.receive(0, None, 1), lambda: me.receive(0, port=1), lambda: me.send("a", 1),
                      lambda: me.phase(3), lambda: me.count(1), lambda: me.arrived(1.5), lambda: me.until("x")):
            with pytest.raises(TypeError):
                wrong()  # type: ignore[no-untyped-call]
        for outside in (lambda: me.send(-1, 1), lambda: me.neighbour(1), lambda: me.neighbour(-1),
                        lambda: me.arrived(-1)):
            with pytest.raises(IndexError):
                outside()
        with pytest.raises(OverflowError):
            me.count("a", -1)
        me.send(port=np.int8(0), what=1, copy=True)
        yield
        return me.receive(port=0, out=None)

    assert run_pair(program).results == [1, 1]


def test_on_step_is_called_after_every_step_and_may_end_the_run() -> None:
    seen: list[int] = []

    def program(me: dcube.Node) -> Any:
        yield me.until(6)

    machine = dcube.Machine(2)
    assert machine.run(program, on_step=seen.append).steps == 5 and seen == [1, 2, 3, 4, 5]

    def stop(step: int) -> None:
        if step == 3:
            raise StopAsyncIteration("enough")

    with pytest.raises(StopAsyncIteration, match="enough"):
        machine.run(program, on_step=stop)


def test_machines() -> None:
    machine = dcube.Machine(3, capacity=4, watch=True)
    assert (machine.threads, machine.ports, machine.link, machine.capacity, machine.watch) == (1, "all", None, 4, True)
    assert machine.topology is machine.topology and machine.topology.name == "hypercube:3"
    assert "hypercube:3" in repr(machine)
    assert dcube.Machine(topology=dcube.Topology("ring:4"), ports="one").ports == "one"
    with pytest.raises(TypeError, match="'bytes' is not an argument of Machine"):
        dcube.Machine(3, bytes=4)
    with pytest.raises(dcube.InvalidArgument):
        dcube.Machine(3, topology="ring:4")
    with pytest.raises(TypeError, match="no argument 'ports': that is the machine's"):
        machine.prepare("all-reduce", ports="one")


def test_a_run_inside_a_program_and_a_busy_machine() -> None:
    inner, outer = dcube.Machine(2), dcube.Machine(topology="ring:3")

    def small(me: dcube.Node) -> Any:
        return (yield me.exchange(1, me.id))

    def program(me: dcube.Node) -> Any:
        me.send(0, me.id)
        yield
        below = inner.run(small).results
        with pytest.raises(dcube.InvalidArgument, match="another run is not possible while the machine is running"):
            outer.run(small)
        return below, me.receive(1)

    assert outer.run(program).results == [([2, 3, 0, 1], (n - 1) % 3) for n in range(3)]


@pytest.mark.parametrize("network", NETWORKS)
def test_two_threads_see_the_same(network: str) -> None:
    def program(me: dcube.Node) -> Any:
        total = np.array([me.id, 1])
        for _ in range(5):
            for port in range(me.ports):
                me.send(port, total)
            yield
            for port in range(me.ports):
                total = total + me.receive(port) % 1000
            me.count("rounds")
        return total.tolist()

    runs = [dcube.Machine(topology=network, threads=threads).run(program, trace=True) for threads in (1, 2)]
    assert runs[0].results == runs[1].results and runs[0].trace == runs[1].trace
    assert {**runs[0].row(), "wall_seconds": 0} == {**runs[1].row(), "wall_seconds": 0}

    def broken(me: dcube.Node) -> Any:
        yield
        if me.id > 1:
            raise LookupError(me.id)

    for threads in (1, 2):
        with pytest.raises(LookupError, match="2"):
            dcube.Machine(topology=network, threads=threads).run(broken)


def test_destructors_may_run_anywhere() -> None:
    class Nasty(np.ndarray):
        me: Any = None

        def __del__(self) -> None:
            if self.me is not None:
                for call in (lambda: self.me.send(0, np.zeros(99)), lambda: self.me.receive(0)):
                    try:
                        call()
                    except Exception:
                        pass

    def program(me: dcube.Node) -> Any:
        for _ in range(5):
            mine = np.zeros(50).view(Nasty)
            mine.me = me
            me.send(0, mine, copy=False)
            del mine
            yield
            me.receive(0)

    try:
        run_pair(program)
    except dcube.RuleViolation:
        pass


def test_objects_are_given_back() -> None:
    kept: list[weakref.ref[Any]] = []

    class Big:
        pass

    def program(me: dcube.Node) -> Any:
        big, array = Big(), np.zeros(10)
        kept.extend([weakref.ref(big), weakref.ref(array), weakref.ref(me)])
        me.send(0, array, copy=False)
        yield
        me.receive(0)
        if me.id == fails:
            raise LookupError
        yield

    for fails, trace in itertools.product((None, 1), (False, True)):
        try:
            dcube.Machine(2).run(program, trace=trace)
        except LookupError:
            pass
    assert len(kept) == 48 and all(ref() is None for ref in kept)


def test_a_forgotten_yield_in_a_sum_is_told_in_a_note() -> None:
    def forgetful(me: dcube.Node) -> Any:
        total = me.id
        total += me.exchange(0, total)
        yield

    with pytest.raises(TypeError, match="unsupported operand") as caught:
        run_pair(forgetful)
    assert notes(caught.value)[0].startswith("dcube: node 0 has called me.exchange and not yielded it")
    assert notes(caught.value)[1:] == ["dcube: at node 0, in step 1"]
    assert run_pair(lambda me: (yield me.exchange(0, me.id))).results == [1, 0]


def test_what_beginners_give() -> None:
    def far(me: dcube.Node) -> Any:
        me.send(me.topology.port_between(me.id, me.id ^ 3), 1)  # type: ignore[arg-type]
        yield

    machine = dcube.Machine(2)
    with pytest.raises(TypeError, match="a port is an int, not None: port_between"):
        machine.run(far)
    with pytest.raises(TypeError, match=r"run\(program\), not run\(program\(\.\.\)\)"):
        machine.run(far(None))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="topology='ring:5'"):
        dcube.Machine("torus:3x3")  # type: ignore[arg-type]


def test_what_machines_and_runs_say_of_themselves() -> None:
    def noble(me: dcube.Node) -> Any:
        yield

    assert repr(dcube.Machine(2)) == "<dcube.Machine: hypercube:2, ports all>"
    timed = dcube.Machine(topology="ring:5", tau="1/2", beta=3)
    assert repr(timed) == "<dcube.Machine: ring:5, ports all, tau 1/2 ns per byte, beta 3 ns per packet>"
    assert repr(dcube.Machine(2).prepare("all-reduce")) == "<dcube.Prepared: all-reduce by exchange-one-port, 2 steps>"
    with pytest.raises(TypeError, match="with one for each node, not int"):
        timed.run(noble, 5)  # type: ignore[arg-type]
    assert repr(timed.run(noble)).startswith("<ProgramRun of noble on ring:5: ")


def test_notebooks_show_notes() -> None:
    shell = pytest.importorskip("IPython.core.interactiveshell").InteractiveShell
    del shell  # dcube looks whether IPython is there at all

    def divide(me: dcube.Node) -> Any:
        yield
        return 1 // (me.id - 1)

    from IPython.testing.globalipapp import get_ipython  # type: ignore[import-not-found, unused-ignore]

    get_ipython()
    try:
        run_pair(divide)
    except ZeroDivisionError as error:
        shown = "\n".join(error._render_traceback_())  # type: ignore[attr-defined]
    assert "ZeroDivisionError" in shown and "(me.id - 1)" in shown
    assert shown.count("dcube: at node 1, in step 2") == 1


@pytest.mark.parametrize("given, error, message", [
    ({"seed": 2**64}, dcube.InvalidArgument, "seed"),
    ({"seed": "x"}, dcube.InvalidArgument, "seed"),
    ({"seed": 1.5}, TypeError, "seed is an int, not float"),
    ({"trace": "yes"}, TypeError, "trace is a bool, not str"),
    ({"failing": ["\ud800"]}, UnicodeEncodeError, "surrogates"),
])
def test_what_a_run_is_given(given: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message) as raised:
        dcube.Machine(1).run(nothing_happens, **given)
    assert "\n" not in str(raised.value)


def nothing_happens(me: dcube.Node) -> Any:
    yield


def test_objects_that_were_never_made() -> None:
    for type_ in (dcube.Topology, dcube.Machine, dcube.Prepared):
        unmade = type_.__new__(type_)  # type: ignore[call-overload]
        for use in (repr, hash, lambda one: one.steps, lambda one: one.topology, lambda one: one.nodes,
                    lambda one: dcube.run("broadcast", topology=one), lambda one: one.run(nothing_happens)):
            try:
                use(unmade)
            except (TypeError, AttributeError):
                pass
    with pytest.raises(TypeError, match="__init__ has not been called"):
        dcube.Topology.__new__(dcube.Topology).nodes
