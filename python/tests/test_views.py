"""Pages that play runs, and figures of their steps."""

import base64
import html
import json
import re
import warnings
import xml.dom.minidom
from fractions import Fraction

import dcube
import numpy as np
import pytest


def document(page):
    return json.loads(re.search(r'<script type="application/json"[^>]*id="view-0">(.*?)</script>', page.html)[1])


def title(page):
    return re.search("<title>(.*?)</title>", page.html)[1]


def captions(figure):
    return re.findall(r">(step \d+|before[^<]*|when[^<]*|done[^<]*)<", figure.svg)


@pytest.mark.parametrize("network", ["hypercube:3", "torus:3x4", "ring:5", "torus:3x3 without 4", "petersen"])
@pytest.mark.parametrize("collective", ["all-to-all", "broadcast", "reduce-scatter"])
def test_pages_have_their_run(collective, network):
    page = dcube.view(collective, topology=network)
    report = dcube.run(collective, topology=network)
    text = html.unescape(page.html)
    assert page.html.startswith("<!doctype html>")
    assert f"<dt>transmissions</dt><dd>{report.transmissions}</dd>" in page.html
    assert report.algorithm in text
    assert report.result_digest in text
    assert document(page)["command"] == f"dcube.view('{collective}', topology='{network}')"


@pytest.mark.parametrize(
    "make",
    [
        lambda: dcube.view("all-to-all", dim=3).html,
        lambda: dcube.view("all-to-all", dim=3)._repr_html_(),
        lambda: dcube.view("scatter", topology="torus:3x3", tau=1, beta=Fraction(5, 2)).html,
        lambda: dcube.view("all-gather", dim=3, versus="spread").html,
        lambda: dcube.view("broadcast", topology=dcube.Topology.from_edges([(0, 1), (1, 2)], "mine")).html,
        lambda: dcube.svg("scatter", dim=3, step=2).svg,
        lambda: dcube.svg("all-reduce", topology="mesh:2x3", steps="0:3")._repr_html_(),
    ],
)
def test_same_bytes_every_time(make):
    assert make() == make()


def test_a_report_is_run_again():
    report = dcube.run("all-to-all", topology="ring:5", bytes=8, seed=7)
    assert report.result_digest in dcube.view(report).html
    assert document(dcube.view(report)) == document(dcube.view("all-to-all", topology="ring:5", bytes=8, seed=7))
    other = dcube.view(report, topology="torus:3x3")
    assert title(other) == "Total exchange on a torus of 3x3"
    assert title(dcube.view(dcube.run("broadcast", dim=4), topology="ring:6")) == "Broadcast on a ring of 6"
    assert dcube.svg(report, step=2).svg == dcube.svg("all-to-all", topology="ring:5", bytes=8, step=2).svg


def test_a_replay_is_run_again():
    path = [(1, 0, 1), (2, 1, 2), (3, 2, 3)]
    report = dcube.replay(path, "broadcast", topology="path:4", name="mine & <yours>")
    page = dcube.view(report)
    assert "<dt>algorithm</dt><dd>mine &amp; &lt;yours&gt;</dd>" in page.html
    assert "mine & <yours>" not in page.html
    assert "Algorithm: mine & \\u003cyours>" not in page.html  # the page puts it together
    assert "()" not in re.search("<dl>.*?</dl>", page.html, re.S)[0]
    both = dcube.view(report, versus="auto")
    assert "3 steps" in both.html
    assert dcube.svg(report, step=3).title == "Broadcast on a path of 4"
    path.clear()  # the report has its own
    assert dcube.view(report).html == page.html


def test_schedules_are_run(tmp_path):
    dcube.save_trace([(1, 0, 1), (2, 1, 2), (3, 2, 3)], tmp_path / "trace.jsonl", "broadcast", topology="path:4")
    schedule = dcube.load_trace(tmp_path / "trace.jsonl")
    assert "<dt>algorithm</dt><dd>schedule</dd>" in dcube.view(schedule).html
    assert captions(dcube.svg(schedule, step=3)) == ["step 3"]
    with pytest.raises(dcube.TraceError):
        dcube.view(schedule, topology="path:5")


def test_two_runs_side_by_side():
    page = dcube.view("all-to-all", dim=3, versus="dimension-exchange")
    assert "staircase takes 4 steps, dimension-exchange 12 steps" in html.unescape(page.html)
    assert document(page)["command"] == "dcube.view('all-to-all', dim=3, versus='dimension-exchange')"
    report = dcube.run("all-to-all", dim=3, algorithm="dimension-exchange")
    assert len(document(dcube.view("all-to-all", dim=3, versus=report))["films"]) == 2
    networks = dcube.view("all-to-all", dim=4, versus={"topology": "torus:4x4"})
    assert "torus:4x4" in networks.html
    assert "hypercube:4" in networks.html
    for versus, why in [
        (dcube.run("scatter", dim=3), "all-to-all and scatter cannot be shown side by side"),
        ({"tau": 1, "beta": 1}, "links of the unit model and links that take time"),
        ("no-such", "no-such"),
    ]:
        with pytest.raises(dcube.InvalidArgument, match=why):
            dcube.view("all-to-all", dim=3, versus=versus)
    with pytest.raises(TypeError, match="algorithm is a str"):
        dcube.view("all-to-all", dim=3, versus=7)


def test_the_frame_is_shut_in():
    page = dcube.view("all-to-all", dim=2, height=500)
    frame = page._repr_html_()
    assert 'sandbox="allow-scripts"' in frame
    assert "allow-same-origin" not in frame
    assert 'height="500"' in frame
    source = re.fullmatch('<iframe srcdoc="([^"]*)" [^<>]*></iframe>', frame)[1]
    assert html.unescape(source) == page.html
    assert len(frame) < 1.2 * len(page.html)


def test_names_are_no_markup():
    evil = dcube.Topology.from_edges([(0, 1), (1, 2)], '<b>"x"</b></script><script>alert(1)')
    page = dcube.view("broadcast", topology=evil)
    assert "<b>" not in page.html
    assert "<script>alert" not in page.html
    assert page.html.count("</script>") == dcube.view("broadcast", topology="path:3").html.count("</script>")
    figure = dcube.svg("broadcast", topology=evil)
    xml.dom.minidom.parseString(figure.svg)
    assert "<b>" not in figure.svg
    assert "<b>" not in figure._repr_html_()


def test_files(tmp_path):
    page = dcube.view("broadcast", dim=2)
    page.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == page.html
    figure = dcube.svg("broadcast", dim=2)
    figure.save(str(tmp_path / "figure.svg"))
    assert (tmp_path / "figure.svg").read_text(encoding="utf-8") == figure.svg
    assert repr(page).startswith("<Page: ")
    assert repr(figure) == "<Figure: Broadcast on a 2-cube; save(path) writes it as SVG>"


def test_files_are_called_what_they_are(tmp_path):
    page = dcube.view("broadcast", dim=1)
    figure = dcube.svg("broadcast", dim=1)
    for name in ("figure.pdf", "figure.png", "figure", "svg", "figure.svg.gz"):
        with pytest.raises(dcube.InvalidArgument, match=f"path '.*{name}' is .*: a figure is saved as .svg"):
            figure.save(tmp_path / name)
    with pytest.raises(dcube.InvalidArgument, match="path 'page.pdf' is .*: a page is saved as .html or"):
        page.save("page.pdf")
    assert list(tmp_path.iterdir()) == []
    page.save(tmp_path / "page.htm")
    figure.save(tmp_path / "FIGURE.SVG")
    assert len(list(tmp_path.iterdir())) == 2


def test_very_large_runs_are_announced(recwarn):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(RuntimeWarning, match="100 663 296 transmissions.* bytes .2.0 GiB"):
            dcube.view("all-to-all", dim=12)
        with pytest.raises(RuntimeWarning, match="a page shows only the counts"):
            dcube.view("all-to-all", dim=3, versus={"dim": 12})
    dcube.view("all-to-all", dim=5)
    assert len(recwarn) == 0


def test_figures_of_steps():
    assert captions(dcube.svg("scatter", dim=3)) == ["step 1"]
    assert captions(dcube.svg("scatter", dim=3, step=2)) == ["step 2"]
    strip = dcube.svg("scatter", dim=3, steps="1:3", width_mm=174)
    assert captions(strip) == ["step 1", "step 2", "step 3"]
    assert dcube.svg("scatter", dim=3, steps=range(1, 4), width_mm=174).svg == strip.svg
    assert captions(dcube.svg("scatter", dim=3, steps=[3, 1])) == ["step 3", "step 1"]
    assert len(dcube.svg("scatter", dim=3, step=0).svg) > 1000
    assert 'width="60mm"' in dcube.svg("scatter", dim=3, width_mm=60).svg
    plain = dcube.svg("scatter", dim=3, legend=False)
    assert captions(plain) == []
    xml.dom.minidom.parseString(strip.svg)


def test_figures_of_times():
    question = {"dim": 2, "bytes": 10, "tau": Fraction(1, 2), "beta": 3}
    for at in (5, 5.5, Fraction(11, 2), "11/2", [0, 5], np.float32(5.5)):
        assert dcube.svg("broadcast", at=at, **question).svg
    assert dcube.svg("broadcast", at=1 / 3, dim=2, tau=1 / 3, beta=0).svg
    assert dcube.svg("broadcast", at=5.5, **question).svg == dcube.svg("broadcast", at="11/2", **question).svg
    with pytest.raises(dcube.InvalidArgument, match="times from 0ns to that are possible"):
        dcube.svg("broadcast", at=5000, **question)
    with pytest.raises(dcube.InvalidArgument, match="packets have no times here"):
        dcube.svg("broadcast", at=5, dim=2)


def test_layouts_and_origins():
    default = dcube.svg("all-to-all", dim=4, step=1)
    assert dcube.svg("all-to-all", dim=4, step=1, layout="cube in cube").svg != ""
    with pytest.raises(dcube.InvalidArgument, match="cube in cube"):
        dcube.svg("all-to-all", dim=4, layout="round")
    assert dcube.svg("all-to-all", dim=4, step=1, origin=3).svg != default.svg
    with pytest.raises(dcube.InvalidArgument):
        dcube.svg("all-to-all", dim=4, origin=16)


def test_figures_show_themselves():
    figure = dcube.svg("broadcast", dim=2)
    assert figure._repr_svg_() == figure.svg
    image = re.fullmatch(
        '<img src="data:image/svg\\+xml;base64,([^"]*)" alt="Broadcast on a 2-cube" style="[^"]*">',
        figure._repr_html_(),
    )
    assert base64.b64decode(image[1]).decode() == figure.svg


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"step": 3}, r"step 3 is not possible: 0 \(before the first\) to 3|step 3"),
        ({"step": -1}, "step -1 is not possible"),
        ({"steps": "3:1"}, "first must not come after the last"),
        ({"steps": "one"}, "steps 'one' is not possible"),
        ({"steps": []}, "steps names no step"),
        ({"at": []}, "at names no time"),
        ({"step": 1, "steps": [1]}, "steps cannot be used together with step"),
        ({"width_mm": 5}, "20"),
        ({"origin": -1}, "origin -1 is no node"),
    ],
)
def test_what_figures_cannot_be(arguments, why):
    with pytest.raises(dcube.InvalidArgument, match=why):
        dcube.svg("broadcast", dim=1, **arguments)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"step": "1"}, "step is an int, not str"),
        ({"step": 1.0}, "step is an int, not float"),
        ({"steps": [1, 2.5]}, "each of steps is an int, not float"),
        ({"origin": "0"}, "origin is an int, not str"),
        ({"width_mm": "84"}, "width_mm is a number, not str"),
        ({"layout": 3}, "layout is a str"),
    ],
)
def test_arguments_of_another_type_are_named(arguments, why):
    with pytest.raises(TypeError, match=why):
        dcube.svg("scatter", dim=2, **arguments)


def test_what_cannot_be_shown():
    with pytest.raises(TypeError, match="a str or an Algorithm"):
        dcube.view(7, dim=2)
    with pytest.raises(TypeError, match="dims"):
        dcube.view("broadcast", dims=2)
    with pytest.raises(dcube.InvalidArgument, match="65 536|65536"):
        dcube.view("broadcast", dim=17)
    with pytest.raises(dcube.InvalidArgument):
        dcube.svg("broadcast", dim=9)
    with pytest.raises(dcube.InvalidArgument, match="5 242 880 transmissions are too many for a figure"):
        dcube.svg("all-to-all", dim=10, bytes=1)


@dcube.algorithm("all-gather")
def ring(me, mine, out):
    me.copy(out[me.id], mine)
    for k in range(me.nodes - 1):
        me.send(0, out[(me.id - k) % me.nodes])
        yield
        me.receive(1, out[(me.id - k - 1) % me.nodes])


def test_algorithms_of_python():
    report = dcube.run(ring, topology="ring:5", bytes=8)
    page = dcube.view(report)
    assert page.html == dcube.view(ring, topology="ring:5", bytes=8).html
    assert "<dt>algorithm</dt><dd>ring</dd>" in page.html  # it has no paper
    assert "ring ()" not in page.html
    assert "()" not in report._repr_html_()
    assert document(page)["command"] == "dcube.view(ring, topology='ring:5', bytes=8)"
    both = dcube.view(ring, topology="ring:5", versus="auto")
    assert "takes 4 steps" in html.unescape(both.html)
    assert len(document(dcube.view("all-gather", topology="ring:5", versus=ring))["films"]) == 2
    assert captions(dcube.svg(ring, topology="ring:5", step=4)) == ["step 4"]
    schedule = dcube.schedule_of(ring, topology="ring:5", bytes=8)
    assert schedule[0] == (1, 0, 1, 0)
    assert dcube.judge(schedule).steps == report.steps
    assert dcube.replay(schedule).result_digest == report.result_digest


@pytest.mark.parametrize("show", [dcube.view, dcube.svg, dcube.schedule_of])
def test_algorithms_that_fail_while_they_are_recorded(show):
    @dcube.algorithm("all-gather")
    def broken(me, mine, out):
        yield
        1 / (me.id - me.id)

    @dcube.algorithm("all-gather")
    def idle(me, mine, out):
        yield

    with pytest.raises(ZeroDivisionError) as caught:
        show(broken, dim=2)
    assert caught.value.__notes__ == ["dcube: at node 0, in step 2"]
    assert caught.traceback[-1].name == "broken"
    with pytest.raises(dcube.VerificationError, match="node 0: byte 0"):
        show(idle, dim=2)


def spread(me):
    me.phase("once <around>")
    total = me.id
    for _ in range(2):
        me.send(0, total)
        yield
        total += me.receive(1)
    return total


def test_runs_of_programs():
    machine = dcube.Machine(topology="ring:5")
    run = machine.run(spread, trace=True)
    page = dcube.view(run)
    assert title(page) == "A program on a ring of 5"
    assert "<dt>algorithm</dt><dd>spread</dd>" in page.html
    assert "<dt>transmissions</dt><dd>10</dd>" in page.html
    assert "once &lt;around>" not in page.html
    assert "once <around>" not in page.html
    assert dcube.view(run).html == page.html
    assert captions(dcube.svg(run, steps="1:2", width_mm=174)) == ["step 1", "step 2"]
    with pytest.raises(dcube.InvalidArgument, match="trace=True"):
        dcube.view(machine.run(spread))
    with pytest.raises(TypeError, match="is shown as it was: dim cannot be given"):
        dcube.view(run, dim=3)
    for one, other in [(run, "auto"), ("all-to-all", run)]:
        with pytest.raises(dcube.InvalidArgument, match="achieves no collective"):
            dcube.view(one, versus=other, **({} if one is run else {"dim": 2}))


def test_programs_on_links_that_take_time():
    def hand_on(me):
        if me.id:
            yield me.arrival(0)
            me.receive(0)
        if me.ports > 1 or not me.id:
            me.send(me.ports - 1, 7)
        yield

    machine = dcube.Machine(topology="path:3", tau=1, beta=Fraction(5, 2))
    run = machine.run(hand_on, trace=True)
    assert run.virtual_time_ns == 21
    assert "21 ns" in dcube.view(run).html
    assert dcube.svg(run, at=Fraction(21, 2)).svg
    with pytest.raises(dcube.InvalidArgument, match="times from 0ns"):
        dcube.svg(run, at=22)
