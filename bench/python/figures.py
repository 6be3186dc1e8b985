"""What the Python package costs, measured here and now beside what is aimed at: ./dcube python bench/python/figures.py

CPU times of whole processes, all threads together, which other work on the machine disturbs less than times of the
clock; medians of nine.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import dcube

GIB = 1 << 30


@dataclass(frozen=True)
class Claim:
    """A figure, in seconds or as a ratio, and the most that it may be."""

    what: str
    unit: str
    scale: float
    measure: Callable[[argparse.Namespace], float | None]
    most: float | None = None

    def text(self, value: float) -> str:
        return f"{value * self.scale:.3g} {self.unit}".rstrip()

    def line(self, value: float | None) -> str:
        shown = "not measured" if value is None else self.text(value)
        target = "" if self.most is None else f"<= {self.text(self.most)}"
        missed = "missed" if value is not None and self.most is not None and value > self.most else ""
        return f"{shown:>16}  {target:<12}  {missed:<6}  {self.what}"


def cpu_of(work: Callable[[], Any], times: int, batches: int = 9) -> float:
    """Seconds that one call takes, the median of the batches."""
    work()  # plans, pages, caches
    samples = []
    for _ in range(batches):
        began = time.process_time()
        for _ in range(times):
            work()
        samples.append((time.process_time() - began) / times)
    return statistics.median(samples)


def cpu_of_process(*arguments: str) -> float:
    """Of a Python that is started with these. Modules have been compiled by an earlier one, as usual."""
    samples = []
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": cache}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        for _ in range(10):
            before = cpu_of_children()
            subprocess.run([sys.executable, *arguments], check=True, env=environment)
            samples.append(cpu_of_children() - before)
    return statistics.median(samples[1:])


def cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def import_dcube(_: argparse.Namespace) -> float:
    return cpu_of_process("-c", "import dcube") - cpu_of_process("-c", "pass")


def import_beside_numpy(_: argparse.Namespace) -> float:
    return cpu_of_process("-c", "import dcube") - cpu_of_process("-c", "import numpy")


def smallest_run(_: argparse.Namespace) -> float:
    return cpu_of(lambda: dcube.run("broadcast", dim=3).steps, 200)


def idle_step(_: argparse.Namespace) -> float:
    steps = 500

    def idle(me: dcube.Node) -> Generator[None, None, None]:
        for _ in range(steps):
            yield

    machine = dcube.Machine(6)
    return cpu_of(lambda: machine.run(idle), 5) / (64 * steps)


def hop(what: Any, nodes_of: int, out: Any = None) -> float:
    """A send and its receive, of every node over every port, with its part of the step."""
    steps = 40

    def all_ports(me: dcube.Node) -> Generator[None, None, None]:
        ports = range(me.ports)
        for _ in range(steps):
            for port in ports:
                me.send(port, what)
            yield
            for port in ports:
                me.receive(port, out)

    machine = dcube.Machine(nodes_of)
    return cpu_of(lambda: machine.run(all_ports), 1) / (steps * nodes_of << nodes_of)


def hop_of_number(_: argparse.Namespace) -> float:
    return hop(1, 8)


def hop_of_doubles(_: argparse.Namespace) -> float:
    return hop(np.arange(8.0), 8)


def exchange_of_number(_: argparse.Namespace) -> float:
    steps = 40

    def exchanging(me: dcube.Node) -> Generator[Any, Any, None]:
        for step in range(steps):
            yield me.exchange(step % me.ports, 1)

    machine = dcube.Machine(8)
    return cpu_of(lambda: machine.run(exchanging), 1) / (steps << 8)


def small_exchange(_: argparse.Namespace) -> float:
    machine = dcube.Machine(6)
    blocks = np.zeros((64, 64, 64), np.uint8)
    return cpu_of(lambda: dcube.all_to_all(blocks, machine=machine), 50)


LARGE_EXCHANGE = """
import sys
import numpy as np
import dcube
def peak():
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM")) << 10
x = np.ones((64, 64, int(sys.argv[1]) // 64**2), np.uint8)
out = np.ones_like(x)
before = peak()
dcube.all_to_all(x, out=out)
print((peak() - before) / x.nbytes)
"""


def large_exchange(options: argparse.Namespace) -> float | None:
    size = GIB >> 4 if options.quick else GIB
    if os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_AVPHYS_PAGES") < 3 * size:
        return None
    process = [sys.executable, "-c", LARGE_EXCHANGE, str(size)]
    return float(subprocess.run(process, check=True, capture_output=True, text=True).stdout)


def page(_: argparse.Namespace) -> float:
    return cpu_of(lambda: dcube.view("all-to-all", dim=4), 20)


def build(options: argparse.Namespace) -> float | None:
    """The compilers' time for the module's own files, one after the other; nothing of the build changes."""
    folder = Path(dcube.__file__).parent.parent.parent  # of the links to the sources: the build's python/dcube
    commands = folder / "compile_commands.json"
    if not options.build or not commands.exists():
        return None
    before = cpu_of_children()
    for one in json.loads(commands.read_text()):
        if "/python/" not in one["file"] or "dcube_python" not in one["command"]:
            continue
        words = shlex.split(one["command"])
        words[words.index("-o") + 1] = "/dev/null"
        subprocess.run(words, check=True, cwd=one["directory"], env={**os.environ, "CCACHE_DISABLE": "1"})
    return cpu_of_children() - before or None


CLAIMS = (
    Claim("import dcube, NumPy included", "ms", 1e3, import_dcube, 0.15),
    Claim("import dcube where NumPy is imported", "ms", 1e3, import_beside_numpy),
    Claim('run("broadcast", dim=3)', "ms", 1e3, smallest_run, 0.5e-3),
    Claim("a step of a node that does nothing, 64 nodes", "ns", 1e9, idle_step, 80e-9),
    Claim("a hop of a number: send and receive, 256 nodes", "ns", 1e9, hop_of_number, 300e-9),
    Claim("a hop of 8 doubles, copied, 256 nodes", "ns", 1e9, hop_of_doubles),
    Claim("yield me.exchange(port, number), 256 nodes", "ns", 1e9, exchange_of_number),
    Claim("all_to_all of 64-byte blocks, 64 nodes, on a kept machine", "ms", 1e3, small_exchange),
    Claim("memory of an all_to_all beside x and out, times x; with a copy 1 or more", "", 1, large_exchange, 0.5),
    Claim("view of an all-to-all, 16 nodes", "ms", 1e3, page),
    Claim("to compile the module (--build)", "s", 1, build, 70),
)


def main() -> None:
    parser = argparse.ArgumentParser(description="What the Python package costs, measured here and now.")
    parser.add_argument("--quick", action="store_true", help="the large exchange with 64 MiB in place of 1 GiB")
    parser.add_argument("--build", action="store_true", help="also compiles the module anew, for a minute")
    options = parser.parse_args()
    print("CPU times, medians of nine. Measured, aimed at, what:\n")
    for claim in CLAIMS:
        if claim.measure is build and not options.build:
            continue
        print(claim.line(claim.measure(options)), flush=True)


if __name__ == "__main__":
    main()
