"""Packets that wait in channels: their memory lives until they are received, and no longer than the run."""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np
import pytest

import dcube

NETWORKS = ["hypercube:2", "ring:5", "torus:3x3", "path:3", "ring:3*path:2", "circulant:7,1,2", "petersen without 0,7"]


def payload(kind: str, node: int, number: int) -> Any:
    if kind == "number":
        return 1000 * node + number
    if kind == "bytes":
        return f"{node}:{number}".encode() * 9
    return np.full((2, 40 if kind == "large" else 1), 1000.0 * node + number)


def equal(kind: str, found: Any, expected: Any) -> bool:
    return bool(np.array_equal(found, expected)) if kind in ("small", "large") else bool(found == expected)


@pytest.mark.parametrize("capacity", [1, 2, 3, 7])
@pytest.mark.parametrize("kind", ["number", "bytes", "small", "large"])
@pytest.mark.parametrize("copy", [True, False])
@pytest.mark.parametrize("trace", [True, False])
def test_channels_are_filled_and_emptied_in_order(capacity: int, kind: str, copy: bool, trace: bool) -> None:
    def program(me: dcube.Node) -> Any:
        sent = [0] * me.ports
        received = [0] * me.ports
        for round_ in range(4):
            # As many as may wait; then all of them, with one more a step that comes while one is taken.
            for step in range(2 * capacity + 3):
                for port in range(me.ports):
                    there = me.neighbour(port)
                    if step >= capacity and received[port] < sent[port]:
                        found = me.receive(port)
                        assert equal(kind, found, payload(kind, there, received[port])), (me.id, port, received)
                        received[port] += 1
                    if step < capacity + 3 + round_ % 2:
                        me.send(port, payload(kind, me.id, sent[port]), copy=copy)
                        sent[port] += 1
                yield
            for port in range(me.ports):
                while received[port] < sent[port]:
                    assert equal(kind, me.receive(port), payload(kind, me.neighbour(port), received[port]))
                    received[port] += 1
        return sum(received)

    for network in NETWORKS:
        machine = dcube.Machine(topology=network, capacity=capacity)
        run = machine.run(program, trace=trace)
        assert sum(n or 0 for n in run.results) == run.transmissions
        if trace:
            assert len(run.trace) == run.transmissions


@pytest.mark.parametrize("how", [{"watch": True}, {"threads": 2}, {"tau": 1, "beta": "1/2"}, {"channel": "spsc"},
                                 {"tau": 1, "beta": 3, "clock": "lockstep", "watch": True}])
@pytest.mark.parametrize("copy", [True, False])
def test_on_machines_of_other_kinds(how: dict[str, Any], copy: bool) -> None:
    def program(me: dcube.Node) -> Any:
        heard = 0.0
        out = np.empty(20)
        for number in range(12):
            for port in range(me.ports):
                me.send(port, np.full(20, 100.0 * me.id + number), copy=copy)
            yield
            for port in range(me.ports):
                theirs = me.receive(port, out if number % 3 == 0 else None)
                assert (theirs == 100.0 * me.neighbour(port) + number).all()
                heard += theirs[0]
        return heard

    plain = dcube.Machine(topology="torus:3x4").run(program)
    other = dcube.Machine(topology="torus:3x4", **how).run(program)
    assert (other.results, other.transmissions, other.steps) == (plain.results, plain.transmissions, plain.steps)


def test_one_port() -> None:
    def program(me: dcube.Node) -> Any:
        total = me.id
        for port in range(me.ports):
            total += yield me.exchange(port, total)
        return total

    assert dcube.Machine(3, ports="one").run(program).results == [28] * 8


def test_nodes_that_wait_for_each_other_in_a_line() -> None:
    def program(me: dcube.Node) -> Any:
        if me.id == 0:
            yield me.until(4)
            me.send(me.topology.port_between(0, 1), np.arange(3))
            return None
        yield me.arrival(me.topology.port_between(me.id, me.id - 1))
        token = me.receive(me.topology.port_between(me.id, me.id - 1))
        if me.id + 1 < me.nodes:
            me.send(me.topology.port_between(me.id, me.id + 1), token + me.id)
        return token.tolist(), me.step

    results = dcube.Machine(topology="path:5").run(program).results
    assert results[4] == ([6, 7, 8], 8) and results[1] == ([0, 1, 2], 5)


def test_what_is_lost_or_received_is_not_kept_for_long() -> None:
    lent: list[weakref.ref[Any]] = []
    most = [0]

    def program(me: dcube.Node) -> Any:
        for _ in range(50):
            array = np.zeros(1000)
            lent.append(weakref.ref(array))
            me.send(0, array, copy=False)
            del array
            yield
            if me.arrived(0):
                me.receive(0)
            most[0] = max(most[0], sum(ref() is not None for ref in lent))

    for failing in ("0-1@1", "0-1@20", ()):
        assert dcube.Machine(1, watch=False).run(program, failing=failing).transmissions == 100
        assert most[0] <= 6 and not any(ref() for ref in lent)


@pytest.mark.parametrize("trace", [False, True])
def test_packets_that_still_wait_when_a_run_fails(trace: bool) -> None:
    def program(me: dcube.Node) -> Any:
        me.send(0, np.full(1000, me.id), copy=False)
        yield
        if me.id == 0:
            raise LookupError
        yield

    machine = dcube.Machine(3)
    for _ in range(20):
        with pytest.raises(LookupError):
            machine.run(program, trace=trace)
