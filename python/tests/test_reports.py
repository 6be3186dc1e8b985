"""Reports as mappings, rows, tables, and how they are kept."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Mapping
from fractions import Fraction

import pytest

import dcube

EDGES = [(0, 1), (1, 2), (2, 3), (3, 0), (1, 3)]


@pytest.fixture(name="report")
def _report() -> dcube.Report:
    return dcube.run("all-to-all", topology="torus:3x4", bytes=24, tau="5/2", beta=10)


def test_a_report_is_a_mapping(report: dcube.Report) -> None:
    assert isinstance(report, Mapping)
    assert len(report) == len(list(report)) == len(dict(report))
    assert "steps" in report and "stairs" not in report
    assert report.get("stairs", 5) == 5
    assert dict(report.items())["steps"] == report["steps"] == report.steps
    assert "virtual_time_ns" in dir(report)
    with pytest.raises(KeyError, match="no key 'step': did you mean steps"):
        report["step"]
    with pytest.raises(AttributeError, match=r"no key 'xyzzyq': list\(\.\.\) has all"):
        report.xyzzyq


def test_a_report_cannot_be_changed(report: dcube.Report) -> None:
    for change in (lambda: setattr(report, "steps", 0), lambda: delattr(report, "steps"),
                   lambda: setattr(report, "_json", "{}")):
        with pytest.raises(AttributeError):
            change()
    with pytest.raises(TypeError):
        report["steps"] = 0  # type: ignore[index]
    with pytest.raises(TypeError):
        hash(report)
    before = report.to_json()
    report["busiest_link"]["packets"] = -1
    report.question["bytes"] = 1
    assert report["busiest_link"]["packets"] > 0 and report.question["bytes"] == 24
    assert report.to_json() == before


def test_a_report_compares_as_any_mapping(report: dcube.Report) -> None:
    assert report == dict(report)
    assert report != {**report, "steps": 0}
    assert report == copy.copy(report) == copy.deepcopy(report)


def test_values_are_those_of_the_json(report: dcube.Report) -> None:
    values = json.loads(report.to_json())
    assert list(values) == list(report)
    assert values["tau_ns_per_byte"] == "5/2" and report.tau_ns_per_byte == Fraction(5, 2)
    for key, value in values.items():
        if not isinstance(value, str) or not key.endswith(("_ns", "_per_byte")):
            assert report[key] == value


def test_rows_have_what_applies_as_plain_values(report: dcube.Report) -> None:
    row = report.row()
    assert row["virtual_time_ns"] == float(report.virtual_time_ns) and isinstance(row["virtual_time_ns"], float)
    assert row["steps"] == report.steps
    assert all(isinstance(value, (int, float, str)) for value in row.values())
    assert not {"steps_lower_bound", "busiest_link", "permutation"} & set(row)


def test_rows_make_a_data_frame() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(dcube.sweep("broadcast", topology=["ring:5", "torus:3x3"], packets=[1, 4]).rows())
    assert list(frame["packets"]) == [1, 4, 1, 4] and frame["verified"].all()


def test_one_line_says_what_it_is(report: dcube.Report) -> None:
    assert "\n" not in repr(report)
    for word in ("all-to-all", "torus:3x4", report.algorithm, str(report.virtual_time_ns)):
        assert word in repr(report)
    assert "steps 3 (optimal)" in repr(dcube.run("broadcast", dim=3))


def test_tables_are_escaped() -> None:
    graph = dcube.Topology.from_edges(EDGES, name="<b>&")
    reports = dcube.compare("broadcast", topology=graph)
    foreseen = dcube.forecast("gather", topology=graph)
    for page in (reports[0]._repr_html_(), reports._repr_html_(), foreseen._repr_html_()):
        assert "<b>" not in page and "&lt;b&gt;&amp;" in page
        assert "style" not in page and page.startswith("<table>")


def test_long_lists_are_cut_short_where_they_are_shown() -> None:
    reports = dcube.sweep("broadcast", dim=[1] * 103, root=[0])
    assert "and 3 more" in repr(reports) and "<p>and 3 more</p>" in reports._repr_html_()
    assert repr(reports).count("<Report ") == 100 and len(reports.rows()) == 103
    assert "more" not in repr(dcube.Reports(reports[:100]))


def test_an_algorithm_without_a_paper_has_no_brackets() -> None:
    report = dcube.run("broadcast", topology="ring:5")
    bare = dcube.Report(json.dumps({**json.loads(report.to_json()), "paper": ""}), report.question)
    assert f"<td>{report.algorithm}</td>" in bare._repr_html_()


def test_optimal_is_that_no_algorithm_can_do_better() -> None:
    assert dcube.run("broadcast", dim=3).optimal
    assert not dcube.run("broadcast", dim=4, tau=1, beta=1000, bytes=65536).optimal
    nothing_to_do = dcube.run("broadcast", dim=0)
    assert nothing_to_do.ratio_to_bound is None and nothing_to_do.optimal


@pytest.mark.parametrize("network", ["hypercube:2", "ring:5 without 0-1", dcube.Topology.from_edges(EDGES, "mine")])
def test_reports_pickle_with_their_question(network: str | dcube.Topology) -> None:
    reports = dcube.compare("all-gather", topology=network, bytes=3)
    back = pickle.loads(pickle.dumps(reports))
    assert type(back) is dcube.Reports and back == reports and back.left_out == reports.left_out
    assert back[0].to_json() == reports[0].to_json()
    assert back[0].question == reports[0].question
    assert dcube.run(**back[0].question).result_digest == reports[0].result_digest


def test_a_report_that_nobody_reads_is_not_parsed(report: dcube.Report) -> None:
    fresh = pickle.loads(pickle.dumps(report))
    assert object.__getattribute__(fresh, "_values") is None
    assert fresh.steps == report.steps
    assert object.__getattribute__(fresh, "_values") is not None


@pytest.mark.parametrize("error", [
    dcube.Error("a"), dcube.InvalidArgument("b"), dcube.InvalidArgument("b 8 is too large", "b", "8", "is too large"),
    dcube.RuleViolation("c", "link-busy", 2, 3, 1),
    dcube.RuleViolation("c", "deadlock", 2, 3), dcube.ProgramError("d", 4, 5), dcube.VerificationError("e"),
    dcube.TraceError("f", 7, 6, (1, 2, 3)),
])
def test_errors_pickle(error: dcube.Error) -> None:
    error.add_note("dcube: at node 5, in step 2")
    back = pickle.loads(pickle.dumps(error))
    assert type(back) is type(error) and str(back) == str(error) and vars(back) == vars(error)
    assert isinstance(back, dcube.Error)


def test_errors_are_pythons_too() -> None:
    assert issubclass(dcube.InvalidArgument, ValueError)
    assert issubclass(dcube.RuleViolation, RuntimeError) and issubclass(dcube.ProgramError, RuntimeError)
    assert issubclass(dcube.TraceError, dcube.VerificationError)


def test_no_reports_are_a_short_line() -> None:
    assert repr(dcube.sweep("broadcast", dim=[])) == "<Reports, 0>"


def test_slices_and_sums_are_reports() -> None:
    some = dcube.sweep("all-to-all", algorithm=["staircase", "dimension-exchange"], topology=["hypercube:2", "ring:5"])
    others = dcube.sweep("broadcast", dim=[1, 2, 3])
    assert len(some) == 2 and len(some.left_out) == 2
    for part, size in [(some[:1], 1), (others[::-1], 3), (some + others, 5), (others.copy(), 3), (others + [], 3)]:
        assert type(part) is dcube.Reports and len(part) == len(part.rows()) == size
    assert (some + others).left_out == some.left_out == some[:1].left_out == some.copy().left_out
    assert others[::-1][0] is others[2] and isinstance(others[-1], dcube.Report)
    others += some
    assert type(others) is dcube.Reports and len(others) == 5 and others.left_out == some.left_out
    assert repr(others).startswith("<Reports, 5, 2 left out:")
    with pytest.raises(TypeError):
        others + 3  # type: ignore[operator]
