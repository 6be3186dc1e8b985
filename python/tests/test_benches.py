"""Benchmarks: their rows, documents and files, two of them compared, limits, and what is refused."""

from __future__ import annotations

import copy
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dcube

QUICK: dict[str, Any] = {"min_seconds": 0.01, "max_seconds": 0.05, "rounds": 6, "threads": 1}


@pytest.fixture(scope="module")
def sweep() -> dcube.Bench:
    return dcube.bench("all-to-all", topology=["hypercube:3", "torus:3x4", "circulant:8,1,3"], bytes=[8, 64], **QUICK)


def test_a_sweep_has_a_row_for_each_combination_the_last_argument_fastest(sweep: dcube.Bench) -> None:
    rows = sweep.rows()
    assert [(row["topology"], row["bytes"]) for row in rows] == [
        (name, size) for name in ("hypercube:3", "torus:3x4", "circulant:8,1,3") for size in (8, 64)]
    assert len(sweep) == 6


def test_a_sweep_may_be_an_array_or_an_iterator() -> None:
    for dims in (np.arange(2, 4), (dim for dim in (2, 3))):
        swept = dcube.bench("broadcast", dim=dims, **QUICK)
        assert [row["nodes"] for row in swept.rows()] == [4, 8]
        assert "3]" in swept.document["command"]


def test_a_row_has_size_median_interval_and_rates(sweep: dcube.Bench) -> None:
    for row in sweep.rows():
        assert 0 < row["seconds_low"] <= row["median_seconds"] <= row["seconds_high"]
        assert row["hops_per_second"] == pytest.approx(row["transmissions"] / row["median_seconds"])
        assert row["count"] + row["disturbed"] >= 6
        assert row["threads"] == 1
        assert "rounds" not in row
        assert not any(isinstance(value, (list, dict)) or value is None for value in row.values())


def test_a_row_has_no_groups_of_rounds(sweep: dcube.Bench) -> None:
    document = copy.deepcopy(sweep.document)
    document["cells"][0]["modes"] = [{"seconds": 1e-6, "rounds": 3}, {"seconds": 2e-6, "rounds": 3}]  # a busy machine
    assert "modes" not in dcube.Bench(json.dumps(document)).rows()[0]


def test_steps_are_those_of_a_run(sweep: dcube.Bench) -> None:
    for row in sweep.rows():
        assert row["steps"] == dcube.run("all-to-all", topology=row["topology"], bytes=row["bytes"]).steps


def test_the_document_says_what_was_asked_and_keeps_every_sample(sweep: dcube.Bench) -> None:
    document = sweep.document
    assert document["kind"] == "benchmark"
    assert document["command"].startswith("dcube.bench('all-to-all', topology=['hypercube:3', ")
    assert document["settings"]["rounds"] == 6
    for cell in document["cells"]:
        assert sum(len(one["samples_seconds"]) for one in cell["rounds"]) == cell["count"]


def test_a_benchmark_is_kept_in_files_that_the_program_reads(sweep: dcube.Bench, tmp_path: Path) -> None:
    sweep.save(tmp_path / "sweep.json")
    assert dcube.Bench.load(tmp_path / "sweep.json") == sweep
    assert pickle.loads(pickle.dumps(sweep)) == sweep
    program = os.environ.get("DCUBE")
    if program:
        printed = subprocess.run([program, "bench", "--read", tmp_path / "sweep.json", "--format", "json"],
                                 capture_output=True, text=True, check=True).stdout
        assert json.loads(printed)["cells"] == sweep.document["cells"]


def test_a_file_that_is_no_benchmark_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text('{"kind": "limits"}', encoding="utf-8")
    with pytest.raises(dcube.InvalidArgument, match="was not written by dcube bench: its kind is 'limits'"):
        dcube.Bench.load(tmp_path / "other.json")


def test_cells_that_cannot_be_measured_are_left_out_with_the_reason() -> None:
    bench = dcube.bench("all-to-all", topology=["hypercube:3", "ring:5"], algorithm="dimension-exchange", **QUICK)
    assert len(bench) == 1
    assert list(bench.left_out) == ["all-to-all, by dimension-exchange, ring:5, 64 bytes, 1 thread"]
    assert "dimension-exchange" in next(iter(bench.left_out.values()))


def test_rivals_are_compared_with_the_first_that_does_the_same_work() -> None:
    bench = dcube.bench("all-to-all", dim=4, algorithm=["optimal", "dimension-exchange"], **QUICK)
    (rival,) = bench.rivals()
    assert "dimension-exchange" in rival["cell"]
    assert "optimal" in rival["against"]
    assert rival["verdict"] in ("faster", "slower", "equal", "cannot tell")


def changed(bench: dcube.Bench, factor: float) -> dcube.Bench:
    """As it would be if everything had taken so much longer, on a machine that nobody else used."""
    document = json.loads(bench.to_json())
    for cell in document["cells"]:
        cell["doubts"] = []
        cell["median_seconds"] *= factor
        for one in cell["rounds"]:
            one["samples_seconds"] = [factor * 1e-5 * (1 + 1e-4 * i) for i in range(3)]
            one["disturbed_seconds"] = one["disturbed_bounds"] = []
    return dcube.Bench(json.dumps(document))


def test_two_benchmarks_are_compared_cell_by_cell(sweep: dcube.Bench, tmp_path: Path) -> None:
    before = changed(sweep, 1)
    slower = dcube.compare_benches(before, changed(sweep, 2))
    assert [row["verdict"] for row in slower.rows()] == ["slower"] * 6
    for row in slower.rows():
        assert row["ratio"] == pytest.approx(2)
        assert row["ratio_low"] < 2 < row["ratio_high"]
    assert repr(slower) == "<BenchComparison of 6 cells: 6 slower>"
    assert slower.differences == slower.only_old == slower.only_new == []
    assert [row["verdict"] for row in dcube.compare_benches(before, before).rows()] == ["equal"] * 6
    before.save(tmp_path / "before.json")
    assert dcube.compare_benches(tmp_path / "before.json", changed(sweep, 0.5)).rows()[0]["verdict"] == "faster"


def test_doubtful_cells_are_not_judged(sweep: dcube.Bench) -> None:
    document = json.loads(changed(sweep, 2).to_json())
    document["cells"][0]["doubts"] = ["few: a test"]
    del document["cells"][0]["rounds"][5:]
    comparison = dcube.compare_benches(changed(sweep, 1), dcube.Bench(json.dumps(document)))
    assert comparison.rows()[0]["verdict"] == "cannot tell"
    assert comparison.rows()[0]["doubts"] == "new: few: a test"
    assert comparison._repr_html_().count("new: few: a test") == 1 and "<th>doubts" not in comparison._repr_html_()
    assert comparison.rows()[1]["verdict"] == "slower"


def test_tables_for_notebooks_are_escaped(sweep: dcube.Bench) -> None:
    text = changed(sweep, 1).to_json().replace("torus:3x4", "graph:<b>")
    assert "&lt;b&gt;" in dcube.Bench(text)._repr_html_()
    assert "<b>" not in dcube.Bench(text)._repr_html_()
    assert "&lt;b&gt;" in dcube.compare_benches(dcube.Bench(text), dcube.Bench(text))._repr_html_()


@pytest.mark.parametrize(("question", "message"), [
    ({"rounds": 0}, "rounds 0 is too small: 1 to 1000 are allowed"),
    ({"min_seconds": 5.0, "max_seconds": 1.0}, "max_seconds 1 is less than min_seconds 5"),
    ({"min_seconds": float("nan")}, "min_seconds nan is"),
    ({"dim": [3, 3]}, "a cell is asked for twice: all-to-all, hypercube:3"),
    ({"dim": []}, "an argument that is swept has no values"),
    ({"repeat": 2}, "repeat is not for bench"),
    ({"algorithm": "best"}, "all-to-all has no algorithm 'best'"),
    ({"pin": "somewhere"}, "'somewhere' is not a kind of pinning"),
])
def test_what_cannot_be_measured_is_refused(question: dict[str, Any], message: str) -> None:
    with pytest.raises(dcube.InvalidArgument, match=message):
        dcube.bench("all-to-all", **{"dim": 3, **question})


def test_an_algorithm_of_python_is_not_measured() -> None:
    @dcube.algorithm("broadcast")
    def still(me: dcube.Node, mine: Any, out: Any) -> Any:
        yield

    with pytest.raises(dcube.InvalidArgument, match="an algorithm made in Python is not measured"):
        dcube.bench("broadcast", dim=2, algorithm=still)
    with pytest.raises(dcube.InvalidArgument, match="an algorithm made in Python is not measured"):
        dcube.bench(still, dim=2)  # type: ignore[arg-type]


def test_unknown_arguments_are_type_errors() -> None:
    with pytest.raises(TypeError, match="'size' is not an argument"):
        dcube.bench("all-to-all", dim=3, size=4)  # type: ignore[call-arg]


def test_limits_are_measured_kept_and_found_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    limits = dcube.limits(quick=True, threads=1)
    assert limits.kept == f"kept in {tmp_path}/dcube/limits.json"
    assert limits["quick"]
    figures = {row["figure"] for row in limits.rows()}
    assert {"copies", "scattered blocks", "barrier", "empty step", "channel"} <= figures
    assert all(row["value"] > 0 for row in limits.rows())
    again = dcube.limits()
    assert again.kept == ""
    assert again["limits"] == limits["limits"]
    bench = dcube.bench("all-to-all", dim=4, **QUICK)
    assert bench.rows()[0]["limit_seconds"] > 0


def test_limits_of_impossible_threads_are_refused() -> None:
    with pytest.raises(dcube.InvalidArgument, match="threads 0 is too small"):
        dcube.limits(threads=0)


def test_other_threads_go_on_while_it_measures() -> None:
    ticks = 0
    over = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not over.is_set():
            ticks += 1
            time.sleep(0.002)

    thread = threading.Thread(target=tick)
    thread.start()
    dcube.bench("all-to-all", dim=4, threads=1, min_seconds=0.3)
    over.set()
    thread.join()
    assert ticks > 5


ENDLESS = """
import dcube, sys
print("begun", flush=True)
try:
    {}
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.parametrize("call", [
    'dcube.bench("all-to-all", dim=5, min_seconds=60, threads=1)',
    'dcube.bench("all-to-all", topology="circulant:150,1,7", threads=1)',  # while it plans
    "dcube.limits(measure=True, keep=False)",
])
def test_ctrl_c_ends_a_measurement(call: str) -> None:
    child = subprocess.Popen([sys.executable, "-c", ENDLESS.format(call)], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "begun\n"
    time.sleep(0.5)
    began = time.monotonic()
    child.send_signal(signal.SIGINT)
    assert child.communicate(timeout=30)[0] == "interrupted\n"
    assert time.monotonic() - began < 10  # 0.1 s on a machine that has time


def test_arguments_that_are_mistyped() -> None:
    with pytest.raises(TypeError, match="'min_second' is not an argument: did you mean min_seconds"):
        dcube.bench("all-to-all", dim=2, min_second=0.1)
