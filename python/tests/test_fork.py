"""Child processes: by fork after runs on several threads, and by pools."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys

import pytest

import dcube

SECONDS = 60


def digest(seed: int) -> str:
    return str(dcube.run("all-to-all", topology="torus:4x4", seed=seed, threads=2).result_digest)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_child_runs_too() -> None:
    expected = digest(1)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(SECONDS)  # it must not wait for ever
        try:
            os.write(writing, digest(1).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        assert pipe.read() == expected
    assert os.waitpid(child, 0)[1] == 0
    assert digest(1) == expected


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_pools(method: str) -> None:
    expected = [digest(seed) for seed in range(4)]
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map_async(digest, range(4)).get(SECONDS) == expected


def test_reports_come_back_from_other_processes() -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        report = pool.apply_async(dcube.run, ("broadcast",), {"topology": dcube.Topology("ring:5")}).get(SECONDS)
    assert report.steps == 2 and report.question["topology"] == dcube.Topology("ring:5")
    assert sys.modules["dcube"] is dcube
