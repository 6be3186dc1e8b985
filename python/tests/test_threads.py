"""Several Python threads, and the machine's own."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import dcube

QUESTION: dict[str, Any] = {"topology": "torus:4x5", "bytes": 100, "seed": 3}


def test_runs_side_by_side_give_one_result() -> None:
    with ThreadPoolExecutor(4) as pool:
        reports = list(pool.map(lambda _: dcube.run("all-to-all", **QUESTION), range(40)))
    assert len({(report.result_digest, report.steps, report.transmissions) for report in reports}) == 1


def test_other_threads_go_on_during_a_run() -> None:
    ticks = 0
    ended = threading.Event()

    def count() -> None:
        nonlocal ticks
        while not ended.is_set():
            ticks += 1
            time.sleep(0.001)

    other = threading.Thread(target=count)
    other.start()
    before = ticks
    dcube.run("all-to-all", dim=9, bytes=64, repeat=5, threads=1)
    after = ticks
    ended.set()
    other.join()
    assert after > before + 3


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_more_threads_change_nothing(threads: int) -> None:
    alone = dcube.run("all-reduce", **QUESTION, threads=1)
    report = dcube.run("all-reduce", **QUESTION, threads=threads)
    for key in ("result_digest", "steps", "transmissions", "link_bytes"):
        assert report[key] == alone[key]
    assert report.threads_asked == threads


def test_failures_in_several_threads() -> None:
    def fails(root: int) -> str:
        with pytest.raises(dcube.InvalidArgument) as refused:
            dcube.run("broadcast", dim=3, root=root)
        return str(refused.value)

    with ThreadPoolExecutor(4) as pool:
        messages = list(pool.map(fails, range(8, 40)))
    assert messages == [f"root {root} is too large: 0 to 7 are allowed" for root in range(8, 40)]


def test_topologies_are_shared() -> None:
    network = dcube.Topology("circulant:40,1,7")
    with ThreadPoolExecutor(4) as pool:
        sums = set(pool.map(lambda _: int(network.distances().sum()), range(16)))
    assert len(sums) == 1


@pytest.mark.parametrize("work", [
    'dcube.run("all-to-all", dim=7)',
    'dcube.view("all-to-all", dim=5)',
    "dcube.all_to_all(x)",
    "machine.run(endless)",
    "dcube.Machine(4, threads=2).run(endless)",
    "machine.run(endless, on_step=lambda step: sum(range(1000)))",
])
def test_the_interpreter_ends_while_a_daemon_runs(work: str) -> None:
    code = f"""
import threading, time
import dcube, numpy
x = numpy.ones((64, 64, 100))
machine = dcube.Machine(4)
def endless(me):
    while True:
        me.random().integers(3)
        yield
def daemon():
    begun.set()
    while True:
        {work}
begun = threading.Event()
threading.Thread(target=daemon, daemon=True).start()
begun.wait()
time.sleep(0.2)
print("ended")
"""
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (child.returncode, child.stdout, child.stderr) == (0, "ended\n", "")
