"""Ctrl-C, in child processes: what runs ends within a second, and the process goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

WORK = {
    "a run": 'dcube.run("all-to-all", dim=10, bytes=8, repeat=100000)',
    "a run on one thread": 'dcube.run("all-to-all", topology="torus:16x16", bytes=8, repeat=100000, threads=1)',
    "planning": 'dcube.run("all-to-all", topology="circulant:1000,1,30", bytes=1)',
    "a sweep": 'dcube.sweep("broadcast", dim=[4] * 1000000)',
    "filling and checking": 'dcube.run("all-to-all", dim=10, bytes=1, packets=2000)',
    "a page": 'dcube.view("all-to-all", dim=11)',
    "distances": '[dcube.Topology("hypercube:13").distances() for _ in range(100)]',
    "a comparison": 'dcube.compare("all-to-all", topology="torus:16x16", repeat=100000)',
    "a program": "dcube.Machine(3).run(lambda me: (None for _ in iter(int, 1)))",
}

CODE = """
import dcube
try:
    print("begun", flush=True)
    {work}
    print("done", flush=True)
except KeyboardInterrupt:
    print("interrupted", dcube.run("broadcast", dim=3).steps, flush=True)
"""


def interrupted(code: str) -> tuple[str, float]:
    """What the process says after the signal, and seconds until it has ended."""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        try:
            assert child.stdout.readline() == "begun\n"
            time.sleep(0.3)
            sent = time.monotonic()
            child.send_signal(signal.SIGINT)
            rest = child.stdout.read()
            child.wait(timeout=30)
            return rest, time.monotonic() - sent
        finally:
            child.kill()


@pytest.mark.parametrize("what", WORK)
def test_ctrl_c_ends(what: str) -> None:
    rest, seconds = interrupted(CODE.format(work=WORK[what]))
    assert rest == "interrupted 3\n"
    assert seconds < 2 + os.getloadavg()[0]  # a second, and the turns of others


def test_a_handler_of_ones_own() -> None:
    code = """
import signal, dcube
class Enough(Exception): pass
def stop(number, frame): raise Enough
signal.signal(signal.SIGINT, stop)
try:
    print("begun", flush=True)
    dcube.run("all-to-all", dim=10, bytes=8, repeat=100000)
except Enough:
    print("enough", flush=True)
"""
    assert interrupted(code)[0] == "enough\n"


def test_a_handler_that_raises_nothing_ends_nothing() -> None:
    code = """
import signal, time, dcube
signal.signal(signal.SIGINT, lambda number, frame: print("heard", flush=True))
print("begun", flush=True)
end = time.monotonic() + 1
while time.monotonic() < end:
    dcube.run("all-to-all", dim=8, bytes=8, repeat=20)
print("done", flush=True)
"""
    assert interrupted(code)[0] == "heard\ndone\n"


def test_other_threads_leave_the_signal_to_the_main_one() -> None:
    code = """
import threading, time, dcube
def work():
    print("begun", flush=True)
    verified.append(dcube.run("all-to-all", dim=9, bytes=8, repeat=10, threads=1).verified)
verified = []
thread = threading.Thread(target=work)
thread.start()
try:
    time.sleep(20)
except KeyboardInterrupt:
    thread.join()
    print("interrupted", verified, flush=True)
"""
    assert interrupted(code)[0] == "interrupted [True]\n"
