"""Collectives whose messages have different lengths, against NumPy's own expressions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dcube

NETWORKS = ["hypercube:3", "ring:5", "torus:3x3", "ring:3*path:2", "petersen"]
Array = np.ndarray[Any, Any]


def counts_of(*shape: int) -> Array:
    return np.random.default_rng(sum(shape)).integers(0, 4, shape)


def rows(n: int, dtype: str = "i4", *packet: int) -> list[list[Array]]:
    random = np.random.default_rng(n)
    return [[random.integers(0, 100, (c, *packet)).astype(dtype) for c in row] for row in counts_of(n, n)]


def same(a: list[Array], b: list[Array]) -> bool:
    return len(a) == len(b) and all(x.dtype == y.dtype and x.shape == y.shape and (x == y).all() for x, y in zip(a, b))


@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize("packet", [(), (3,), (2, 2)])
def test_all_to_all(network: str, packet: tuple[int, ...]) -> None:
    n = dcube.Topology(network).nodes
    x = rows(n, "f8", *packet)
    y = dcube.all_to_all_v(x, topology=network)
    for j in range(n):
        assert same(y[j], [x[i][j] for i in range(n)])
    counts = np.array([[len(one) for one in row] for row in x])
    flat = np.concatenate([one for row in x for one in row])
    whole, report = dcube.all_to_all_v(flat, counts, topology=network, return_report=True)
    assert (whole == np.concatenate([one for row in y for one in row])).all()
    assert report.steps >= report["steps_lower_bound"]
    assert report["counts"] == counts.ravel().tolist()


@pytest.mark.parametrize("network", NETWORKS)
def test_one_message_each(network: str) -> None:
    n = dcube.Topology(network).nodes
    counts = counts_of(n)
    x = [np.arange(c, dtype="i4") + 10 * i for i, c in enumerate(counts)]
    flat = np.concatenate(x)
    for y in dcube.all_gather_v(x, topology=network):
        assert same(y, x)
    assert (dcube.all_gather_v(flat, counts, topology=network) == flat).all()
    assert same(dcube.gather_v(x, root=n - 1, topology=network), x)
    assert same(dcube.scatter_v(x, root=1, topology=network), x)
    assert (dcube.gather_v(flat, counts, topology=network) == flat).all()


@pytest.mark.parametrize("network", NETWORKS)
def test_sums(network: str) -> None:
    n = dcube.Topology(network).nodes
    counts = counts_of(n)
    random = np.random.default_rng(1)
    x = [[random.integers(-9, 9, c).astype("i8") for c in counts] for _ in range(n)]
    y = dcube.reduce_scatter_v(x, topology=network)
    assert same(y, [np.sum([x[i][j] for i in range(n)], axis=0) for j in range(n)])
    flat = np.stack([np.concatenate(row) for row in x])
    assert (dcube.reduce_scatter_v(flat, "max", counts, topology=network) == flat.max(axis=0)).all()


def test_the_hypercube_is_that_of_the_counts() -> None:
    x = rows(4)
    _, report = dcube.all_to_all_v(x, return_report=True)
    assert report["topology"] == "hypercube:2"
    with pytest.raises(dcube.InvalidArgument, match="no hypercube"):
        dcube.all_to_all_v(rows(5))


def test_laws_and_lists_in_questions() -> None:
    report = dcube.run("alltoallv", dim=3, counts="zipf:1:2", seed=3)
    assert sum(report["counts"]) == 8 * 14
    assert dcube.run("all-to-all", dim=1, counts=[[0, 3], [1, 0]])["transmissions"] == 4
    assert dcube.run("gather", dim=1, counts=np.array([1, 2]))["transmissions"] == 2
    with pytest.raises(TypeError):
        dcube.run("gather", dim=1, counts=[1, 2.5])


def test_what_does_not_fit_is_refused() -> None:
    x = rows(4)
    with pytest.raises(dcube.InvalidArgument, match="adds up"):
        dcube.all_to_all_v(np.zeros(3), np.ones((4, 4), int))
    with pytest.raises(dcube.InvalidArgument, match="has 8"):
        dcube.all_to_all_v(x, dim=3)
    with pytest.raises(dcube.InvalidArgument, match="axis 0 only"):
        dcube.gather_v([np.zeros(1), np.zeros((1, 2))], dim=1)
    with pytest.raises(dcube.InvalidArgument, match="negative"):
        dcube.gather_v(np.zeros(1), [2, -1], dim=1)
    with pytest.raises(TypeError, match="whole numbers"):
        dcube.gather_v(np.zeros(2), [1.0, 1.0], dim=1)
    with pytest.raises(dcube.InvalidArgument, match="not as long"):
        dcube.reduce_scatter_v(rows(3), topology="ring:3")
    with pytest.raises(dcube.InvalidArgument, match="packets"):
        dcube.all_to_all_v(x, packets=2)
