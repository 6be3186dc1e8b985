"""Algorithms in Python: right ones, wrong ones, ones that raise, and what a trace knows of them."""

from __future__ import annotations

import gc
import pickle
import sys
import traceback
import weakref
from collections.abc import Generator
from typing import Any

import numpy as np
import pytest

import dcube

NETWORKS = ["hypercube:3", "ring:5", "torus:3x3", "hypercube:3 without 5"]


def tree(me: Any, root: int) -> tuple[dict[int, int], dict[int, list[int]]]:
    """Of a tree of shortest paths to the root: each node's parent, and its children."""
    t = me.topology
    parent = {}
    for node in range(t.nodes):
        if node != root and t.ports(node):
            near = [other for other in t.neighbours(node) if t.distance(other, root) < t.distance(node, root)]
            parent[node] = min(near)
    children: dict[int, list[int]] = {}
    for node, above in parent.items():
        children.setdefault(above, []).append(node)
    return parent, children


def order(me: Any, root: int) -> list[int]:
    parent, _ = tree(me, root)
    return sorted([root, *parent], key=lambda node: (me.topology.distance(node, root), node))


def port(me: Any, to: int) -> int:
    found = me.topology.port_between(me.id, to)
    assert found is not None
    return int(found)


def path(me: Any, a: int, b: int) -> list[int]:
    """From a to b, over a tree of shortest paths to b."""
    parent, _ = tree(me, b)
    nodes = [a]
    while nodes[-1] != b:
        nodes.append(parent[nodes[-1]])
    return nodes


def carry(me: Any, nodes: list[int], what: Any, out: Any) -> Generator[Any, Any, None]:
    """One message along a path, a link a step; every node takes part, and the last one has it in `out`."""
    for a, b in zip(nodes, nodes[1:]):
        if me.id == a:
            me.send(port(me, b), what)
        yield
        if me.id == b:
            if b == nodes[-1]:
                me.receive(port(me, a), out)
            else:
                what = me.receive(port(me, a))


def up(me: Any, mine: Any, out: Any, root: int, operation: str) -> Generator[Any, Any, None]:
    """The sum of all at the root, leaves first."""
    parent, children = tree(me, root)
    total = out if out is not None and me.id == root else np.empty_like(mine)
    me.copy(total, mine)
    for node in reversed(order(me, root)[1:]):
        if me.id == node:
            me.send(port(me, parent[node]), total)
        yield
        if me.id == parent[node]:
            me.combine(port(me, node), total, operation)


def down(me: Any, out: Any, root: int) -> Generator[Any, Any, None]:
    """The root's `out` to all."""
    parent, _ = tree(me, root)
    for node in order(me, root)[1:]:
        if me.id == parent[node]:
            me.send(port(me, node), out)
        yield
        if me.id == node:
            me.receive(port(me, parent[node]), out)


ROOT = 2


@dcube.algorithm("broadcast")
def my_broadcast(me, mine, out):  # type: ignore[no-untyped-def]
    """Down a tree, one link a step."""
    if me.id == ROOT:
        me.copy(out, mine)
    yield from down(me, out, ROOT)


@dcube.algorithm("reduce")
def my_reduce(me, mine, out):  # type: ignore[no-untyped-def]
    yield from up(me, mine, out, ROOT, "sum")


@dcube.algorithm("all-reduce")
def my_all_reduce(me, mine, out):  # type: ignore[no-untyped-def]
    yield from up(me, mine, out, 0, "sum")
    yield from down(me, out, 0)


@dcube.algorithm("reduce-scatter")
def my_reduce_scatter(me, mine, out):  # type: ignore[no-untyped-def]
    for root in order(me, 0):
        yield from up(me, mine[root], out, root, "sum")


@dcube.algorithm("scatter")
def my_scatter(me, mine, out):  # type: ignore[no-untyped-def]
    for node in order(me, ROOT):
        if node != ROOT:
            yield from carry(me, path(me, ROOT, node), None if mine is None else mine[node], out)
        elif me.id == ROOT:
            me.copy(out, mine[node])


@dcube.algorithm("gather")
def my_gather(me, mine, out):  # type: ignore[no-untyped-def]
    for node in order(me, ROOT):
        if node != ROOT:
            yield from carry(me, path(me, node, ROOT), mine, None if out is None else out[node])
        elif me.id == ROOT:
            me.copy(out[node], mine)


@dcube.algorithm("all-gather")
def my_all_gather(me, mine, out):  # type: ignore[no-untyped-def]
    me.copy(out[me.id], mine)
    for root in order(me, 0):
        yield from down(me, out[root], root)


@dcube.algorithm("all-to-all")
def my_all_to_all(me, mine, out):  # type: ignore[no-untyped-def]
    me.copy(out[me.id], mine[me.id])
    for a in order(me, 0):
        for b in order(me, 0):
            if a != b:
                yield from carry(me, path(me, a, b), mine[b], out[a])


@dcube.algorithm("permute")
def my_permute(me, mine, out):  # type: ignore[no-untyped-def]
    there = order(me, 0)
    for a in there:
        b = there[len(there) - 1 - there.index(a)]
        if a != b:
            yield from carry(me, path(me, a, b), mine, out)
        elif me.id == a:
            me.copy(out, mine)


@dcube.algorithm("send")
def my_send(me, mine, out):  # type: ignore[no-untyped-def]
    yield from carry(me, path(me, ROOT, 0), mine, out)


@dcube.algorithm("exchange")
def my_exchange(me, mine, out):  # type: ignore[no-untyped-def]
    yield from carry(me, path(me, ROOT, 0), mine, out)
    yield from carry(me, path(me, 0, ROOT), mine, out)


ALL = [my_broadcast, my_reduce, my_all_reduce, my_reduce_scatter, my_scatter, my_gather, my_all_gather, my_all_to_all,
       my_permute, my_send, my_exchange]


def question(algorithm: dcube.Algorithm, network: str) -> dict[str, Any]:
    asked: dict[str, Any] = {"topology": network, "bytes": 16}
    if algorithm.collective in ("broadcast", "reduce", "scatter", "gather", "send", "exchange"):
        asked["root"] = ROOT
    if algorithm.collective in ("send", "exchange"):
        asked["peer"] = 0
    if "reduce" in algorithm.collective:
        asked["type"] = "int32"
    if algorithm.collective == "permute":
        t = dcube.Topology(network)
        there = sorted((n for n in range(t.nodes) if t.ports(n)), key=lambda node: (t.distance(node, 0), node))
        asked["permutation"] = list(range(t.nodes))
        for a, b in zip(there, reversed(there)):
            asked["permutation"][a] = b
    return asked


@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize("algorithm", ALL, ids=lambda algorithm: algorithm.name)
def test_every_collective_is_verified_and_traced(algorithm: dcube.Algorithm, network: str) -> None:
    asked = question(algorithm, network)
    report = dcube.run(algorithm, **asked)
    assert report.verified and report.algorithm == algorithm.name and report.collective == algorithm.collective
    best = dcube.run(algorithm.collective, **asked)
    assert report.steps >= best.steps
    again = dcube.run(algorithm, repeat=2, **asked)
    assert again.steps == report.steps and again.result_digest == report.result_digest == best.result_digest
    page = dcube.view(algorithm, **asked)
    assert algorithm.name in page.html
    if algorithm not in (my_broadcast, my_reduce, my_scatter, my_gather, my_send):
        assert dcube.run(algorithm, in_place=True, **asked).verified
    schedule = dcube.schedule_of(algorithm, **asked)
    assert len(schedule) == report.transmissions
    verdict = dcube.judge(schedule)
    assert (verdict["steps"], verdict["transmissions"]) == (report.steps, report.transmissions)


def test_groups_are_refused() -> None:
    with pytest.raises(dcube.InvalidArgument, match="within is for dcube's algorithms only"):
        dcube.run(my_all_gather, dim=3, within="0,1")


def test_what_nodes_get() -> None:
    seen: dict[str, Any] = {}

    def shapes(collective: str, **asked: Any) -> dict[int, tuple[Any, Any]]:
        seen.clear()

        @dcube.algorithm(collective)
        def look(me, mine, out):  # type: ignore[no-untyped-def]
            seen[me.id] = [None if a is None else (a.dtype.name, a.shape, a.flags.writeable) for a in (mine, out)]
            assert out is None or not out.any()
            yield

        with pytest.raises(dcube.VerificationError):
            dcube.run(look, dim=2, bytes=8, **asked)
        return dict(seen)

    byte, message, all_of = "uint8", (8,), (4, 8)
    assert shapes("broadcast", root=1)[1] == [(byte, message, False), (byte, message, True)]
    assert shapes("broadcast", root=1)[0] == [None, (byte, message, True)]
    assert shapes("scatter", root=1)[1] == [(byte, all_of, False), (byte, message, True)]
    assert shapes("scatter", root=1)[0] == [None, (byte, message, True)]
    assert shapes("gather", root=1)[1] == [(byte, message, False), (byte, all_of, True)]
    assert shapes("gather", root=1)[0] == [(byte, message, False), None]
    assert shapes("all-gather", packets=3)[0] == [(byte, (24,), False), (byte, (4, 24), True)]
    assert shapes("all-to-all")[3] == [(byte, all_of, False), (byte, all_of, True)]
    assert shapes("reduce", type="float32", root=3)[3] == [("float32", (2,), False), ("float32", (2,), True)]
    assert shapes("reduce", type="float64", root=3)[0] == [("float64", (1,), False), None]
    assert shapes("reduce-scatter", type="int16")[0] == [("int16", (4, 4), False), ("int16", (4,), True)]
    assert shapes("all-reduce", type="uint64")[0] == [("uint64", (1,), False), ("uint64", (1,), True)]
    assert shapes("send", root=1, peer=2) == {
        0: [None, None], 1: [(byte, message, False), None], 2: [None, (byte, message, True)], 3: [None, None]}

    @dcube.algorithm("matrix-transpose")
    def look(me, mine, out):  # type: ignore[no-untyped-def]
        seen[me.id] = (mine.dtype.name, mine.shape, out.shape)
        yield

    with pytest.raises(dcube.VerificationError):
        dcube.run(look, dim=2, rows=8, columns=4, type="int32")
    assert seen[0] == ("int32", (8,), (8,))


def asked_of(collective: str, **asked: Any) -> dict[str, Any]:
    """What node 0 can read of the question."""
    found: dict[str, Any] = {}

    @dcube.algorithm(collective)
    def look(me, mine, out):  # type: ignore[no-untyped-def]
        if me.id == 0:
            for name in ("root", "peer", "operation", "bytes", "packets", "permutation", "rows", "columns", "layout",
                         "to_layout"):
                if hasattr(me, name):
                    found[name] = getattr(me, name)
        yield

    with pytest.raises(dcube.VerificationError):
        dcube.run(look, dim=2, **asked)
    return found


def test_a_program_knows_what_is_asked() -> None:
    assert asked_of("broadcast", root=1, packets=3, bytes=5) == {"root": 1, "packets": 3, "bytes": 5}
    assert asked_of("send", root=1, peer=2) == {"root": 1, "peer": 2, "packets": 1, "bytes": 64}
    assert asked_of("reduce", root=3, operation="max", bytes=8) == {
        "root": 3, "operation": "max", "packets": 1, "bytes": 8}
    assert asked_of("all-gather") == {"packets": 1, "bytes": 64}
    permuted = asked_of("permute", permutation="rotation")["permutation"]
    assert permuted.dtype == np.uint32 and permuted.tolist() == [1, 2, 3, 0]
    assert asked_of("matrix-relayout", rows=8, columns=4, layout="rows-striped", to_layout="rows", type="int32") == {
        "rows": 8, "columns": 4, "layout": "rows-striped", "to_layout": "rows-blocked"}

    def program(me):  # type: ignore[no-untyped-def]
        with pytest.raises(AttributeError, match="there is no root: only algorithms are asked a question"):
            me.root
        yield

    dcube.Machine(1).run(program)

    @dcube.algorithm("all-gather")
    def curious(me, mine, out):  # type: ignore[no-untyped-def]
        yield me.peer

    with pytest.raises(AttributeError, match="all-gather has no peer: send and exchange have two ends"):
        dcube.run(curious, dim=1)


@dcube.algorithm("broadcast", networks="hypercubes")
def doubling(me, mine, out):  # type: ignore[no-untyped-def]
    label = me.id ^ me.root
    if mine is not None:
        me.copy(out, mine)
    for k in range(me.ports):
        if label < 1 << k:
            me.send(k, out)
        yield
        if label >> k == 1:
            me.receive(k, out)


@dcube.algorithm("all-reduce", networks="hypercubes")
def recursive_doubling(me, mine, out):  # type: ignore[no-untyped-def]
    me.copy(out, mine)
    for k in range(me.ports):
        me.send(k, out)
        yield
        me.combine(k, out)


def test_one_program_for_every_root_and_operation() -> None:
    for root in range(8):
        assert dcube.run(doubling, dim=3, root=root).optimal
        assert dcube.compare("broadcast", dim=3, root=root, also=[doubling]).left_out == {}
    for operation in ("sum", "min", "max", "bit-xor"):
        for kind in ("int32", "uint8"):
            assert dcube.run(recursive_doubling, dim=3, type=kind, operation=operation, packets=2).verified
    x = np.arange(12).reshape(4, 3)
    assert (dcube.all_reduce(x, "max", algorithm=recursive_doubling) == x.max(axis=0)).all()

    def sums(me):  # type: ignore[no-untyped-def]
        mine = np.array([me.id])
        me.send(0, mine)
        yield
        return int(me.combine(0, mine)[0])

    assert dcube.Machine(1).run(sums).results == [1, 1]


def test_a_wrong_result_names_what_was_not_read() -> None:
    @dcube.algorithm("broadcast")
    def from_node_0(me, mine, out):  # type: ignore[no-untyped-def]
        if me.id == 0 and mine is not None:
            me.copy(out, mine)
        for port in range(me.ports if me.id == 0 else 0):
            me.send(port, out)
        yield
        if me.id != 0:
            me.receive(0, out)

    assert dcube.run(from_node_0, dim=1).verified
    with pytest.raises(dcube.VerificationError, match="the program has not read me.root, which is 1$"):
        dcube.run(from_node_0, dim=1, root=1)

    @dcube.algorithm("all-reduce")
    def sums(me, mine, out):  # type: ignore[no-untyped-def]
        me.copy(out, mine)
        me.send(0, out)
        yield
        me.combine(0, out, "sum")

    with pytest.raises(dcube.VerificationError, match="has not read me.operation, which is max$"):
        dcube.run(sums, dim=1, type="int32", operation="max")


def test_an_algorithm_that_runs_itself_ends() -> None:
    calls = [0]

    @dcube.algorithm("broadcast")
    def again(me, mine, out):  # type: ignore[no-untyped-def]
        calls[0] += 1
        yield
        dcube.run(again, dim=1)

    with pytest.raises(RecursionError) as caught:
        dcube.run(again, dim=1)
    assert calls[0] < 4 * sys.getrecursionlimit()  # each run's second node does nothing when the first has failed
    assert caught.value.__notes__ == ["dcube: at node 0, in step 2"]


def ring(me, mine, out):  # type: ignore[no-untyped-def]
    """Round the ring."""
    out[me.id] = mine
    packet = mine
    for k in range(1, me.nodes):
        me.send(me.port_to(0, 1), packet)
        yield
        source = (me.id - k) % me.nodes
        packet = me.receive(me.port_to(0, -1), out[source])


def test_names_and_texts() -> None:
    made = dcube.algorithm("all gather", ports="one", name="<b>ring</b>", networks="any but hypercubes")(ring)
    assert (made.collective, made.name, made.summary) == ("all-gather", "<b>ring</b>", "Round the ring.")
    assert (made.ports, made.networks, made.__doc__) == ("one", "any but hypercubes", "Round the ring.")
    assert repr(made) == "Algorithm('<b>ring</b>', for all-gather)"
    report = dcube.run(made, topology="ring:5", ports="one")
    assert report.algorithm == "<b>ring</b>" and report.steps == 4
    assert dcube.run(made, topology="ring:5", tau=1, beta=2).virtual_time_ns == 4 * 66
    assert "<b>ring" not in dcube.view(made, topology="ring:5").html.split("<script")[0]
    with pytest.raises(dcube.InvalidArgument, match="any but hypercubes"):
        dcube.run(made, dim=3)
    many = dcube.algorithm("all-gather")(ring)
    with pytest.raises(dcube.InvalidArgument, match="uses all ports"):
        dcube.run(many, topology="ring:5", ports="one")
    for wrong, text in [(("nosuch",), "nosuch"), (("broadcast", "two"), "two")]:
        with pytest.raises(dcube.InvalidArgument, match=text):
            dcube.algorithm(wrong[0], ports=wrong[-1] if len(wrong) > 1 else "all")(ring)
    with pytest.raises(dcube.InvalidArgument, match="'hypercubes', 'any product'"):
        dcube.algorithm("broadcast", networks="cubes")(ring)
    with pytest.raises(TypeError, match="generator function"):
        dcube.algorithm("broadcast")(lambda me, mine, out: None)
    with pytest.raises(TypeError, match="name of a collective"):
        dcube.algorithm(ring)  # type: ignore[arg-type]
    assert pickle.loads(pickle.dumps(my_broadcast)) is my_broadcast


def test_wrong_results() -> None:
    @dcube.algorithm("all-gather")
    def lazy(me, mine, out):  # type: ignore[no-untyped-def]
        out[me.id] = mine
        yield

    with pytest.raises(dcube.VerificationError, match="node 0"):
        dcube.run(lazy, dim=2)

    @dcube.algorithm("all-gather")
    def rude(me, mine, out):  # type: ignore[no-untyped-def]
        mine[0] = 1
        yield

    with pytest.raises(ValueError, match="read-only"):
        dcube.run(rude, dim=2)


def test_what_a_program_raises_comes_out_of_run_and_view() -> None:
    @dcube.algorithm("all-gather")
    def failing(me, mine, out):  # type: ignore[no-untyped-def]
        yield
        if me.id == 2:
            raise KeyError("mine")

    for call in [dcube.run, dcube.view]:
        with pytest.raises(KeyError, match="mine") as caught:
            call(failing, dim=2)
        assert caught.value.__notes__ == ["dcube: at node 2, in step 2"]
        assert "failing" in [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]

    @dcube.algorithm("all-gather")
    def busy(me, mine, out):  # type: ignore[no-untyped-def]
        me.send(0, mine)
        me.send(0, mine)
        yield

    for call in [dcube.run, dcube.view]:
        with pytest.raises(dcube.RuleViolation) as broken:
            call(busy, dim=2)
        assert (broken.value.rule, broken.value.step, broken.value.node, broken.value.port) == ("link-busy", 1, 0, 0)
        assert "busy" in [frame.name for frame in traceback.extract_tb(broken.value.__traceback__)]
        assert (broken.value.film is not None) == (call is dcube.view)

    calls = dcube.algorithm("all-gather", name="calls")(lambda me, mine, out: (yield 3))
    with pytest.raises(TypeError):
        dcube.run(calls, dim=2)


def test_on_arrays() -> None:
    x = np.arange(40, dtype=">i4").reshape(5, 8)
    gather = dcube.algorithm("all-gather")(ring)
    y, report = dcube.all_gather(x, topology="ring:5", algorithm=gather, return_report=True)
    assert (y == x).all() and y.shape == (5, 5, 8) and report.algorithm == "ring" and report.steps == 4
    machine = dcube.Machine(topology="ring:5")
    for _ in range(2):
        assert (dcube.all_gather(x, machine=machine, algorithm=gather) == x).all()
    with pytest.raises(dcube.InvalidArgument, match="all-gather"):
        dcube.all_to_all(np.zeros((5, 5)), topology="ring:5", algorithm=gather)


def test_threads_take_turns() -> None:
    gather = dcube.algorithm("all-gather")(ring)
    one = dcube.run(gather, topology="ring:40")
    two = dcube.run(gather, topology="ring:40", threads=2)
    assert (one.steps, one.transmissions, one.result_digest) == (two.steps, two.transmissions, two.result_digest)


def test_arrays_may_be_kept_and_nothing_else_is() -> None:
    kept: list[Any] = []

    def keeper(me, mine, out):  # type: ignore[no-untyped-def]
        kept.append((mine, out))
        yield from ring(me, mine, out)

    gather = dcube.algorithm("all-gather")(keeper)
    dcube.run(gather, topology="ring:5", bytes=8, seed=3)
    first = [(mine.copy(), out.copy()) for mine, out in kept]
    dcube.run(gather, topology="ring:5", bytes=8, seed=4)
    for (mine, out), (mine_then, out_then) in zip(kept, first):
        assert (mine == mine_then).all() and (out == out_then).all()
    references = [weakref.ref(out) for _, out in kept] + [weakref.ref(gather), weakref.ref(keeper)]
    report = dcube.run(gather, topology="ring:5")
    del gather, keeper, mine, out, report
    kept.clear()
    gc.collect()
    assert not any(reference() is not None for reference in references)


def test_texts_outlive_the_algorithm() -> None:
    def made(k: int) -> Any:
        return dcube.view(dcube.algorithm("all-gather", name=f"gone-{k}")(ring), topology="ring:5")

    pages = [made(k) for k in range(20)]
    gc.collect()
    for k, page in enumerate(pages):
        assert f"gone-{k}" in page.html
    # Where the whole of what is sent is known, the page says so; NumPy's own assignment is invisible to it.
    assert dcube.compare("all-gather", topology="ring:5", also=[dcube.algorithm("all-gather", name="mine")(ring)])
    assert dcube.compare("all-gather", topology="ring:5", also=dcube.algorithm("all-gather", name="mine")(ring))


@pytest.mark.parametrize("order", [[0, 1, 2, 3, 4, 5, 6, 7], [3, 5, 0, 6, 1, 7, 2, 4]])
def test_an_algorithm_for_hypercubes_runs_on_a_recognised_one(order: list[int]) -> None:
    @dcube.algorithm("all-gather", networks="hypercubes")
    def doubling(me: Any, mine: Any, out: Any) -> Generator[Any, Any, None]:
        assert me.topology == dcube.Topology.hypercube(3) and me.ports == 3
        me.copy(out[me.id], mine)
        for k in range(3):
            have = me.id >> k << k
            me.send(k, out[have:have + (1 << k)])
            yield
            other = have ^ 1 << k
            me.receive(k, out[other:other + (1 << k)])

    edges = [(order[n], order[n ^ 1 << k]) for n in range(8) for k in range(3) if n < n ^ 1 << k]
    cube = dcube.Topology.from_edges(edges)
    report = dcube.run(doubling, topology=cube)
    assert report.verified and report.steps == 3
    assert dcube.compare("all-gather", topology=cube, also=[doubling])[0].verified
    with pytest.raises(dcube.InvalidArgument, match="it is for hypercubes"):
        dcube.run(doubling, topology="ring:8")
