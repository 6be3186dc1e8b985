"""Node programs in children of a process that has run, by fork and by spawn."""

from __future__ import annotations

import multiprocessing
import os
import signal
from typing import Any

import pytest

import dcube


def sums(me: dcube.Node) -> Any:
    total = me.id
    for port in range(me.ports):
        total += yield me.exchange(port, total)
    return total


def work(dim: int) -> tuple[list[int], str]:
    programs = dcube.Machine(dim, threads=1 + dim % 2).run(sums).results
    return programs, dcube.run("all-to-all", dim=dim, bytes=64, threads=2).result_digest


def exit_code(child: int) -> int:
    """Of a forked child, which is given a minute."""
    signal.signal(signal.SIGALRM, lambda *_: os.kill(child, signal.SIGKILL))
    signal.alarm(60)
    try:
        return os.waitpid(child, 0)[1]
    finally:
        signal.alarm(0)


def test_a_forked_child_runs_after_its_parent_has_run_on_several_threads() -> None:
    expected = work(5)
    dcube.run("all-to-all", dim=8, bytes=256, threads=2)
    child = os.fork()
    if child == 0:
        try:
            os._exit(0 if work(5) == expected else 1)
        except BaseException:
            os._exit(2)
    assert exit_code(child) == 0
    assert work(5) == expected


def test_a_child_that_is_forked_inside_a_program_goes_on() -> None:
    def program(me: dcube.Node) -> Any:
        total = yield me.exchange(0, me.id)
        if me.id == 0:
            children.append(os.fork())
        total += yield me.exchange(1, total)
        return total

    children: list[int] = []
    results = dcube.Machine(2).run(program).results
    if children == [0]:
        os._exit(0 if results == [4, 2, 4, 2] or len(set(results)) <= 2 else 1)
    assert exit_code(children[0]) == 0


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_pools(method: str) -> None:
    expected = [work(dim) for dim in (3, 4, 5)]
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map_async(work, [3, 4, 5]).get(timeout=120) == expected
