"""Random programs, on the machine and on a reference that is simple enough to be obviously correct.

`DCUBE_SEED=17` runs that program alone, `DCUBE_PROGRAMS=2000` runs more of them.
"""

from __future__ import annotations

import os
from collections import deque
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import dcube

NETWORKS = ["hypercube:3", "ring:5", "torus:3x3", "mesh:2x3", "ring:3*path:2", "circulant:9,1,2",
            "petersen without 0,7"]
SEEDS = list(range(int(os.environ.get("DCUBE_PROGRAMS", 60))))
if "DCUBE_SEED" in os.environ:
    SEEDS = [int(os.environ["DCUBE_SEED"])]
TYPES = ["i1", "u2", "f4", "f8", "c16", "?", ">i4"]


@dataclass
class Plan:
    """What every node does in each step: first what it receives, then what it sends."""

    topology: dcube.Topology
    capacity: int
    receives: dict[tuple[int, int], list[int]] = field(default_factory=dict)  # (step, node): ports
    sends: dict[tuple[int, int], list[tuple[int, Any, bool]]] = field(default_factory=dict)  # port, what, copy
    rows: list[tuple[int, int, int, int, int, None]] = field(default_factory=list)
    heard: dict[int, list[Any]] = field(default_factory=dict)
    last: int = 1


def content(random: np.random.Generator) -> Any:
    kind = random.integers(5)
    if kind == 0:
        return int(random.integers(-(2**63), 2**63 - 1))
    if kind == 1:
        return float(random.normal())
    if kind == 2:
        return random.bytes(int(random.integers(0, 60)))
    shape = tuple(int(n) for n in random.integers(0, 5, int(random.integers(0, 4))))
    array = random.integers(0, 100, shape).astype(TYPES[random.integers(len(TYPES))])
    return array[..., ::2] if kind == 3 and array.ndim else array


def size(what: Any) -> int:
    return what.nbytes if isinstance(what, np.ndarray) else len(what) if isinstance(what, bytes) else 8


def plan_of(seed: int) -> Plan:
    random = np.random.default_rng(seed)
    plan = Plan(dcube.Topology(NETWORKS[seed % len(NETWORKS)]), int(random.integers(1, 5)))
    t = plan.topology
    waiting: dict[tuple[int, int], deque[Any]] = {}  # by receiver and its port
    steps = int(random.integers(1, 12))
    for step in range(1, 10_000):
        sent: list[tuple[tuple[int, int], Any]] = []
        for node in range(t.nodes):
            for port in range(t.ports(node)):
                queue = waiting.setdefault((node, port), deque())
                # One has to go if another one may come: a channel of that capacity is never exceeded.
                if queue and (len(queue) == plan.capacity or step > steps or random.random() < 0.5):
                    plan.receives.setdefault((step, node), []).append(port)
                    plan.heard.setdefault(node, []).append(queue.popleft())
                    plan.last = max(plan.last, step)
        for node in range(t.nodes):
            for port in range(t.ports(node)):
                if step <= steps and random.random() < 0.6:
                    what = content(random)
                    there = t.neighbours(node)[port]
                    plan.sends.setdefault((step, node), []).append((port, what, bool(random.random() < 0.7)))
                    plan.rows.append((step, node, there, port, size(what), None))
                    sent.append(((there, t.port_between(there, node)), what))
        for where, what in sent:
            waiting[where].append(what)
        if step > steps and not any(waiting.values()):
            return plan
    raise AssertionError("the plan does not end")


def program_of(plan: Plan, lends: bool) -> Any:
    def program(me: dcube.Node) -> Any:
        heard = []
        for step in range(1, plan.last + 1):
            for port in plan.receives.get((step, me.id), []):
                if len(heard) % 3:
                    if not me.arrived(port):
                        raise LookupError(f"no packet at node {me.id}, port {port}, in step {step}")
                else:
                    yield me.arrival(port)  # is there already: takes no step
                heard.append(me.receive(port))
            for port, what, copy in plan.sends.get((step, me.id), []):
                lent = lends and not copy and (not isinstance(what, np.ndarray) or what.flags.c_contiguous)
                me.send(port, what, copy=not lent)
            if step < plan.last:
                yield
        return heard

    return program


def same(found: Any, expected: Any) -> bool:
    if isinstance(expected, np.ndarray):
        return (found.dtype, found.shape, found.tobytes()) == (expected.dtype, expected.shape, expected.tobytes())
    return type(found) is type(expected) and found == expected


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_program(seed: int) -> None:
    plan = plan_of(seed)
    lends = seed % 2 == 1
    sizes = [row[4] for row in plan.rows]
    for how in ({}, {"threads": 2}, {"channel": "spsc"}, {"watch": True}):
        machine = dcube.Machine(topology=plan.topology, capacity=plan.capacity, **how)
        for trace in (False, True):
            run = machine.run(program_of(plan, lends), trace=trace)
            assert run.steps == plan.last - 1
            assert (run.transmissions, run.bytes) == (len(sizes), sum(sizes))
            assert run.trace == (plan.rows if trace else None)
            for node in range(plan.topology.nodes):
                found, expected = run.results[node] or [], plan.heard.get(node, [])
                assert len(found) == len(expected) and all(map(same, found, expected)), (seed, node)


@pytest.mark.parametrize("seed", [seed for seed in SEEDS if seed % 5 == 0])
def test_a_random_program_with_one_thing_wrong(seed: int) -> None:
    plan = plan_of(seed)
    random = np.random.default_rng(seed)
    if not plan.rows:
        return
    wrong = int(random.integers(3))
    if wrong == 0:  # a packet is never sent
        step, node = list(plan.sends)[random.integers(len(plan.sends))]
        plan.sends[step, node].pop()
    elif wrong == 1:  # one is never received
        step, node = list(plan.receives)[random.integers(len(plan.receives))]
        plan.receives[step, node].pop()
    else:  # one is sent twice in a step
        step, node = list(plan.sends)[random.integers(len(plan.sends))]
        plan.sends[step, node].append(plan.sends[step, node][-1])
    machine = dcube.Machine(topology=plan.topology, capacity=plan.capacity)
    found = []
    for trace in (False, True):
        with pytest.raises((dcube.RuleViolation, LookupError)) as error:
            machine.run(program_of(plan, True), trace=trace)
        found.append(str(error.value))
    assert found[0] == found[1]
    right = plan_of(seed)
    assert machine.run(program_of(right, True)).transmissions == len(right.rows)
