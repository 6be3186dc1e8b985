"""Charts: what is drawn of which reports, and in which colours. Whether they look well is for eyes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import dcube
from dcube import plots

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

STYLE = Path(__file__).parents[2] / "web" / "page" / "src" / "style.css"


@pytest.fixture(autouse=True)
def closed() -> Any:
    yield
    pyplot.close("all")


def lines_of(ax: Any) -> dict[str, list[tuple[float, float]]]:
    return {line.get_label(): list(zip(*line.get_data(), strict=True)) for line in ax.get_lines()
            if not line.get_label().startswith("_")}


def words_of(ax: Any) -> list[str]:
    return [text.get_text() for text in ax.texts]


def test_colours_are_the_house_s() -> None:
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", STYLE.read_text(encoding="utf-8").split("}")[0]))
    assert plots._HUES == tuple(colours[f"hue-{i}"] for i in (0, 1, 2, 3, 4, 5, 7))
    assert (plots._BOUND, plots._INK, plots._MUTED, plots._BORDER) == tuple(
        colours[name] for name in ("bound", "ink", "muted", "border"))


def test_scaling_has_a_line_for_each_algorithm_and_one_for_the_bound() -> None:
    reports = [dcube.run("all-to-all", dim=dim, algorithm=name)
               for name in ("auto", "dimension-exchange") for dim in range(1, 6)]
    ax = dcube.plot_scaling(reports)
    lines = lines_of(ax)
    assert set(lines) == {"auto", "dimension-exchange", "lower bound"}
    assert lines["lower bound"] == [(2**d, 2.0 ** (d - 1)) for d in range(1, 6)]
    assert lines["dimension-exchange"] == [(2**d, d * 2.0 ** (d - 1)) for d in range(1, 6)]
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("nodes", "steps")
    assert sorted(words_of(ax)) == ["auto", "dimension-exchange", "lower bound"]


def test_networks_of_a_family_are_a_line_also_where_one_is_a_hypercube() -> None:
    reports = [dcube.run("broadcast", topology=f"{family}:{n}x{n}") for family in ("torus", "mesh") for n in (2, 3, 4)]
    lines = lines_of(dcube.plot_scaling(reports))
    assert {label: [x for x, _ in points] for label, points in lines.items() if label != "lower bound"} == {
        "torus": [4, 9, 16], "mesh": [4, 9, 16]}


def test_times_of_links_are_shown_exactly_as_far_as_floats_go() -> None:
    reports = [dcube.run("broadcast", dim=3, bytes=size, tau="1/3", beta=100) for size in (1, 64)]
    ax = dcube.plot_scaling(reports, x="bytes")
    assert ax.get_ylabel() == "virtual time, ns"
    assert lines_of(ax)["broadcast"] == [(float(r.bytes), float(r.virtual_time_ns)) for r in reports]


def test_one_report_is_a_point() -> None:
    assert lines_of(dcube.plot_scaling(dcube.run("broadcast", dim=3)))["broadcast"] == [(8.0, 3.0)]


def test_a_comparison_has_a_bar_for_each_algorithm_in_the_reports_order() -> None:
    reports = [dcube.run("all-to-all", dim=4, algorithm=name) for name in ("optimal", "dimension-exchange")]
    ax = dcube.plot_compare(reports)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["optimal", "dimension-exchange"]
    assert [bar.get_width() for bar in ax.patches] == [8, 32]
    assert words_of(ax) == ["8", "32", "lower bound 8"]
    low, high = ax.get_ylim()
    assert low > high, "the first is at the top"


def test_links_are_counted_step_by_step() -> None:
    report = dcube.run("broadcast", dim=3)
    ax = dcube.plot_links(report)
    assert [bar.get_height() for bar in ax.patches] == [1, 2, 4]
    assert "all 24 links" in words_of(ax)
    whole = dcube.plot_links("all-to-all", topology="torus:4x4")
    assert sum(bar.get_height() for bar in whole.patches) == dcube.run("all-to-all", topology="torus:4x4").transmissions


def test_links_of_a_program_s_run_are_those_of_its_trace() -> None:
    def hello(me: dcube.Node) -> Any:
        for ports in ([0], [1] if me.id == 0 else []):
            for port in ports:
                me.send(port, 1)
            yield
            for port in range(me.ports):
                if me.arrived(port):
                    me.receive(port)

    run = dcube.Machine(topology="torus:3x3").run(hello, trace=True)
    ax = dcube.plot_links(run)
    assert [bar.get_height() for bar in ax.patches] == [9, 1]
    with pytest.raises(dcube.InvalidArgument, match="trace=True"):
        dcube.plot_links(dcube.Machine(topology="torus:3x3").run(hello))


def test_a_benchmark_is_drawn_with_its_intervals_and_its_doubts() -> None:
    bench = dcube.bench("broadcast", dim=[2, 3], bytes=[8, 64, 512], threads=1, min_seconds=0.01, rounds=6)
    ax = bench.plot()
    lines = lines_of(ax)
    assert {"hypercube:2", "hypercube:3"} <= set(lines)
    rows = [row for row in bench.rows() if row["topology"] == "hypercube:2"]
    assert lines["hypercube:2"] == [(row["bytes"], row["median_seconds"]) for row in rows]
    assert len(ax.collections) == 6, "an interval for each cell"
    hollow = sum(line.get_markerfacecolor() == "white" for line in ax.get_lines())
    assert hollow == sum(bool(row["doubts"]) for row in bench.rows())
    assert bench.plot(y="hops_per_second").get_ylabel() == "packets over links a second"


def test_axes_that_are_given_are_used_and_returned() -> None:
    _, axes = pyplot.subplots(2, 2)
    report = dcube.run("broadcast", dim=3)
    assert dcube.plot_scaling([report], ax=axes[0, 0]) is axes[0, 0]
    assert dcube.plot_compare([report], ax=axes[0, 1]) is axes[0, 1]
    assert dcube.plot_links(report, ax=axes[1, 0]) is axes[1, 0]
    bench = dcube.bench("broadcast", dim=2, threads=1, min_seconds=0.01)
    assert bench.plot(ax=axes[1, 1]) is axes[1, 1]


def test_labels_do_not_lie_on_each_other() -> None:
    reports = [dcube.run("broadcast", topology=name, bytes=size, tau=1, beta=1000)
               for name in ("hypercube:4", "torus:4x4", "mesh:4x4", "ring:16") for size in (64, 4096)]
    ax = dcube.plot_scaling(reports, x="bytes")
    ax.figure.canvas.draw()
    boxes = sorted((text.get_window_extent() for text in ax.texts), key=lambda box: box.y0)
    assert len(boxes) >= 5
    assert all(low.y1 - low.height * 0.25 <= high.y0 for low, high in zip(boxes, boxes[1:], strict=False))


@pytest.mark.parametrize("draw", [dcube.plot_scaling, dcube.plot_compare])
def test_nothing_to_draw_is_refused(draw: Any) -> None:
    with pytest.raises(dcube.InvalidArgument, match="no reports"):
        draw([])
    with pytest.raises(dcube.InvalidArgument, match="virtual_time_ns"):
        draw([dcube.run("broadcast", dim=2)], y="virtual_time_ns")


def test_what_is_no_report() -> None:
    for wrong in ("broadcast", 3):
        with pytest.raises(TypeError, match="what is plotted are reports"):
            dcube.plot_scaling(wrong)  # type: ignore[arg-type]
