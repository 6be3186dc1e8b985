"""Node programs and threads: Python's, and the machine's own."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import dcube


def exchanges(me: dcube.Node) -> Any:
    total = me.id + 1
    for _ in range(200):
        for port in range(me.ports):
            total = (total + (yield me.exchange(port, total))) % 1_000_003
    return total


def test_programs_side_by_side_on_machines_of_their_own() -> None:
    expected = dcube.Machine(3).run(exchanges).results
    with ThreadPoolExecutor(4) as pool:
        runs = [pool.submit(lambda: dcube.Machine(3, threads=1 + n % 2).run(exchanges)) for n in range(12)]
    assert all(run.result().results == expected for run in runs)


def test_programs_beside_native_runs() -> None:
    with ThreadPoolExecutor(4) as pool:
        programs = [pool.submit(lambda: dcube.Machine(3).run(exchanges)) for _ in range(4)]
        native = [pool.submit(lambda: dcube.run("all-to-all", dim=6, bytes=64)) for _ in range(8)]
    assert len({run.result().result_digest for run in native}) == 1
    assert len({tuple(run.result().results) for run in programs}) == 1


def test_another_thread_gets_its_turns_while_programs_run() -> None:
    ticks = 0
    stop = threading.Event()

    def count() -> None:
        nonlocal ticks
        while not stop.is_set():
            ticks += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()

    def program(me: dcube.Node) -> Any:
        end = time.monotonic() + 0.3
        while time.monotonic() < end:
            yield me.until(me.step + 1)

    dcube.Machine(1).run(program)
    stop.set()
    thread.join()
    assert ticks > 5


@pytest.mark.parametrize("threads", [1, 2])
def test_a_machine_is_used_by_one_thread_at_a_time(threads: int) -> None:
    machine = dcube.Machine(2, threads=threads)
    inside, go_on = threading.Event(), threading.Event()

    def program(me: dcube.Node) -> Any:
        yield
        inside.set()
        assert go_on.wait(10)
        return me.id

    with ThreadPoolExecutor(1) as pool:
        run = pool.submit(machine.run, program)
        assert inside.wait(10)
        try:
            with pytest.raises(dcube.InvalidArgument, match="another run is not possible while the machine is running"):
                machine.run(exchanges)
        finally:
            go_on.set()
        assert run.result().results == [0, 1, 2, 3]
    assert machine.run(exchanges).results == dcube.Machine(2).run(exchanges).results


@pytest.mark.parametrize("threads", [1, 2])
def test_a_node_is_refused_to_other_threads(threads: int) -> None:
    found: list[str] = []

    def program(me: dcube.Node) -> Any:
        def other() -> None:
            try:
                me.send(0, 1)
            except RuntimeError as error:
                found.append(str(error))

        if me.id == 0:
            thread = threading.Thread(target=other)
            thread.start()
            thread.join()
        yield

    dcube.Machine(1, threads=threads).run(program)
    assert found == ["node 0 is used by another program than its own"]


def test_prepared_collectives_of_large_blocks_on_two_threads() -> None:
    results = []
    for threads in (1, 2):
        machine = dcube.Machine(4, threads=threads)
        total = machine.prepare("all-reduce", bytes=80_000, type="float64")

        def program(me: dcube.Node) -> Any:
            out = np.empty(10_000)
            for number in range(3):
                yield total(me, np.full(10_000, float(me.id * number)), out)
                yield
            return out.sum()

        results.append(machine.run(program).results)
    assert results[0] == results[1] == [120.0 * 2 * 10_000] * 16


def test_many_nodes_fail_on_two_threads() -> None:
    def program(me: dcube.Node) -> Any:
        for port in range(me.ports):
            yield me.exchange(port, np.zeros(10))
        if me.id % 3 == 2:
            raise LookupError(me.id)
        yield

    machine = dcube.Machine(7, threads=2)
    for _ in range(20):
        with pytest.raises(LookupError) as found:
            machine.run(program)
        assert found.value.args == (2,)


@pytest.mark.parametrize("size", [128, 256])
def test_a_small_stack_does_not_overflow(size: int) -> None:
    """In a process of its own, which a crash would end."""
    script = f"""
import threading, dcube
def again(me):
    yield
    dcube.Machine(0).run(again)
@dcube.algorithm("broadcast")
def itself(me, mine, out):
    yield
    dcube.run(itself, dim=0)
@dcube.algorithm("broadcast")
def native(me, mine, out):
    yield
    dcube.run("all-to-all", dim=2)
    native.program(me, mine, out).send(None)
    dcube.run(native, dim=0)
def work():
    machine = dcube.Machine(0)
    for call in (lambda: machine.run(again), lambda: dcube.run(itself, dim=0), lambda: dcube.run(native, dim=0)):
        try:
            call()
        except RecursionError as error:
            print(error)
    print(dcube.run("all-to-all", dim=4).steps)
threading.stack_size({size} * 1024)
thread = threading.Thread(target=work)
thread.start()
thread.join()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "programs have run programs until the thread's stack was nearly full\n" * 3 + "8\n"
