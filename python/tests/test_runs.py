"""Runs, comparisons, sweeps, bounds and forecasts: what is asked, and what comes back."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dcube
from dcube import _core

NETWORKS = ["hypercube:3", "ring:5", "torus:3x4", "mesh:2x3", "ring:5*path:3", "circulant:9,1,3",
            "hypercube:3 without 0-1,6", "complete:4"]

# What differs from run to run, or is the program's alone.
VARYING = {"wall_seconds", "hops_per_second", "link_bytes_per_second", "peak_memory_bytes", "date", "planning_seconds",
           "warm_runs"}


@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize("collective", ["broadcast", "all-to-all", "all-reduce", "gather"])
def test_every_run_is_verified_and_not_better_than_the_bounds(collective: str, network: str) -> None:
    report = dcube.run(collective, topology=network, bytes=16)
    assert report.verified and report.blocks_verified > 0
    assert report.steps >= report.steps_lower_bound
    assert report.transmissions >= report.transmissions_lower_bound
    assert report.optimal == (report.steps == report.steps_lower_bound)
    assert report.topology == network


@pytest.mark.parametrize(("name", "collective"), [("bcast", "broadcast"), ("alltoall", "all-to-all"),
                                                  ("MPI_Allreduce", "all-reduce"), ("ncclAllGather", "all-gather")])
def test_names_of_mpi_and_nccl(name: str, collective: str) -> None:
    assert dcube.run(name, dim=2)["collective"] == collective


def test_names_of_mpi_and_nccl_are_no_functions_but_say_which_is_meant() -> None:
    for name, function in [("allreduce", "all_reduce"), ("alltoall", "all_to_all"), ("bcast", "broadcast"),
                           ("MPI_Reduce_scatter", "reduce_scatter"), ("matrix_transpose", "transpose")]:
        with pytest.raises(AttributeError, match=f"no attribute '{name}': did you mean {function}?"):
            getattr(dcube, name)
    with pytest.raises(AttributeError, match="no attribute 'barrier'$"):
        dcube.barrier
    assert not hasattr(dcube, "__wrapped__")


def test_the_package_is_no_program() -> None:
    def said(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-m", "dcube", *words], capture_output=True, text=True, timeout=60)

    alone, asked = said(), said("run", "broadcast")
    assert alone.returncode == 0 and alone.stdout.startswith(f"dcube {dcube.__version__}, the Python package")
    assert asked.returncode == 2 and asked.stdout == "" and asked.stderr == alone.stdout


def test_a_broadcast_on_a_cube_is_optimal() -> None:
    report = dcube.run("broadcast", dim=3)
    assert (report.steps, report.transmissions, report.optimal) == (3, 7, True)
    assert report["steps"] == 3


def test_keys_are_those_of_reports_in_their_order() -> None:
    assert list(dcube.run("broadcast", dim=2)) == list(_core.report_keys)


QUESTIONS: list[tuple[list[str], dict[str, Any]]] = [
    (["broadcast", "--dim", "3"], {"dim": 3}),
    (["all-reduce", "--topology", "torus:3x4", "--bytes", "32", "--type", "float64", "--operation", "max", "--threads",
      "1"],
     {"topology": "torus:3x4", "bytes": 32, "type": np.float64, "operation": "max", "threads": 1}),
    (["scatter", "--topology", "ring:5*path:3", "--root", "4", "--ports", "one", "--packets", "2", "--seed", "7"],
     {"topology": "ring:5*path:3", "root": 4, "ports": "one", "packets": 2, "seed": 7}),
    (["all-to-all", "--dim", "3", "--tau", "5/2", "--beta", "0.1", "--bytes", "5", "--clock", "lockstep"],
     {"dim": 3, "tau": Fraction(5, 2), "beta": 0.1, "bytes": 5, "clock": "lockstep"}),
    (["permute", "--dim", "3", "--permutation", "bit-reversal"], {"dim": 3, "permutation": "bit-reversal"}),
    (["send", "--dim", "4", "--root", "1", "--peer", "6", "--machine", "ncube3", "--bytes", "4KiB"],
     {"dim": 4, "root": 1, "peer": 6, "machine": "ncube3", "bytes": "4KiB"}),
    (["matrix-relayout", "--dim", "2", "--rows", "8", "--columns", "4", "--layout", "rows-striped", "--to-layout",
      "rows-blocked", "--type", "int32"],
     {"dim": 2, "rows": 8, "columns": 4, "layout": "rows-striped", "to_layout": "rows-blocked", "type": np.int32}),
    (["all-gather", "--dim", "3", "--in-place"], {"dim": 3, "in_place": True}),
    (["broadcast", "--topology", "hypercube:3 without 0-1", "--fail-link", "5-7@9"],
     {"topology": "hypercube:3 without 0-1", "failing": ["5-7@9"]}),
]


@pytest.mark.skipif("DCUBE" not in os.environ, reason="DCUBE names the program dcube, as ctest does")
@pytest.mark.parametrize(("arguments", "question"), QUESTIONS, ids=lambda one: " ".join(one)[:40] if one else "")
def test_the_json_is_the_programs(arguments: list[str], question: dict[str, Any]) -> None:
    command = [os.environ["DCUBE"], "run", *arguments, "--repeat", "1", "--format", "json"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    own = dcube.run(arguments[0], **question).to_json()

    def kept(text: str) -> list[str]:
        return [line for line in text.strip().splitlines()
                if not line.strip().startswith(tuple(f'"{key}"' for key in VARYING))
                and '"limit_' not in line and '"share_of_limit"' not in line]

    assert kept(own) == kept(printed)
    assert list(json.loads(own)) == list(json.loads(printed))


def test_times_are_exact() -> None:
    report = dcube.run("broadcast", dim=3, tau="5/2", beta=0.1, bytes=7)
    assert report.tau_ns_per_byte == Fraction(5, 2)
    assert report.beta_ns == Fraction(1, 10)
    assert isinstance(report.virtual_time_ns, (int, Fraction))
    assert report.virtual_time_ns >= report.time_lower_bound_ns
    assert isinstance(dcube.run("broadcast", dim=3, tau=2, beta=1000).virtual_time_ns, int)


@pytest.mark.parametrize(("tau", "exact"), [
    (0.1, Fraction(1, 10)), (np.float64(0.1), Fraction(1, 10)), (np.float32(0.1), Fraction(1, 10)), (3, 3),
    (np.int64(3), 3), ("0.25", Fraction(1, 4)), (1e-5, Fraction(1, 100000)), (Fraction(7, 3), Fraction(7, 3)), (2.0, 2),
])
def test_tau_is_the_number_as_it_is_written(tau: Any, exact: Fraction) -> None:
    assert dcube.run("broadcast", dim=2, tau=tau, beta=1).tau_ns_per_byte == exact


@pytest.mark.parametrize("given", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32",
                                   "float64"])
def test_types_by_name_and_as_numpy_has_them(given: str) -> None:
    by_name = dcube.run("all-reduce", dim=2, type=given)
    for same in (np.dtype(given), getattr(np, given)):
        report = dcube.run("all-reduce", dim=2, type=same)
        assert (report.type, report.result_digest) == (by_name.type, by_name.result_digest)


@pytest.mark.parametrize(("tau", "simplest"), [
    (1 / 3, Fraction(1, 3)), (1 / 46, Fraction(1, 46)), (0.1 + 0.2, Fraction(3, 10)),
    (np.float64(2) / 7, Fraction(2, 7)),
    (np.longdouble(1) / 3, Fraction(1, 3)), (Decimal("0.25"), Fraction(1, 4)), (Decimal(1) / 3, Fraction(1, 3)),
    (Fraction(1, 46), Fraction(1, 46)), (123456789 / 1e9, Fraction(123456789, 10**9)), (1e3 / 3, Fraction(1000, 3)),
    (np.float32(1 / 3), Fraction(33333334, 10**8)), (1.25e-7, Fraction(1, 8 * 10**6)),
])
def test_quotients_are_the_simplest_fractions_that_are_as_near_as_floats_are(tau: Any, simplest: Fraction) -> None:
    for name, given in (("tau", "tau_ns_per_byte"), ("beta", "beta_ns")):
        question = {"tau": 0, "beta": 0, name: tau}
        assert dcube.run("broadcast", dim=2, **question)[given] == simplest
        link = dcube.Machine(2, **question).link
        assert link is not None and link[name] == simplest


@pytest.mark.parametrize("tau", [1e-12, Decimal("0.12345678901234567890123"), float("inf"), Decimal("NaN"), 1e300,
                                 -0.5])
def test_numbers_that_links_cannot_have(tau: Any) -> None:
    with pytest.raises(dcube.InvalidArgument, match="tau"):
        dcube.run("broadcast", dim=2, tau=tau, beta=1)


def test_permutations_by_name_and_as_lists() -> None:
    targets = dcube.permutation("random", "hypercube:3", seed=5)
    assert targets.shape == (8,) and sorted(targets) == list(range(8))
    for same in (targets, list(targets), tuple(int(n) for n in targets)):
        assert dcube.run("permute", dim=3, permutation=same)["permutation"] == list(targets)


def test_none_is_not_given() -> None:
    report = dcube.run("broadcast", dim=3, topology=None, tau=None, bytes=None, failing=None)
    assert report.bytes == 64 and report.question == {"collective": "broadcast", "dim": 3}


@pytest.mark.parametrize(("question", "words"), [
    ({}, "dim is missing"),
    ({"dim": 3, "topology": "ring:5"}, "dim cannot be used together with topology: each is a network"),
    ({"dim": 25}, "dim 25 is too large: 0 to 24 are allowed"),
    ({"dim": -1}, "0 to 24 are allowed"),
    ({"topology": "rings:5"}, "torus:8x8x8, mesh:4x6"),
    ({"dim": 3, "root": 8}, "root 8 is too large: 0 to 7 are allowed"),
    ({"dim": 3, "root": -1}, "0 to 7 are allowed"),
    ({"dim": 3, "bytes": -1}, "bytes"),
    ({"dim": 3, "packets": -1}, "packets -1 is too small"),
    ({"dim": 3, "ports": "two"}, "ports: 'two' is not a port model"),
    ({"dim": 3, "tau": 1}, "tau and beta"),
    ({"dim": 3, "tau": -1, "beta": 1}, "tau"),
    ({"dim": 3, "tau": float("nan"), "beta": 1}, "tau"),
    ({"dim": 3, "tau": 1, "beta": 1, "duplex": "half"}, "duplex half is for one port: give ports one"),
    ({"dim": 3, "ports": "one", "duplex": "half"}, "duplex is for the link-bound model"),
    ({"dim": 3, "tau": 1, "beta": 1, "ports": "one", "duplex": "both"}, "'both' is not a duplex"),
    ({"dim": 3, "machine": "abacus"}, "ncube3"),
    ({"dim": 3, "clock": "lockstep"}, "clock is for the link-bound model"),
    ({"dim": 3, "algorithm": "fastest"}, "recursive-doubling"),
    ({"dim": 3, "operation": "sum"}, "operation does not apply to broadcast"),
    ({"dim": 3, "peer": 1}, "peer does not apply to broadcast"),
    ({"dim": 3, "to_layout": "rows-striped"}, "to_layout does not apply to broadcast"),
    ({"dim": 3, "rows": 3}, "rows does not apply to broadcast"),
    ({"dim": 3, "columns": 3}, "columns does not apply to broadcast"),
    ({"dim": 3, "in_place": True}, "in_place is not possible for broadcast"),
    ({"dim": 3, "groups": 2}, "groups is for the link-bound model"),
    ({"dim": 3, "failing": ["0-3@1"]}, "0-3"),
    ({"dim": 3, "failing": ["0-1"]}, "0-1"),
    ({"dim": 3, "threads": 0}, "1 to 1024 are allowed"),
    ({"dim": 3, "pin": "loosely"}, "none, compact, scatter, no-smt, one-per-l3 or processors such as 0,2,4-7"),
    ({"dim": 3, "channel": "pipe"}, "slots"),
    ({"dim": 3, "capacity": 0}, "capacity 0 is too small"),
    ({"dim": 3, "memory_limit": 1024}, "available: 1024 bytes"),
    ({"dim": 3, "repeat": 0}, "repeat 0 is too small"),
    ({"dim": 3, "seed": -1}, "seed"),
])
def test_refusals_say_what_is_allowed_and_name_arguments(question: dict[str, Any], words: str) -> None:
    with pytest.raises(dcube.InvalidArgument) as refused:
        dcube.run("broadcast", **question)
    assert words in str(refused.value)
    assert "--" not in str(refused.value)
    assert isinstance(refused.value, ValueError) and "\n" not in str(refused.value)


@pytest.mark.parametrize(("collective", "question", "words"), [
    ("permute", {}, "permutation is missing"),
    ("permute", {"permutation": [0, 0, 1, 2]}, "permutation"),
    ("permute", {"permutation": [0, 1]}, "permutation"),
    ("send", {}, "peer is missing"),
    ("matrix-transpose", {}, "rows is missing: a matrix has rows and columns"),
    ("all-reduce", {"type": ">f8"}, "byte order"),
    ("all-reduce", {"type": np.complex128}, "int8, int16, .*float64, .*double-int64$"),
    ("all-reduce", {"type": "flaot32"}, "did you mean float32"),
    ("permute", {"permutation": [0, 1, 2, 2]},
     "permutation: node 2 is named twice, for nodes 2 and 3: once is allowed$"),
    ("all-reduce", {"operation": "product"}, "sum, min, max"),
    ("all-too-all", {}, "did you mean all-to-all"),
    ("", {}, "collective is missing"),
])
def test_refusals_of_collectives(collective: str, question: dict[str, Any], words: str) -> None:
    with pytest.raises(dcube.InvalidArgument, match="(?s).*" + words):
        dcube.run(collective, dim=2, **question)


@pytest.mark.parametrize(("given", "reported"), [
    ("float32", "float"), ("<f8", "double"), ("double", "double"), (float, "double"), (np.float32, "float"),
    (np.dtype("u2"), "uint16"), ("i4", "int32"), ("int64", "int64"), (int, "int64"), ("intc", "int32"),
])
def test_types_are_those_of_numpy_and_of_reports(given: Any, reported: str) -> None:
    assert dcube.run("all-reduce", dim=2, type=given).type == reported


@pytest.mark.parametrize(("given", "expected"), [
    ("float", "float32 or float64"), ("int", "int32 or int64"), ("uint", "uint32 or uint64"), ("FLOAT", "float32"),
])
def test_names_that_c_and_numpy_take_for_different_types_are_refused(given: str, expected: str) -> None:
    for call in (dcube.run, dcube.bounds, dcube.forecast):
        with pytest.raises(dcube.InvalidArgument, match=f"type '{given}' has 64 bits in NumPy.*{expected}"):
            call("all-reduce", dim=2, type=given)
    # What a trace says is C's.
    schedule = dcube.schedule_of("all-reduce", dim=1, type="float32")
    assert schedule.header["type"] == "float" and schedule.question["type"] == "float32"
    assert dcube.replay(schedule).type == "float"


@pytest.mark.parametrize(("question", "words"), [
    ({"dim": "ring:5"}, "given as topology='ring:5'"),
    ({"dim": dcube.Topology("ring:5")}, "given as topology='ring:5'"),
    ({"dim": 2, "failing": [(0, 1, 2)]}, "such as '0-1@3', not of tuple$"),
    ({"dim": 2, "type": ["int8"]}, "not list \\(sweep"),
    ({"dim": 2, "machine": dcube.Machine(2)}, "such as 'ncube3'"),
    ({"dim": 2, "algorithm": len}, "an Algorithm, not builtin"),
    ({"dim": 2, "algorithm": lambda me, mine, out: (yield)}, "@dcube.algorithm"),
])
def test_what_is_of_another_type_says_what_is_meant(question: dict[str, Any], words: str) -> None:
    with pytest.raises(TypeError, match=words):
        dcube.run("broadcast", **question)


@pytest.mark.parametrize(("call", "words"), [
    (lambda: dcube.permutation("rotation", "ring:5", seed=1.5), "seed is an int, not float"),
    (lambda: dcube.permutation(5, "ring:5"), "name is a str, not int"),
    (lambda: dcube.exchange_bounds("ring:5", ports=1), "ports is a str, not int"),
    (lambda: dcube.algorithms(3), "collective is a str, not int"),
    (lambda: dcube.algorithm("broadcast", ports=1)(lambda me, mine, out: (yield)), "ports is a str, not int"),
    (lambda: dcube.algorithm("broadcast", name=1)(lambda me, mine, out: (yield)), "name is a str, not int"),
    (lambda: dcube.replay([(1, 0, 1)], "broadcast", dim=1, name=3), "name is a str, not int"),
])
def test_arguments_of_another_type_are_named(call: Any, words: str) -> None:
    with pytest.raises(TypeError, match=f"^{words}$"):
        call()


def test_unknown_arguments_are_listed() -> None:
    for call in (dcube.run, dcube.compare, dcube.sweep, dcube.bounds, dcube.forecast):
        with pytest.raises(TypeError, match="'dims' is not an argument: did you mean dim.*topology.*watch"):
            call("broadcast", dims=3)  # type: ignore[operator]


@pytest.mark.parametrize("question", [{"bytes": 1.5}, {"bytes": True}, {"root": None, "packets": []}, {"tau": True},
                                      {"tau": 1j, "beta": 1}, {"algorithm": 3}, {"watch": 1}, {"topology": 5},
                                      {"permutation": 3}, {"permutation": [0.5]}, {"operation": 1}])
def test_values_of_another_type(question: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        dcube.run("permute", **{"dim": 2, **question} if "topology" not in question else question)
    with pytest.raises(TypeError):
        dcube.run(3, dim=2)  # type: ignore[arg-type]


def test_what_fails_is_named() -> None:
    with pytest.raises(dcube.RuleViolation) as broken:
        dcube.run("all-reduce", dim=3, failing=["5-7@2"])
    assert broken.value.rule == "packet-lost"
    assert (broken.value.step, broken.value.node, broken.value.port) == (2, 5, 1)
    assert isinstance(broken.value, RuntimeError)
    assert dcube.run("broadcast", dim=3, failing="5@9").failing == ["5@9"]


def test_comparisons_have_the_best_first_and_full_names() -> None:
    reports = dcube.compare("broadcast", dim=4, bytes=1024, tau=1, beta=1000)
    times = [report.virtual_time_ns for report in reports]
    assert times == sorted(times)
    names = [report.algorithm for report in reports]
    assert len(set(names)) == len(names)
    assert {"pipelined", "unit:pipelined"} <= set(names)
    assert reports.left_out == {}
    for report in reports:
        again = dcube.run(**report.question)
        assert (again.algorithm, again.virtual_time_ns) == (report.algorithm, report.virtual_time_ns)


@pytest.mark.parametrize("network", NETWORKS)
def test_comparisons_say_what_is_left_out(network: str) -> None:
    reports = dcube.compare("all-to-all", topology=network, packets=3, ports="one")
    counts = [(report.steps, report.transmissions) for report in reports]
    assert counts == sorted(counts) and all(report.verified for report in reports)
    shown = {report.algorithm for report in reports}
    assert not shown & set(reports.left_out)
    assert all(why and "--" not in why for why in reports.left_out.values())
    made_for_it = {one["name"] for one in dcube.algorithms("all-to-all")}
    assert shown | set(reports.left_out) <= made_for_it


def test_comparisons_of_some_algorithms() -> None:
    some = dcube.compare("all-to-all", dim=3, algorithm=["optimal", "local-rules"])
    assert {report.algorithm for report in some} | set(some.left_out) == {"optimal", "local-rules"}
    assert [report.algorithm for report in dcube.compare("all-to-all", dim=3, algorithm="optimal")] == ["optimal"]
    with pytest.raises(dcube.InvalidArgument, match="no algorithm can do this"):
        dcube.compare("all-to-all", dim=3, algorithm="none-of-that-name")


def test_sweeps_go_through_all_combinations_the_last_fastest() -> None:
    reports = dcube.sweep("broadcast", dim=range(2, 4), root=0, packets=[1, 3], ports=("all",))
    assert [(report.dimensions, report.packets) for report in reports] == [(2, 1), (2, 3), (3, 1), (3, 3)]
    assert reports[1].question == {"collective": "broadcast", "dim": 2, "root": 0, "packets": 3, "ports": "all"}
    lists = dcube.sweep("permute", topology=["ring:4", "path:4"], permutation=[1, 2, 3, 0])
    assert [report["permutation"] for report in lists] == [[1, 2, 3, 0]] * 2
    assert len(dcube.sweep("broadcast", dim=[])) == 0


def test_sweeps_take_arrays_ranges_and_iterators() -> None:
    for dims in (range(2, 4), [2, 3], (2, 3), np.arange(2, 4), np.linspace(2, 3, 2), iter([2, 3]), (d for d in (2, 3)),
                 np.array([2, 3], "u1")):
        assert [report.dimensions for report in dcube.sweep("broadcast", dim=dims)] == [2, 3]
    sizes = dcube.sweep("broadcast", dim=2, bytes=np.logspace(1, 3, 3))
    assert [report.bytes for report in sizes] == [10, 100, 1000]
    taus = dcube.sweep("broadcast", dim=2, beta=1, tau=np.array([0.1, 0.25], "f4"))
    assert [report.tau_ns_per_byte for report in taus] == [Fraction(1, 10), Fraction(1, 4)]
    assert dcube.sweep("broadcast", dim=2, bytes=np.int64(8))[0].bytes == 8
    assert len(dcube.sweep("permute", dim=2, permutation=np.array([1, 0, 3, 2]))) == 1
    for wrong, words in [({2, 3}, "dim is a set, which has no order: give a list"),
                         (np.ma.arange(3), "mask would be lost"), (np.ones((2, 2)), "an array of 2 axes")]:
        with pytest.raises(TypeError, match=words):
            dcube.sweep("broadcast", dim=wrong)


def test_sweeps_go_on_where_a_combination_is_impossible() -> None:
    reports = dcube.sweep("all-to-all", algorithm=["staircase", "dimension-exchange"],
                          topology=["hypercube:2", "ring:5"], bytes=8)
    assert [(report.algorithm, report.topology) for report in reports] == [
        ("staircase", "hypercube:2"), ("dimension-exchange", "hypercube:2")]
    assert list(reports.left_out) == ["algorithm=staircase, topology=ring:5",
                                      "algorithm=dimension-exchange, topology=ring:5"]
    assert all("hypercube" in why for why in reports.left_out.values())
    same = dcube.sweep("broadcast", topology=["ring:3", "rings:3", "rings:3", dcube.Topology("path:3")], root=[1])
    assert list(same.left_out) == ["topology=rings:3, root=1", "topology=rings:3, root=1 (3)"] and len(same) == 2
    sizes = dcube.sweep("broadcast", dim=2, bytes=[1, 2.5, 0, 8])
    assert [report.bytes for report in sizes] == [1, 0, 8]
    assert sizes.left_out["bytes=2.5"] == "TypeError: bytes is an int, not float"
    lost = dcube.sweep("broadcast", dim=3, algorithm=["recursive-doubling", "independent-trees"], failing=["3-7@3"])
    assert len(lost) == 1 and all("packet-lost" in why for why in lost.left_out.values())

    @dcube.algorithm("all-gather")
    def on_rings(me: dcube.Node, mine: np.ndarray, out: np.ndarray) -> Any:
        me.copy(out[me.id], mine)
        if me.ports > 2:
            raise KeyError("no ring")
        for step in range(me.nodes - 1):
            me.send(me.port_to(0, 1), out[(me.id - step) % me.nodes])
            yield
            me.receive(me.port_to(0, -1), out[(me.id - step - 1) % me.nodes])

    own = dcube.sweep(on_rings, topology=["ring:3", "torus:3x3", "ring:5"])
    assert [report.nodes for report in own] == [3, 5]
    assert own.left_out == {"topology=torus:3x3": "KeyError: 'no ring' (dcube: at node 0, in step 1)"}
    with pytest.raises(dcube.InvalidArgument, match="did you mean broadcast"):  # where nothing can be run
        dcube.sweep("broadcsat", dim=[2, 3])


def test_one_wrong_algorithm_does_not_spoil_a_comparison() -> None:
    def made(name: str, program: Any) -> dcube.Algorithm:
        return dcube.algorithm("all-gather", name=name)(program)

    def idle(me: dcube.Node, mine: np.ndarray, out: np.ndarray) -> Any:
        yield

    def hasty(me: dcube.Node, mine: np.ndarray, out: np.ndarray) -> Any:
        me.receive(0)
        yield

    def failing(me: dcube.Node, mine: np.ndarray, out: np.ndarray) -> Any:
        yield
        1 / (me.id - 2)

    own = [made("idle", idle), made("hasty", hasty), made("failing", failing), made("idle", failing)]
    reports = dcube.compare("all-gather", dim=2, also=own)
    assert [report.algorithm for report in reports] == [
        report.algorithm for report in dcube.compare("all-gather", dim=2)]
    assert "node 0: byte 0" in reports.left_out["idle"]
    assert reports.left_out["hasty"].startswith("nothing-arrived in step 1 at node 0, port 0")
    assert reports.left_out["failing"] == "ZeroDivisionError: division by zero (dcube: at node 2, in step 2)"
    assert reports.left_out["idle (2)"] == reports.left_out["failing"]
    assert "idle" in dcube.compare(own[0], dim=2).left_out

    def leaving(me: dcube.Node, mine: np.ndarray, out: np.ndarray) -> Any:
        yield
        raise SystemExit(3)

    with pytest.raises(SystemExit):
        dcube.compare("all-gather", dim=2, also=[made("leaving", leaving)])


@pytest.mark.parametrize("network", NETWORKS)
def test_bounds_are_those_of_reports(network: str) -> None:
    report = dcube.run("all-to-all", topology=network)
    bounds = dcube.bounds("all-to-all", topology=network)
    assert bounds["steps"] == report.steps_lower_bound
    assert bounds["transmissions"] == report.transmissions_lower_bound
    assert bounds["steps_reason"] and bounds["transmissions_reason"]
    assert bounds["time_ns"] is None and bounds["time_reason"] is None
    timed = dcube.bounds("broadcast", topology=network, tau="1/3", beta=2)
    assert timed["time_ns"] == dcube.run("broadcast", topology=network, tau="1/3", beta=2).time_lower_bound_ns
    assert timed["steps"] is None and timed["time_reason"]


def test_bounds_of_exchanges() -> None:
    bounds = {bound["name"]: bound for bound in dcube.exchange_bounds("torus:6x6")}
    assert max(bound["steps"] for bound in bounds.values()) == dcube.bounds("all-to-all", topology="torus:6x6")["steps"]
    assert isinstance(bounds["L6"]["value"], (int, Fraction)) and bounds["L6"]["reason"]
    assert "L1" in {bound["name"] for bound in dcube.exchange_bounds(dcube.Topology("ring:5"), ports="one")}
    with pytest.raises(dcube.InvalidArgument):
        dcube.exchange_bounds("ring:5", ports="two")


def test_forecasts_say_what_a_run_counts() -> None:
    question: dict[str, Any] = {"topology": "torus:4x4", "bytes": 100, "tau": 1, "beta": 10}
    foreseen = dcube.forecast("all-gather", **question)
    report = dcube.run("all-gather", **question)
    for key in ("algorithm", "steps", "transmissions", "link_bytes", "predicted_time_ns", "time_lower_bound_ns"):
        assert foreseen[key] == report[key]
    assert foreseen.memory_bytes > 0 and foreseen.predicted_seconds > 0
    assert foreseen.question["collective"] == "all-gather"
    assert "forecast" in repr(foreseen).lower() and "<table>" in foreseen._repr_html_()


def test_the_catalogue() -> None:
    everything = dcube.algorithms()
    assert {tuple(one) for one in everything} == {
        ("collective", "name", "paper", "origin", "summary", "ports", "link_model", "networks")}
    broadcasts = dcube.algorithms("broadcast")
    assert broadcasts == [one for one in everything if one["collective"] == "broadcast"]
    assert "recursive-doubling" in {one["name"] for one in broadcasts}
    with pytest.raises(dcube.InvalidArgument, match="did you mean"):
        dcube.algorithms("broadcasts")


def test_permutations() -> None:
    assert list(dcube.permutation("bit-reversal", "hypercube:3")) == [0, 4, 2, 6, 1, 5, 3, 7]
    assert dcube.permutation("random", "ring:9", seed=1).tolist() != dcube.permutation("random", "ring:9", 2).tolist()
    with pytest.raises(dcube.InvalidArgument, match="rotation"):
        dcube.permutation("shuffled", "hypercube:3")


def test_machine_options_count_nothing() -> None:
    plain = dcube.run("all-to-all", topology="torus:3x4")
    other = dcube.run("all-to-all", topology="torus:3x4", threads=1, channel="spsc", capacity=3, watch=True, repeat=2,
                      memory_limit="1GiB", pin="none")
    for key in ("steps", "transmissions", "result_digest"):
        assert plain[key] == other[key]
    assert (other.channel, other.channel_capacity, other.repeat) == ("spsc", 3, 2)
    assert (plain.threads_asked, other.threads_asked) == (None, 1)


def test_plans_are_kept_in_files(tmp_path: Path) -> None:
    folder = tmp_path / "plans"
    code = f"""
import dcube
dcube.set_plan_cache({str(folder)!r})
print(dcube.run("all-to-all", topology="circulant:60,1,7", bytes=1).steps)
dcube.forget_plan_cache()
"""

    def made() -> tuple[str, str]:
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
        return done.stdout, done.stderr

    first, second = made(), made()
    assert first == second and first[1] == ""
    plans = list(folder.iterdir())
    assert plans
    plans[0].write_text("rubbish")
    steps, warned = made()
    assert steps == first[0] and "RuntimeWarning" in warned and plans[0].name in warned


def test_folders_of_plans_that_cannot_be(tmp_path: Path) -> None:
    dcube.set_plan_cache(tmp_path)
    dcube.forget_plan_cache()
    (tmp_path / "file").write_text("")
    with pytest.raises(dcube.InvalidArgument):
        dcube.set_plan_cache(tmp_path / "file" / "below")


def test_an_algorithm_made_in_python_is_asked_like_any_other() -> None:
    @dcube.algorithm("all-gather")
    def lazy(me: dcube.Node, mine: np.ndarray, out: np.ndarray) -> Any:
        me.copy(out[me.id], mine)
        yield

    with pytest.raises(dcube.VerificationError):
        dcube.run(lazy, topology="ring:5", bytes=8)
    assert dcube.bounds(lazy, topology="ring:5") == dcube.bounds("all-gather", topology="ring:5")
    with pytest.raises(dcube.InvalidArgument, match="only a run shows"):
        dcube.forecast("all-gather", topology="ring:5", algorithm=lazy)
    with pytest.raises(dcube.InvalidArgument, match="was given already"):
        dcube.run(lazy, topology="ring:5", algorithm="auto")


def test_algorithms_made_in_python_are_compared_with_the_catalogue() -> None:
    @dcube.algorithm("all-gather")
    def round_about(me: dcube.Node, mine: np.ndarray, out: np.ndarray) -> Any:
        me.copy(out[me.id], mine)
        forth, back = me.port_to(0, 1), me.port_to(0, -1)
        for step in range(me.nodes - 1):
            me.send(forth, out[(me.id - step) % me.nodes])
            yield
            me.receive(back, out[(me.id - step - 1) % me.nodes])

    for reports in (dcube.compare("all-gather", topology="ring:7", also=[round_about]),
                    dcube.compare(round_about, topology="ring:7")):
        own = next(report for report in reports if report.algorithm == "round_about")
        assert own.steps == 6 and own.verified and own.question["algorithm"] is round_about
        assert dcube.run(**own.question).steps == 6
    other = dcube.compare("broadcast", topology="ring:7", also=[round_about])
    assert "all-gather" in other.left_out["round_about"]
    with pytest.raises(TypeError, match="also is a list of Algorithms"):
        dcube.compare("all-gather", dim=3, also=["ring"])  # type: ignore[list-item]


@pytest.mark.parametrize(("collective", "question"), [
    ("broadcast", {"algorithm": "pipelined", "groups": 3}),
    ("scatter", {"algorithm": "waves", "waves": "432|1"}),
    ("all-reduce", {"halvings": 2}),
    ("send", {"peer": 3, "algorithm": "subcubes", "groups": 2, "detour_groups": 4}),
])
def test_what_algorithms_for_links_that_take_time_choose(collective: str, question: dict[str, Any]) -> None:
    report = dcube.run(collective, dim=4, tau=1, beta=10, bytes=96, **question)
    assert report.verified
    for key in {"groups", "waves", "halvings", "detour_groups"} & set(question):
        assert report[key] == question[key]


@pytest.mark.parametrize(("question", "about", "given", "why"), [
    ({"dim": 25}, "dim", "25", "is too large: 0 to 24 are allowed"),
    ({"dim": 3, "root": 8}, "root", "8", "is too large: 0 to 7 are allowed"),
    ({"dim": 3, "seed": 2**64}, "seed", str(2**64), f"is too large: 0 to {2**64 - 1} are allowed"),
    ({"dim": 3, "tau": 1}, "beta", None, "is missing: the link-bound model needs tau and beta, or machine"),
    ({"dim": 3, "link": "two"}, "link", "'two'", "is not a link model: expected unit or link-bound"),
    ({"dim": 3, "link": "unit", "tau": 1}, "tau", None,
     "is for the link-bound model: it cannot be combined with link unit"),
    ({"dim": 3, "to_layout": "rows"}, "to_layout", None,
     "does not apply to broadcast: matrix-relayout has a layout afterwards"),
    ({"dim": 3, "capacity": 0}, "capacity", "0", "is too small: 1 to 65536 are allowed"),
    ({"dim": 3, "failing": ["0-3@1"]}, "failing", None, None),
    ({"topology": "rings:5"}, "topology", None, None),
    ({"dim": 3, "memory_limit": 1024}, None, None, None),
])
def test_errors_keep_what_they_are_about(question: dict[str, Any], about: str | None, given: str | None,
                                         why: str | None) -> None:
    with pytest.raises(dcube.InvalidArgument) as refused:
        dcube.run("broadcast", **question)
    error = refused.value
    assert (error.about, error.given) == (about, given)
    assert why is None or error.why == why
    assert str(error).endswith(error.why)
    assert given is None or str(error) == f"{about} {given} {why}"


@pytest.mark.parametrize(("call", "about", "given"), [
    (lambda: dcube.broadcast(np.zeros(2), 4, dim=2), "root", "4"),
    (lambda: dcube.all_gather(np.zeros((4, 2)), packets=3), "packets", "3"),
    (lambda: dcube.all_gather(np.zeros((3, 2))), "x", None),
    (lambda: dcube.judge([(1, 0, 1)]), "collective", None),
    (lambda: dcube.bench("broadcast", dim=2, repeat=2), "repeat", None),
    (lambda: dcube.svg("broadcast", dim=2, step=9), "step", "9"),
    (lambda: dcube.svg("broadcast", dim=2, steps=[1, 9]), "steps", "9"),
    (lambda: dcube.svg("broadcast", dim=2, step=1, at="1ns"), "at", None),
    (lambda: dcube.svg("broadcast", dim=2).save("it.pdf"), "path", "'it.pdf'"),
])
def test_errors_of_functions_have_the_parts_that_the_core_gives(call: Any, about: str, given: str | None) -> None:
    with pytest.raises(dcube.InvalidArgument) as refused:
        call()
    error = refused.value
    assert (error.about, error.given) == (about, given)
    assert str(error) == " ".join(filter(None, (about, given, error.why)))


def test_errors_of_a_list_are_about_its_nodes() -> None:
    for nodes, why in [([0, 1, 2, 8], "permutation: 8 is not a node of hypercube:2: nodes are 0 to 3"),
                       ([0, 1, 2, -1], "permutation: -1 is no node: nodes are 0, 1, 2, .."),
                       ([0, 1, 2, 2**70], f"permutation: {2**70} is no node: nodes are 0, 1, 2, .."),
                       ([0, 1, 2, 2], "permutation: node 2 is named twice"),
                       (np.arange(3), "permutation: 3 nodes are named")]:
        with pytest.raises(dcube.InvalidArgument) as refused:
            dcube.run("permute", dim=2, permutation=nodes)
        assert str(refused.value).startswith(why) and "line" not in str(refused.value)
        assert refused.value.about == "permutation"


def test_what_is_missing_is_an_argument_as_it_is_a_part_of_a_name() -> None:
    without = dcube.run("all-gather", topology="torus:3x4 without 0-1,7")
    for faults in ("0-1,7", ["0-1", "7"]):
        report = dcube.run("all-gather", topology="torus:3x4", faults=faults)
        assert (report.topology, report.steps) == (without.topology, without.steps)
    assert dcube.Machine(topology="torus:3x4", faults=["7"]).topology.members == 11
    assert dcube.run("broadcast", dim=2, faults=[], link="unit").link_model == "unit"
    schedule = dcube.schedule_of("broadcast", topology=dcube.Topology("ring:5"), faults="0-1")
    assert dcube.judge(schedule).steps == 4
    with pytest.raises(TypeError, match="faults is a list of texts such as '0-1', not of tuple"):
        dcube.run("broadcast", dim=2, faults=[(0, 1)])  # type: ignore[list-item]


@pytest.mark.parametrize(("call", "now"), [
    (lambda x: dcube.all_reduce(x, op="max"), "operation"),
    (lambda x: dcube.run("all-reduce", dim=2, op="max"), "operation"),
    (lambda x: dcube.relayout(x, "rows", to="rows-striped", dim=2), "to_layout"),
    (lambda x: dcube.run("matrix-relayout", dim=2, rows=4, columns=4, to="rows-striped"), "to_layout"),
    (lambda x: dcube.sweep("all-reduce", dim=2, op=["max", "min"]), "operation"),
])
def test_names_of_before_say_what_they_are_called_now(call: Any, now: str) -> None:
    with pytest.raises(TypeError, match=f"is not an argument: did you mean {now}|missing .* argument: '{now}'"):
        call(np.zeros((4, 4)))


@pytest.mark.skipif("DCUBE" not in os.environ, reason="DCUBE names the program dcube, as ctest does")
def test_every_key_of_a_question_is_an_argument() -> None:
    printed = subprocess.run([os.environ["DCUBE"], "list", "keys", "--format", "json"], capture_output=True, text=True,
                             check=True, timeout=60).stdout
    keys = {one["argument"] for one in json.loads(printed)} - {"collective"}
    known = set(dcube.questions.Question.__annotations__)
    assert keys <= known
    assert known - keys == {"dim", "repeat", "threads", "pin", "capacity", "channel", "memory_limit", "watch"}
    with pytest.raises(TypeError) as listed:
        dcube.run("broadcast", none=1)  # type: ignore[call-arg]
    assert set(str(listed.value).partition("xpected one of ")[2].split(", ")) == known
    assert set(_core.machine_arguments) <= known
