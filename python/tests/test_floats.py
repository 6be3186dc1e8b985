"""Reductions of floats: one result at all nodes, whatever the network, and NaN as NumPy has it."""

from __future__ import annotations

import numpy as np
import pytest

import dcube

NETWORKS = ["hypercube:3", "ring:3", "ring:6", "ring:7", "torus:3x3", "torus:3x4", "mesh:3x3", "complete:6", "ghc:3x4",
            "petersen", "star:4", "ring:5*path:4", "ring:7 without 2"]


def rough(nodes: int, width: int, dtype: str) -> np.ndarray:
    """Numbers of twelve orders of magnitude, and some that cancel."""
    random = np.random.default_rng(7)
    x = random.choice([-1.0, 1.0], (nodes, width)) * 10.0 ** random.uniform(-6, 6, (nodes, width))
    large = 1e8 if dtype == "f4" else 1e16
    x[:, 0] = np.resize([large, 1, -large], nodes)
    return x.astype(dtype)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("network", NETWORKS)
def test_all_nodes_get_the_same_bits(network: str, dtype: str) -> None:
    topology = dcube.Topology(network)
    here = [node for node in range(topology.nodes) if topology.neighbours(node)]
    x = rough(topology.nodes, 24, dtype)
    for ports in ("all", "one"):
        for links in ({}, {"tau": 1, "beta": 10}) if ports == "all" else ({},):
            for algorithm in [report.algorithm for report in dcube.compare(
                    "all-reduce", topology=topology, type={"f4": "float32", "f8": "float64"}[dtype], ports=ports,
                    bytes=24 * x.itemsize, **links)]:
                y = dcube.all_reduce(x, topology=topology, ports=ports, algorithm=algorithm, **links)
                assert (y[here].view("u1") == y[here[0]].view("u1")).all(), (algorithm, ports, links)
                again = x.copy()
                dcube.all_reduce(again, out=again, topology=topology, ports=ports, algorithm=algorithm, **links)
                assert (again[here].view("u1") == y[here].view("u1")).all(), (algorithm, ports, links)


def test_collectives_in_programs_give_all_nodes_the_same_bits() -> None:
    machine = dcube.Machine(topology="ring:3")
    add_up = machine.prepare("all-reduce", bytes=8, type="float64")

    @dcube.program
    def program(me: dcube.Node, number: float):  # type: ignore[no-untyped-def]
        mine = np.array([number])
        total = np.empty(1)
        yield add_up(me, mine, total)
        return total[0]

    assert machine.run(program, [1e16, 1.0, -1e16]).results == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("nodes", [2, 4, 8])
@pytest.mark.parametrize("op", ["min", "max", "sum"])
def test_nan_is_carried_on_as_by_numpy(nodes: int, op: str) -> None:
    for place in range(nodes):
        x = np.arange(nodes, dtype="f8")
        x[place] = np.nan
        assert np.isnan(dcube.all_reduce(x, op)).all() and np.isnan(getattr(np, op)(x))
        assert np.isnan(dcube.reduce(x, op))
        assert len(set(dcube.all_reduce(np.copysign(x, -1), op).view("u8"))) == 1


def test_negative_zero_is_smaller() -> None:
    for x in (np.array([-0.0, 0.0]), np.array([0.0, -0.0])):
        assert np.signbit(dcube.all_reduce(x, "min")).all()
        assert not np.signbit(dcube.all_reduce(x, "max")).any()


def test_a_report_says_how_it_was_verified() -> None:
    report = dcube.run("all-reduce", topology="ring:3", type="float32")
    assert report.comparison == "every byte" and report.same_bits is True and "verified yes" in repr(report)
    assert dcube.run("reduce", topology="ring:3", type="float32").same_bits is None
