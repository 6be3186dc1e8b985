"""A use of everything, as type checkers see it: test_stubs checks it, strictly. It is not run."""

from collections.abc import Generator
from fractions import Fraction
from pathlib import Path
from typing import Any, assert_type

import dcube
import numpy as np
import numpy.typing as npt

Steps = Generator[Any, Any, int]


@dcube.algorithm("all-gather", networks="rings")
def ring(me: dcube.Node, mine: npt.NDArray[Any], out: npt.NDArray[Any]) -> Generator[Any, Any, None]:
    me.copy(out[me.id], mine)
    for back in range(me.nodes - 1):
        me.send(me.port_to(0, 1), out[(me.id - back) % me.nodes])
        yield
        me.receive(me.port_to(0, -1), out[(me.id - back - 1) % me.nodes])


@dcube.algorithm("reduce")
def asked(me: dcube.Node, mine: npt.NDArray[Any], out: npt.NDArray[Any]) -> Generator[Any, Any, None]:
    assert_type(me.root + me.peer + me.packets + me.bytes + me.rows + me.columns, int)
    assert_type(me.operation + me.layout + me.to_layout, str)
    assert_type(me.permutation, npt.NDArray[np.uint32])
    yield


def networks() -> None:
    torus = dcube.Topology("torus:6x6")
    assert_type(torus.neighbours(0), list[int])
    assert_type(torus.port_between(0, 1), int | None)
    assert_type(torus.average_distance, int | Fraction)
    assert_type((torus.bisection_width, torus.bisection_bounds), tuple[int | None, tuple[int, int]])
    assert_type(torus.edge_connectivity or torus.node_connectivity or torus.girth, int | None)
    assert_type(torus.distances(), npt.NDArray[np.uint16])
    edges = torus.without(links=["0-1", (1, 2)], nodes=[9]).edges()
    assert_type(dcube.Topology.from_edges(edges, "mine"), dcube.Topology)
    assert_type(dcube.Topology.from_networkx(torus.to_networkx()).name, str)
    assert_type(torus.recognised, dcube.Topology | None)
    assert_type(dcube.Topology.hypercube(3).distance(0, 7) + torus.port_to(0, 1, -1) + torus.ports(0), int)
    assert_type(dcube.network_examples(), list[str])
    assert_type(dcube.permutation("inversion", torus), npt.NDArray[np.uint32])


def runs() -> None:
    report = dcube.run("all-to-all", dim=3, bytes="4KiB", tau=Fraction(1, 2), beta=1.5, failing=["0-1@2"])
    assert_type(report, dcube.Report)
    assert_type(report.optimal, bool)
    assert_type(report.to_json(), str)
    assert_type(report.row(), dict[str, Any])
    all_of_them = dcube.compare("broadcast", topology="torus:4x4", ports="one", also=[ring])
    assert_type(all_of_them.rows(), list[dict[str, Any]])
    assert_type(all_of_them.left_out, dict[str, str])
    swept = dcube.sweep("reduce", dim=range(3, 6), bytes=[8, 64], type=np.float64)
    assert_type(swept, dcube.Reports)
    assert_type(swept[:2] + swept.copy(), dcube.Reports)
    assert_type(swept[0], dcube.Report)
    assert_type(dcube.bounds("scatter", dim=3)["steps"], Any)
    assert_type(dcube.exchange_bounds("ring:5"), list[dict[str, Any]])
    assert_type(dcube.forecast("gather", dim=9), dcube.Forecast)
    assert_type(dcube.algorithms("permute"), list[dict[str, str]])
    dcube.set_plan_cache(Path("plans"))
    dcube.forget_plan_cache()


def arrays(machine: dcube.Machine) -> None:
    x = np.zeros((8, 8, 3))
    y, report = dcube.all_to_all(x, return_report=True)
    assert_type(report, dcube.Report)
    assert_type(y, npt.NDArray[Any])
    assert_type(dcube.all_reduce(x, "max", machine=machine), npt.NDArray[Any])
    dcube.all_gather(x, out=y)
    dcube.reduce_scatter(x, packets=3)
    dcube.reduce(x, root=1)
    dcube.broadcast(x, dim=3)
    dcube.scatter(x, 1)
    dcube.gather(x)
    dcube.permute(x, "inversion")
    dcube.exchange(x[:2], 0, 5, dim=3)
    dcube.send(x[0], 0, 5, dim=3)
    for turned in (dcube.transpose(x[0]), dcube.quarter_turn(x[0]), dcube.half_turn(x[0], "columns")):
        assert_type(turned, npt.NDArray[Any])
    dcube.relayout(x[0], "rows", "columns", machine=machine)


@dcube.program
def add_up(me: dcube.Node, number: int) -> Steps:
    me.phase("adding")
    sums = np.zeros(4)
    for port in range(me.ports):
        number += yield me.exchange(port, number)
        me.send(port, sums, copy=False)
        yield
        assert_type(me.receive(port, sums), npt.NDArray[Any])
        yield me.arrival(port)
        me.combine(port, sums, "max")
        me.copy(sums, sums)
    if me.arrived(0) and me.alive(0) and me.neighbour(0) < me.nodes:
        yield me.any_arrival([0, 1])
    yield me.until(me.step + 2)
    me.count("additions", 2)
    assert_type(me.random(), np.random.Generator)
    assert_type(me.topology, dcube.Topology)
    return number


def machines() -> None:
    machine = dcube.Machine(3, ports="one", tau=1, beta="1000", capacity=2, watch=True, threads=1)
    run = machine.run(add_up, range(8), seed=2, trace=True, failing="0-1@2", on_step=print)
    assert_type(run, dcube.ProgramRun)
    assert_type(run.steps + run.transmissions + run.lost, int)
    assert_type(run.results, list[Any])
    total = dcube.Machine(topology="ring:5").prepare("all-reduce", bytes=8, type="float64")
    assert_type(total, dcube.Prepared)
    assert_type(total.algorithm, str)


def schedules() -> None:
    moves = [(1, 0, 1, None), (2, 0, 2, None), (2, 1, 3, None)]
    verdict = dcube.judge(moves, "broadcast", dim=2)
    assert_type(verdict, dcube.Verdict)
    assert_type(dcube.replay(moves, "broadcast", name="mine", dim=2), dcube.Report)
    schedule = dcube.schedule_of("scatter", dim=3)
    dcube.save_trace(schedule, "trace.jsonl")
    assert_type(dcube.load_trace("trace.jsonl"), dcube.Schedule)


def pictures() -> None:
    page = dcube.view(ring, topology="ring:5", versus="all-gather")
    assert_type(page.html, str)
    page.save(Path("page.html"))
    figure = dcube.svg("scatter", dim=3, step=2, legend=False)
    assert_type(figure.svg, str)


def measurements() -> None:
    measured = dcube.bench("broadcast", dim=[3, 4], min_seconds=0.1)
    assert_type(measured.rows(), list[dict[str, Any]])
    assert_type(dcube.compare_benches(measured, "older.json"), dcube.BenchComparison)
    assert_type(dcube.limits(quick=True), dcube.Limits)


def errors() -> None:
    try:
        runs()
    except dcube.RuleViolation as error:
        assert_type(error.rule, str)
        assert_type(error.port, int | None)
        assert_type(error.film, dcube.Page | None)
    except dcube.TraceError as error:
        assert_type(error.index, int | None)
    except (dcube.InvalidArgument, dcube.ProgramError, dcube.VerificationError, dcube.Error):
        pass
