"""Collectives on arrays, each against NumPy's own expression."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce as fold
from multiprocessing import shared_memory
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dcube

NETWORKS = ["hypercube:3", "ring:5", "torus:3x3", "ring:3*path:2", "hypercube:3 without 5", "petersen without 0,7"]
TYPES = ["i1", "u2", "f4", "f8", "c16", "?", "M8[ns]", "S5", "U3", ">i4", [("a", "i2"), ("b", "f8"), ("c", "S3")]]
REDUCIBLE = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"]
OPERATIONS = {"sum": np.add, "min": np.minimum, "max": np.maximum, "bit-xor": np.bitwise_xor,
              "bit-and": np.bitwise_and, "bit-or": np.bitwise_or, "prod": np.multiply}

Array = np.ndarray[Any, Any]


def some(dtype: Any, *shape: int) -> Array:
    """Bytes of all kinds, NaN payloads included."""
    kind = np.dtype(dtype)
    random = np.random.default_rng(len(shape) + kind.itemsize)
    if kind.kind == "U":  # not all numbers are characters
        return random.integers(0, 1000, shape).astype(kind)
    high = 2 if kind.kind == "b" else 256
    return random.integers(0, high, (*shape, kind.itemsize), dtype="u1").view(kind)[..., 0]


def members(topology: dcube.Topology) -> list[int]:
    return [node for node in range(topology.nodes) if topology.ports(node)]


def check(y: Array, expected: Array, *slots: list[int]) -> None:
    """The same bytes in the slots of nodes that are there, and 0 in the others."""
    assert y.dtype == expected.dtype and y.shape == expected.shape
    there = np.ix_(*slots)
    assert y[there].tobytes() == expected[there].tobytes()
    rest = y.copy()
    rest[there] = np.zeros((), y.dtype)
    assert not any(rest.tobytes())


@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_bytes_are_moved(network: str, dtype: Any) -> None:
    t = dcube.Topology(network)
    n, all_of = t.nodes, members(t)
    root = all_of[-1]
    x, messages = some(dtype, n, n, 2, 3), some(dtype, n, 2, 3)
    check(dcube.all_to_all(x, topology=t), x.swapaxes(0, 1), all_of, all_of)
    check(dcube.all_to_all(x, topology=t, packets=2), x.swapaxes(0, 1), all_of, all_of)
    check(dcube.all_gather(messages, topology=t), np.broadcast_to(messages, (n, n, 2, 3)), all_of, all_of)
    check(dcube.broadcast(messages[0], root, topology=t), np.broadcast_to(messages[0], (n, 2, 3)), all_of)
    check(dcube.scatter(messages, root, topology=t, packets=3), messages, all_of)
    check(dcube.gather(messages, root, topology=t), messages, all_of)
    targets = list(range(n))
    for a, b in zip(all_of, all_of[1:] + all_of[:1]):
        targets[a] = b
    moved = messages[np.argsort(targets)]
    check(dcube.permute(messages, targets, topology=t), moved, all_of)
    assert dcube.send(messages[0], root, all_of[0], topology=t).tobytes() == messages[0].tobytes()
    for a, b in [(root, all_of[0]), (all_of[0], root)]:
        assert dcube.exchange(messages[:2], a, b, topology=t).tobytes() == messages[:2][::-1].tobytes()


@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize("dtype", REDUCIBLE)
def test_reductions(network: str, dtype: str) -> None:
    t = dcube.Topology(network)
    n, all_of = t.nodes, members(t)
    kind = np.dtype(dtype)
    random = np.random.default_rng(1)
    x = random.integers(0, 120, (n, n, 4)).astype(kind)  # sums of integers wrap around, those of floats are exact
    for op, function in OPERATIONS.items():
        if op.startswith("bit-") and kind.kind == "f":
            with pytest.raises(dcube.InvalidArgument, match=op):
                dcube.all_reduce(x, op, topology=t)
            continue
        if op == "prod" and kind.kind == "f":
            continue  # these products are not exact
        sums = fold(function, [x[i] for i in all_of])
        assert sums.dtype == kind
        check(dcube.reduce_scatter(x, op, topology=t), sums, all_of)
        check(dcube.all_reduce(x, op, topology=t), np.broadcast_to(sums, x.shape), all_of)
        total = dcube.reduce(x, op, all_of[-1], topology=t, packets=2)
        assert total.dtype == kind and total.tobytes() == sums.tobytes()


@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize("dtype", ["f4", "f8", "f2"])
def test_averages_are_sums_divided_once(network: str, dtype: str) -> None:
    t = dcube.Topology(network)
    n, all_of = t.nodes, members(t)
    x = np.random.default_rng(2).integers(-50, 50, (n, n, 4)).astype(dtype)
    mean = fold(np.add, [x[i] for i in all_of]) / x.dtype.type(len(all_of))
    check(dcube.reduce_scatter(x, "avg", topology=t), mean, all_of)
    check(dcube.all_reduce(x, "avg", topology=t), np.broadcast_to(mean, x.shape), all_of)
    y = x.copy()
    dcube.all_reduce(y, "avg", topology=t, out=y)
    assert y[all_of].tobytes() == np.broadcast_to(mean, x.shape)[all_of].tobytes()
    assert dcube.reduce(x, "avg", all_of[-1], topology=t).tobytes() == mean.tobytes()
    with pytest.raises(dcube.InvalidArgument, match="avg of int32"):
        dcube.all_reduce(x.astype("i4"), "avg", topology=t)
    with pytest.raises(dcube.InvalidArgument, match="is not possible for scan"):
        dcube.scan(x, "avg", topology=t)


@pytest.mark.parametrize("network", [*NETWORKS, "mesh:3x2", "hypercube:4"])
@pytest.mark.parametrize("packets", [1, 3])
def test_scans(network: str, packets: int) -> None:
    t = dcube.Topology(network)
    n, all_of = t.nodes, members(t)
    x = np.random.default_rng(3).integers(-2**31, 2**31, (n, 3)).astype("i4")
    for op, function in [("sum", np.add), ("max", np.maximum), ("bit-xor", np.bitwise_xor), ("prod", np.multiply)]:
        up_to, before = np.zeros_like(x), np.zeros_like(x)
        up_to[all_of] = function.accumulate(x[all_of], dtype="i4")
        before[all_of[1:]] = up_to[all_of[:-1]]
        check(dcube.scan(x, op, topology=t, packets=packets), up_to, all_of)
        check(dcube.exscan(x, op, topology=t, packets=packets), before, all_of[1:])
        out = np.full_like(x, 7)
        dcube.exscan(x, op, topology=t, packets=packets, out=out)
        assert (out[all_of[0]] == 7).all() and (out[all_of[1:]] == before[all_of[1:]]).all()
        y = x.copy()
        dcube.scan(y, op, topology=t, packets=packets, out=y)
        assert (y[all_of] == up_to[all_of]).all()


@pytest.mark.parametrize("network, within", [("hypercube:4", "0,1"), ("hypercube:4", "1,3"), ("torus:3x4", "0"),
                                             ("torus:3x4", "1")])
def test_groups(network: str, within: str) -> None:
    t = dcube.Topology(network)
    groups = dcube.Group(t, within)
    n, size = t.nodes, groups.size
    mates = np.array([[groups.node(groups.number(v), r) for r in range(size)] for v in range(n)])
    assert all(mates[v, groups.rank(v)] == v for v in range(n)) and groups.count * size == n
    x = np.random.default_rng(4).integers(-2**31, 2**31, (n, size, 3)).astype("i4")
    own = x[:, 0]
    ranks = np.array([groups.rank(v) for v in range(n)])
    y, report = dcube.all_to_all(x, topology=t, within=within, return_report=True)
    assert (y == x[mates, ranks[:, None]]).all()
    assert report.within == groups.within
    alone = dcube.all_to_all(np.zeros((size, size)), topology=groups.network, return_report=True)[1]
    assert report.steps == alone.steps
    assert (dcube.all_gather(own, topology=t, within=within) == own[mates]).all()
    assert (dcube.all_reduce(own, "bit-xor", topology=t, within=within)
            == np.bitwise_xor.reduce(own[mates], axis=1)).all()
    assert (dcube.reduce_scatter(x, topology=t, within=within)
            == x[mates, ranks[:, None]].sum(axis=1, dtype="i4")).all()
    prefixes = np.add.accumulate(own[mates], axis=1, dtype="i4")
    assert (dcube.scan(own, topology=t, within=within) == prefixes[np.arange(n), ranks]).all()
    rotated = dcube.permute(own, list(range(1, size)) + [0], topology=t, within=within)
    assert (rotated[mates[:, 1]] == own[mates[:, 0]]).all()
    for refused in (lambda: dcube.broadcast(own[0], topology=t, within=within),
                    lambda: dcube.scatter(own, topology=t, within=within),
                    lambda: dcube.send(own[0], 0, 1, topology=t, within=within)):
        with pytest.raises(dcube.InvalidArgument, match="within"):
            refused()
    with pytest.raises(dcube.InvalidArgument, match="within 9 is not possible"):
        dcube.Group(t, "9")
    assert dcube.run("barrier", topology=t, within=within).transmissions % groups.count == 0


@pytest.mark.parametrize("layout", ["rows", "rows-striped", "rows-blocked-gray", "rows-striped-gray", "submatrices"])
@pytest.mark.parametrize("network", ["hypercube:2", "ring:3", "torus:2x2", "hypercube:3 without 5"])
def test_matrices(layout: str, network: str) -> None:
    t = dcube.Topology(network)
    if t.members & (t.members - 1) and ("gray" in layout or layout == "submatrices"):
        with pytest.raises(dcube.InvalidArgument, match="nodes"):
            dcube.transpose(np.zeros((42, 42)), layout, topology=t)
        return
    rows, columns = t.members * 2, t.members * 3
    for dtype in ["i1", ">u2", "f8", "c8", "M8[s]", "S4"]:
        x = some(dtype, rows, columns)
        for y, expected in [
            (dcube.transpose(x, layout, topology=t), x.T),
            (dcube.quarter_turn(x, layout, topology=t), np.rot90(x, -1)),
            (dcube.half_turn(x, layout, topology=t), x[::-1, ::-1]),
        ]:
            assert y.dtype == x.dtype and y.shape == expected.shape and y.tobytes() == expected.tobytes()
        if layout.startswith("rows"):
            assert dcube.relayout(x, layout, "rows-striped", topology=t).tobytes() == x.tobytes()
    square = some("f4", rows, rows)
    expected = square.T.copy()
    assert dcube.transpose(square, layout, topology=t, out=square) is square
    assert square.tobytes() == expected.tobytes()
    with pytest.raises(TypeError, match="16 bytes"):
        dcube.transpose(np.zeros((rows, rows), "c16"), layout, topology=t)
    with pytest.raises(dcube.InvalidArgument, match="two axes"):
        dcube.transpose(np.zeros(rows), layout, topology=t)


def test_the_network_is_axis_0s_hypercube() -> None:
    x = some("i4", 8, 8)
    y, report = dcube.all_to_all(x, return_report=True)
    assert (y == x.T).all() and report.topology == "hypercube:3" and report.bytes == 4 and not report.verified
    assert report.question["collective"] == "all-to-all"
    with pytest.raises(dcube.InvalidArgument, match=r"topology='ring:6'"):
        dcube.all_to_all(some("i4", 6, 6))
    for call in [lambda: dcube.broadcast(x), lambda: dcube.send(x, 0, 1), lambda: dcube.exchange(x[:2], 0, 1),
                 lambda: dcube.transpose(x)]:
        with pytest.raises(dcube.InvalidArgument, match="topology"):
            call()
    with pytest.raises(dcube.InvalidArgument, match="no axis"):
        dcube.all_gather(7)
    assert (dcube.broadcast(7, dim=2) == np.full(4, 7)).all()
    assert dcube.reduce(np.arange(4), root=3).shape == ()
    assert dcube.all_to_all([[1]]) == [[1]]


def test_arrays_that_are_no_c_contiguous_ones() -> None:
    x = some("f8", 8, 8, 5)
    for view in [np.asfortranarray(x), x[:, :, ::2], x[::-1], x.swapaxes(0, 1), np.broadcast_to(x[0], x.shape)]:
        kept = view.copy()
        y = dcube.all_to_all(view)
        assert y.flags.c_contiguous and y.tobytes() == np.ascontiguousarray(view.swapaxes(0, 1)).tobytes()
        assert view.tobytes() == kept.tobytes()
    unaligned = np.frombuffer(b"x" + x.tobytes(), "u1")[1:].view("f8").reshape(x.shape)
    assert dcube.all_to_all(unaligned).tobytes() == x.swapaxes(0, 1).tobytes()
    sums = dcube.all_reduce(np.frombuffer(b"x" + bytes(64), "u1")[1:].view("i8"), dim=3)
    assert not sums.any()
    x.flags.writeable = False
    assert dcube.all_to_all(x).tobytes() == x.swapaxes(0, 1).tobytes()


def test_an_array_given_as_out_is_filled_and_returned() -> None:
    x = some("i4", 4, 4, 3)
    out = np.empty_like(x)
    assert dcube.all_to_all(x, out=out) is out and (out == x.swapaxes(0, 1)).all()
    y, report = dcube.all_to_all(x, out=out, return_report=True)
    assert y is out and report.collective == "all-to-all"

    def refused(error: type[Exception], text: str, wrong: Any) -> None:
        with pytest.raises(error, match=text):
            dcube.all_to_all(x, out=wrong)

    refused(dcube.InvalidArgument, r"\(4, 4\): \(4, 4, 3\) is needed", np.empty((4, 4), "i4"))
    refused(TypeError, "int32 are needed", np.empty(x.shape, "f4"))
    refused(TypeError, ">i4", np.empty(x.shape, ">i4"))
    refused(TypeError, "not list", [1])
    refused(dcube.InvalidArgument, "C-contiguous", np.asfortranarray(x))
    memory = np.empty(2 * x.size, x.dtype)
    x = memory[: x.size].reshape(x.shape)
    refused(dcube.InvalidArgument, "overlap", memory[1 : 1 + x.size].reshape(x.shape))
    out.flags.writeable = False
    refused(dcube.InvalidArgument, "read-only", out)
    with pytest.raises(dcube.InvalidArgument, match="out overlaps x: they must be apart$"):
        dcube.scatter(x, out=x)


@pytest.mark.parametrize("network", NETWORKS)
def test_in_place(network: str) -> None:
    t = dcube.Topology(network)
    n, all_of = t.nodes, members(t)
    there = np.ix_(all_of, all_of)

    def same(call: Callable[..., Any], x: Array, expected: Array, *arguments: Any) -> None:
        assert call(x, *arguments, topology=t, out=x) is x
        assert x[all_of].tobytes() == expected[all_of].tobytes()

    x = some("i4", n, n, 3)
    y = x.copy()
    assert dcube.all_to_all(y, topology=t, out=y) is y
    assert (y[there] == x.swapaxes(0, 1)[there]).all()
    same(dcube.all_reduce, x[:, 0].copy(), np.broadcast_to(x[all_of, 0].sum(0, dtype="i4"), (n, 3)))
    targets = list(range(n))
    targets[all_of[0]], targets[all_of[1]] = all_of[1], all_of[0]
    same(dcube.permute, x[0].copy(), x[0][targets], targets)
    pair = x[:2].copy()
    assert dcube.exchange(pair, all_of[0], all_of[1], topology=t, out=pair) is pair
    assert (pair == x[1::-1]).all()
    y = x.copy()
    own = x[range(n), range(n)]
    assert dcube.all_gather(y, topology=t, out=y) is y
    assert (y[there] == np.broadcast_to(own, x.shape)[there]).all()
    y = x.copy()
    assert dcube.reduce_scatter(y, topology=t, out=y) is y
    assert (y[all_of, all_of] == x[all_of].sum(0, dtype="i4")[all_of]).all()


def test_the_reports_question_can_be_asked_again() -> None:
    x = some("i4", 8, 8, 6)
    slow = dcube.Machine(3, tau=1, beta="5/2")
    y = x.copy()
    reports = [
        dcube.all_to_all(x, machine=slow, packets=3, return_report=True)[1],
        dcube.all_to_all(y, out=y, return_report=True)[1],
        dcube.reduce(x, "min", 5, return_report=True)[1],
        dcube.permute(x, list(range(7, -1, -1)), topology="ring:8", return_report=True)[1],
        dcube.exchange(x[:2], 6, 1, dim=3, return_report=True)[1],
        dcube.relayout(x[:, :, 0], "rows", "rows-striped", dim=3, machine="ncube3", return_report=True)[1],
    ]
    for report in reports:
        again = dcube.run(**report.question)
        assert again.verified and not report.verified
        for key in ["topology", "packets", "in_place", "algorithm", "steps", "transmissions", "virtual_time_ns"]:
            assert again.get(key) == report.get(key), key


def test_calls_on_a_machine_use_its_network() -> None:
    machine = dcube.Machine(topology="torus:3x3")
    x = some("f8", 9, 9, 2)
    for _ in range(3):
        y, report = dcube.all_to_all(x, machine=machine, return_report=True)
        assert y.tobytes() == x.swapaxes(0, 1).tobytes() and report.topology == "torus:3x3"
    with pytest.raises(dcube.InvalidArgument, match=r"\(8, 8\).*9 nodes"):
        dcube.all_to_all(some("f8", 8, 8), machine=machine)
    for given in [{"dim": 3}, {"topology": "ring:9"}, {"tau": 1}, {"threads": 2}]:
        with pytest.raises(dcube.InvalidArgument, match="machine's"):
            dcube.all_to_all(x, machine=machine, **given)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not int"):
        dcube.all_to_all(x, machine=3)  # type: ignore[call-overload]
    slow = dcube.Machine(3, tau=1, beta="5/2")
    _, report = dcube.all_to_all(x[:8, :8], machine=slow, return_report=True)
    assert report.virtual_time_ns > 0 and report.tau_ns_per_byte == 1
    _, report = dcube.all_to_all(x[:8, :8], tau=1, beta="5/2", return_report=True)
    assert report.virtual_time_ns > 0


@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize("links", [{}, {"ports": "one"}, {"tau": 1, "beta": 2}], ids=str)
def test_messages_without_bytes_are_not_sent(network: str, links: dict[str, Any]) -> None:
    t = dcube.Topology(network)
    n, root = t.nodes, members(t)[-1]
    x, xx = np.empty((n, 0), "f8"), np.empty((n, n, 3, 0), "i4")
    about: Any = {"topology": t, "return_report": True, **links}
    targets = list(range(n))
    for result, report in [
        (xx.shape, dcube.all_to_all(xx, **about)), (xx.shape, dcube.all_to_all(xx, out=xx, **about)),
        ((n, n, 0), dcube.all_gather(x, **about)), (x.shape, dcube.all_reduce(x, **about)),
        (x.shape, dcube.all_reduce(x, "max", out=x, packets=5, **about)),
        (x.shape, dcube.all_reduce(x, packets=0, **about)),
        ((n, 3, 0), dcube.reduce_scatter(xx, **about)), ((0,), dcube.reduce(x, "min", root, **about)),
        ((n, 0), dcube.broadcast(x[0], root, **about)), (x.shape, dcube.scatter(x, root, **about)),
        (x.shape, dcube.gather(x, root, **about)), ((0,), dcube.send(x[0], root, members(t)[0], **about)),
        (x.shape, dcube.permute(x, targets, **about)), ((n, n), dcube.all_to_all(np.zeros((n, n), "V0"), **about)),
    ]:
        y, told = report
        assert y.shape == result and (told.steps, told.transmissions) == (0, 0)
        assert told.steps_lower_bound in (0, None)
        assert told.link_bytes == 0 and told.virtual_time_ns in (0, None)


def test_what_is_refused() -> None:
    x = some("i4", 8, 8, 3)
    for call in [dcube.all_to_all, dcube.all_gather, dcube.all_reduce, dcube.scatter]:
        with pytest.raises(TypeError, match="object"):
            call(np.array([{}, []] * 4, dtype=object))
        with pytest.raises(TypeError, match="object"):
            call(np.zeros((8, 8), [("a", "i4"), ("b", "O")]))
        with pytest.raises(dcube.InvalidArgument, match="x has 0 nodes on its axis 0, which are no hypercube"):
            call(np.zeros((0, 0)))
        with pytest.raises(TypeError, match="lots"):
            call(x, lots=1)
        for key in ["bytes", "type", "repeat"]:
            with pytest.raises(TypeError, match=f"{key} is no argument here"):
                call(x, **{key: 1})
        with pytest.raises(dcube.InvalidArgument, match="packets 7 is not possible: a message"):
            call(x, packets=7)
        with pytest.raises(dcube.InvalidArgument, match="packets 0 is too small: a message"):
            call(x, packets=0)
        with pytest.raises(dcube.InvalidArgument, match="nosuch"):
            call(x, algorithm="nosuch")
    for call in [dcube.all_to_all, dcube.reduce_scatter]:
        for shape in [(8,), (8, 7), (8, 9, 2)]:
            with pytest.raises(dcube.InvalidArgument, match=r"it is \(8, 8, ...\)"):
                call(np.zeros(shape), dim=3)
    with pytest.raises(dcube.InvalidArgument, match=r"\(2, ...\)"):
        dcube.exchange(x, 0, 1, dim=3)
    for node in [8, -1]:
        with pytest.raises(dcube.InvalidArgument, match="0 to 7"):
            dcube.broadcast(x, node, dim=3)
        with pytest.raises(dcube.InvalidArgument, match="0 to 7"):
            dcube.send(x, 0, node, dim=3)
    for dtype in ["?", "c8", "M8[s]", "S1", ">i4", "g"]:
        with pytest.raises(TypeError, match="int8, int16.*float64, float16 can"):
            dcube.all_reduce(np.zeros((8, 2), dtype))
    with pytest.raises(dcube.InvalidArgument, match="whole elements"):
        dcube.all_reduce(np.zeros((8, 3)), packets=2)
    with pytest.raises(dcube.InvalidArgument, match="product"):
        dcube.all_reduce(x, "product")
    with pytest.raises(dcube.InvalidArgument, match="permutation"):
        dcube.permute(x, [0, 0, 1, 2, 3, 4, 5, 6])


def test_masks_are_not_lost() -> None:
    masked = np.ma.masked_array(np.arange(4.0), mask=[0, 1, 0, 0])
    plain = np.arange(4.0)
    for x in (masked, [masked] * 4, np.ma.masked_array(plain), [[0, 1], [2, np.ma.masked]]):
        with pytest.raises(TypeError, match="x has a mask, which would be lost: fill it first"):
            dcube.all_reduce(x)
    assert (dcube.all_reduce(masked.filled(0)) == 5).all()
    with pytest.raises(TypeError, match="out has a mask"):
        dcube.all_reduce(plain, out=np.ma.zeros(4))
    with pytest.raises(TypeError, match="permutation is a masked array"):
        dcube.permute(plain, np.ma.arange(4))

    def program(me, total):  # type: ignore[no-untyped-def]
        for call in [lambda: me.send(0, masked), lambda: me.send(0, masked, copy=False),
                     lambda: me.send(0, np.ma.masked), lambda: me.exchange(0, plain, np.ma.zeros(4)),
                     lambda: me.copy(np.ma.zeros(4), plain),
                     lambda: me.copy(plain, masked), lambda: me.combine(0, masked), lambda: me.receive(0, masked),
                     lambda: total(me, masked, plain), lambda: total(me, plain, masked)]:
            with pytest.raises(TypeError, match="is a masked array, whose mask would be lost: fill it first"):
                call()
        yield

    machine = dcube.Machine(1)
    total = machine.prepare("all-reduce", bytes=32, type="float64")
    machine.run(program, [total, total])


def test_arrays_of_other_classes_count_as_their_elements() -> None:
    for kind in (np.matrix, np.recarray):
        x = np.array([[1, 2], [3, 4]]).view(kind)
        y = dcube.all_to_all(x)
        assert type(y) is np.ndarray and y.tolist() == [[1, 3], [2, 4]]


def test_two_maps_of_one_file(tmp_path: Path) -> None:
    file = tmp_path / "x"
    np.arange(64.0 * 3).tofile(file)

    def mapped(name: Path, mode: Any, offset: int = 0) -> Array:
        return np.memmap(name, "f8", mode, offset, (8, 8))

    x = mapped(file, "r")
    expected = x.T.copy()
    for out in (mapped(file, "r+"), mapped(file, "r+")[:], mapped(file, "r+", 8 * 63)):
        with pytest.raises(dcube.InvalidArgument, match="the same bytes of a file .*, or out=x, one array"):
            dcube.all_to_all(x, out=out)
    (tmp_path / "other").write_bytes(bytes(512))
    for out in (mapped(file, "r+", 8 * 64), mapped(tmp_path / "other", "r+"), np.empty((8, 8))):
        assert (dcube.all_to_all(x, out=out) == expected).all()
    both = mapped(file, "r+")
    assert (dcube.all_to_all(both, out=both) == expected).all()


def test_two_views_of_shared_memory() -> None:
    memory = shared_memory.SharedMemory(create=True, size=512)
    try:
        again = shared_memory.SharedMemory(memory.name)
        x, out = np.ndarray((8, 8), "f8", memory.buf), np.ndarray((8, 8), "f8", again.buf)
        with pytest.raises(dcube.InvalidArgument, match="shared memory"):
            dcube.all_to_all(x, out=out)
        del x, out
        again.close()
    finally:
        memory.close()
        memory.unlink()


def test_an_array_in_use_is_not_resized() -> None:
    """What another thread may do meanwhile, done by the programs themselves."""
    refused = []

    def resize(*arrays: Array) -> None:
        for array in arrays:
            try:
                array.resize((1,), refcheck=False)
            except ValueError as error:
                refused.append(str(error))

    whole = np.zeros((2, 4))
    out = whole[:]

    @dcube.algorithm("all-gather")
    def gather(me, mine, mine_too):  # type: ignore[no-untyped-def]
        resize(whole, out)
        me.copy(mine_too[me.id], mine)
        me.send(0, mine)
        yield
        me.receive(0, mine_too[1 - me.id])

    x = np.arange(4.0).reshape(2, 2)
    assert (dcube.all_gather(x, out=out.reshape(2, 2, 2), algorithm=gather) == x).all()
    assert len(refused) == 4
    refused.clear()

    machine = dcube.Machine(1)
    total = machine.prepare("all-reduce", bytes=32, type="float64")
    arrays = [(np.ones(4), np.zeros(4)) for _ in range(2)]

    def program(me):  # type: ignore[no-untyped-def]
        pause = total(me, *arrays[me.id])
        resize(*arrays[me.id])
        yield pause
        return arrays[me.id][1].sum()

    assert machine.run(program).results == [8.0, 8.0]
    assert len(refused) == 4
    arrays[0][0].resize((1,), refcheck=False)  # afterwards it may be


def test_what_is_listed_applies() -> None:
    x = np.arange(8)
    with pytest.raises(TypeError, match="'packet' is not an argument: did you mean packets") as listed:
        dcube.all_reduce(x, packet=1)  # type: ignore[call-overload]
    names = set(str(listed.value).partition("Expected one of ")[2].split(", "))
    assert {"out", "machine", "return_report", "packets", "algorithm", "dim"} <= names
    assert not names & {"bytes", "type", "rows", "columns", "in_place", "repeat"}
    for call, name in [(lambda: dcube.reduce(x, root=1.0), "root"), (lambda: dcube.send(x, 0, "1", dim=3), "b"),
                       (lambda: dcube.all_reduce(x, packets=2.0), "packets"), (lambda: dcube.scatter(x, True), "root")]:
        with pytest.raises(TypeError, match=f"^{name} is an int, not "):
            call()
    with pytest.raises(dcube.InvalidArgument, match="permutation: -1 is no node: nodes are 0, 1, 2"):
        dcube.permute(x, x - 1)


def test_named_algorithms_and_permutations() -> None:
    x = some("u2", 16, 16)
    known = dcube.algorithms("all-to-all")
    names = [a["name"] for a in known if a["networks"] == "hypercubes" and a["link_model"] == "unit"]
    assert len(names) > 1
    for name in names:
        y, report = dcube.all_to_all(x, algorithm=name, return_report=True)
        assert (y == x.T).all() and name in report.algorithm
    y = dcube.permute(x[0], "bit-reversal")
    assert sorted(y) == sorted(x[0]) and (y != x[0]).any()


def test_nan_payloads() -> None:
    bits = 0x7FF0_0000_0000_0001 + np.arange(64, dtype="u8").reshape(8, 8)
    x = bits.view("f8")
    assert (dcube.all_to_all(x).view("u8") == bits.T).all()
    assert (dcube.all_gather(x).view("u8") == bits).all()
