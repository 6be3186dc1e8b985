"""Ctrl-C while node programs run, in a child process: the run ends, and the node's line is in the traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

HEAD = "import signal, sys, dcube\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"

IN_A_PROGRAM = """
def program(me):
    print("runs", flush=True)
    while True:
        yield me.exchange(0, 1)  # here
dcube.Machine(3{threads}).run(program)
"""
IN_ONE_STEP = """
def program(me):
    print("runs", flush=True)
    while True:
        number = 1  # here
    yield
dcube.Machine(3).run(program)
"""
BETWEEN_STEPS = """
def program(me):
    print("runs", flush=True)
    yield me.until(2_000_000_000)
dcube.Machine(3).run(program)
"""


def interrupted(script: str) -> tuple[float, int, str]:
    """Seconds from the signal to the end, the exit code and what is on stderr."""
    child = subprocess.Popen([sys.executable, "-c", HEAD + script], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             text=True)
    try:
        assert child.stdout and child.stdout.readline() == "runs\n"
        time.sleep(0.3)
        began = time.monotonic()
        child.send_signal(signal.SIGINT)
        _, errors = child.communicate(timeout=60)
        return time.monotonic() - began, child.returncode, errors
    finally:
        child.kill()


@pytest.mark.parametrize("script", [IN_A_PROGRAM.format(threads=""), IN_ONE_STEP, BETWEEN_STEPS],
                         ids=["steps", "one step", "between steps"])
def test_ctrl_c(script: str) -> None:
    seconds, code, errors = interrupted(script)
    assert code == -signal.SIGINT
    assert errors.rstrip().splitlines()[-1].startswith(("KeyboardInterrupt", "dcube: at node"))
    assert seconds < 2 + os.getloadavg()[0]  # a second, and the turns of others
    assert "in program" in errors or "dcube: at node" not in errors  # it may come between two steps


def test_ctrl_c_on_a_machine_with_two_threads() -> None:
    _, code, errors = interrupted(IN_A_PROGRAM.format(threads=", threads=2"))
    assert code == -signal.SIGINT and "KeyboardInterrupt" in errors


def test_a_machine_can_be_used_after_an_interrupt() -> None:
    script = """
import os
def program(me):
    yield
    if me.id == 1:
        os.kill(os.getpid(), signal.SIGINT)
    yield
    yield
machine = dcube.Machine(2)
for _ in range(3):
    try:
        machine.run(program)
    except KeyboardInterrupt as error:
        print("interrupted")
def hello(me):
    return (yield me.exchange(0, me.id))
print(machine.run(hello).results)
"""
    done = subprocess.run([sys.executable, "-c", HEAD + script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "interrupted\n" * 3 + "[1, 0, 3, 2]\n"


SEARCH = """
import time
class Enough(Exception): pass
def enough(number, frame): raise Enough
signal.signal(signal.SIGALRM, enough)
machine = dcube.Machine(2{threads})
def candidate(me):
    yield
    if me.id == 0:
        raise ValueError
    end = time.monotonic() + 0.01
    while time.monotonic() < end:
        pass
    yield
signal.setitimer(signal.ITIMER_REAL, 0.3)
try:
    while True:
        try:
            machine.run(candidate)
        except ValueError:
            pass
except Enough:
    print("enough")
"""


@pytest.mark.parametrize("threads", ["", ", threads=2"])
def test_what_a_handler_raises_is_not_lost_behind_a_program_that_fails(threads: str) -> None:
    done = subprocess.run([sys.executable, "-c", HEAD + SEARCH.format(threads=threads)], capture_output=True, text=True,
                          timeout=60)
    assert done.stdout == "enough\n", done.stderr


def test_what_a_handler_raises_ends_comparisons_and_sweeps() -> None:
    script = """
class Enough(Exception): pass
class Handler:
    def __call__(self, number, frame): raise Enough
signal.signal(signal.SIGALRM, Handler())
@dcube.algorithm("broadcast")
def endless(me, mine, out):
    while True:
        pass
    yield
for call in (lambda: dcube.compare("broadcast", dim=1, also=[endless]), lambda: dcube.sweep(endless, dim=[1, 2]),
             lambda: dcube.sweep("all-to-all", dim=[9] * 10**6)):
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        call()
    except Enough:
        print("enough")
"""
    done = subprocess.run([sys.executable, "-c", HEAD + script], capture_output=True, text=True, timeout=120)
    assert done.stdout == "enough\n" * 3, done.stderr


def test_what_a_handler_raises_while_programs_are_closed_comes_afterwards() -> None:
    script = """
import os
class Enough(Exception): pass
def enough(number, frame): raise Enough
signal.signal(signal.SIGALRM, enough)
def program(me):
    try:
        yield
        if me.id == 0:
            raise ValueError
        yield
    finally:
        if me.id == 1:
            os.kill(os.getpid(), signal.SIGALRM)
            for _ in range(100):
                pass
try:
    try:
        dcube.Machine(1).run(program)
    except ValueError:
        pass
    for _ in range(100):
        pass
except Enough:
    print("enough")
"""
    done = subprocess.run([sys.executable, "-c", HEAD + script], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("enough\n", "")
