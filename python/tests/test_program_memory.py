"""What node programs leave behind: nothing."""

from __future__ import annotations

import gc
import sys
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dcube

PAGE = 4096


def resident() -> int:
    """Bytes of this process that are in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE


def busy(me: dcube.Node, fails: bool) -> Any:
    total = np.full(500, float(me.id))
    out = np.empty(500)
    for port in range(me.ports):
        me.send(port, total, copy=port % 2 == 0)
        yield
        total = total + me.receive(port, out)
        me.send(port, b"x" * 100)
        me.count("packets", 2)
        yield
        me.receive(port)
    if fails and me.id == 5:
        raise LookupError("now")
    yield
    return total


@pytest.mark.parametrize("trace", [False, True])
@pytest.mark.parametrize("threads", [1, 2])
def test_runs_do_not_grow(trace: bool, threads: int) -> None:
    machine = dcube.Machine(3, threads=threads)

    def once(number: int) -> None:
        try:
            machine.run(busy, [number % 4 == 0] * 8, trace=trace)
        except LookupError:
            pass

    def some(numbers: range) -> None:
        for number in numbers:
            once(number)
        gc.collect()

    some(range(200))
    before, objects = resident(), len(gc.get_objects())
    some(range(800))
    assert resident() - before < 1 << 20
    assert len(gc.get_objects()) - objects < 20


def test_no_reference_is_lost_or_forgotten() -> None:
    shared = np.zeros(3)
    text = b"a rather long text, for a packet" * 4

    def program(me: dcube.Node) -> Any:
        out = np.zeros(3)
        for number in range(20):
            me.send(0, shared, copy=number % 2 == 0)
            me.send(1, text)
            yield
            me.receive(0, out if number % 3 else None)
            assert me.receive(1) is text
            me.copy(out, shared)
        return None

    machine = dcube.Machine(2)
    watched = (shared, text, None, True, machine.topology, program, np.dtype(float))
    counts = [sys.getrefcount(one) for one in watched]
    for trace in (False, True):
        for _ in range(10):
            machine.run(program, trace=trace)
    gc.collect()
    assert [abs(sys.getrefcount(one) - count) < 15 for one, count in zip(watched, counts)] == [True] * len(watched)


def test_a_failed_program_is_kept_by_its_traceback_only() -> None:
    class Big:
        pass

    kept: list[weakref.ref[Big]] = []

    def program(me: dcube.Node) -> Any:
        big = Big()
        kept.append(weakref.ref(big))
        yield
        raise LookupError(big)

    try:
        dcube.Machine(2).run(program)
    except LookupError as error:
        found = error
    assert [ref() is not None for ref in kept] == [True, False, False, False]
    del found
    gc.collect()
    assert not any(ref() for ref in kept)


def test_machines_are_given_back() -> None:
    def program(me: dcube.Node) -> Any:
        yield

    def some() -> None:
        for _ in range(100):
            machine = dcube.Machine(6)
            machine.prepare("all-reduce", bytes=8)
            machine.run(program)

    some()
    before = resident()
    some()
    some()
    assert resident() - before < 2 << 20


@pytest.mark.parametrize("how", [{}, {"watch": True}, {"threads": 2}])
def test_an_algorithm_that_is_run_again_and_again(how: dict[str, Any]) -> None:
    @dcube.algorithm("all-gather")
    def doubling(me: dcube.Node, mine: Any, out: Any) -> Any:
        me.copy(out[me.id], mine)
        for port in range(me.ports):
            have = me.id >> port << port
            block = out[have : have + (1 << port)]
            there = have ^ (1 << port)
            me.send(port, block)
            yield
            me.receive(port, out[there : there + (1 << port)])

    def once(repeat: int) -> None:
        report = dcube.run(doubling, dim=3, bytes=1000, repeat=repeat, **how)
        assert report.verified and report.steps == 3

    once(20)
    before = resident()
    once(600)
    assert resident() - before < 1 << 20
