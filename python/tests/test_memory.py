"""Memory: arrays are not copied, and runs leave nothing."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

COMMON = """
import resource
import numpy as np
import dcube

def peak():  # of this process; after exec, getrusage still counts the parent's
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) << 10 for line in status if line.startswith("VmHWM"))

def held():
    with open("/proc/self/statm") as status:
        return int(status.read().split()[1]) * resource.getpagesize()
"""


def in_child(program: str) -> str:
    done = subprocess.run([sys.executable, "-c", COMMON + program], capture_output=True, text=True, timeout=120,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="the peak is read from /proc")
def test_a_large_exchange_copies_neither_array() -> None:
    in_child("""
x = np.empty((64, 64, 1 << 14), "u1")  # 64 MiB
x[...] = np.arange(4096, dtype="u2").astype("u1").reshape(64, 64, 1)
out = np.ones_like(x)
dcube.all_to_all(x[:, :, :1].copy())  # all that is made once
for call in [lambda: dcube.all_to_all(x, out=out, return_report=True),
             lambda: dcube.all_to_all(x, out=out, topology="torus:8x8", return_report=True)]:
    before = peak()
    _, report = call()
    grown = peak() - before
    assert (out == x.swapaxes(0, 1)).all()
    assert grown < report.in_transit_bytes + (8 << 20), (grown, report.in_transit_bytes)
    assert report.in_transit_bytes < x.nbytes or report.topology != "hypercube:6"
""")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="memory is read from /proc")
def test_runs_on_arrays_leave_nothing() -> None:
    in_child("""
machine = dcube.Machine(4)

@dcube.algorithm("all-gather")
def ring(me, mine, out):
    out[me.id] = mine
    if me.nodes == 8:
        raise KeyError(me.id)
    yield
    raise ValueError(me.id)

x = np.arange(16 * 16 * 64, dtype="i4").reshape(16, 16, 64)

def once():
    dcube.all_to_all(x, machine=machine)
    dcube.all_reduce(x, "max", return_report=True)
    dcube.transpose(x[:, 0], machine=machine)
    for size in 8, 16:
        try:
            dcube.all_gather(x[:size], algorithm=ring)
        except (KeyError, ValueError):
            pass
    for wrong in [x[:3], x[:, :2]]:
        try:
            dcube.all_to_all(wrong, machine=machine)
        except dcube.InvalidArgument:
            pass

for _ in range(100):
    once()
before = held()
for _ in range(300):
    once()
assert held() - before < 4 << 20, held() - before
""")
