"""Charts with matplotlib, if it is there: nothing else of dcube needs it.

Every function takes ``ax=None`` (a new figure's axes then) and returns the axes, so that titles, sizes and files remain
matplotlib's own: ``dcube.plot_compare(reports).figure.savefig("compare.pdf")``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from .errors import InvalidArgument
from .views import _film

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .benches import Bench

__all__ = ["plot_bench", "plot_compare", "plot_links", "plot_scaling"]

# As the house's pages have them (web/page/src/style.css, the light theme): hues that colour-blind eyes tell apart, without the
# yellow, which is too faint for a line. An eighth line has the first one's hue again, and is dashed.
_HUES = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#333a44")
_BOUND = "#7b2fb5"
_INK = "#16191d"
_MUTED = "#58626f"
_BORDER = "#dde2e8"
_MARKERS = "osD^vPX"

_WORDS = {
    "bytes": "bytes a packet",
    "packets": "packets a message",
    "nodes": "nodes",
    "dimensions": "dimensions",
    "steps": "steps",
    "transmissions": "transmissions",
    "link_bytes": "bytes over links",
    "in_transit_bytes": "bytes in transit",
    "virtual_time_ns": "virtual time, ns",
    "predicted_time_ns": "predicted time, ns",
    "wall_seconds": "time on this machine",
    "median_seconds": "time of a run",
    "hops_per_second": "packets over links a second",
    "link_bytes_per_second": "over all links together",
    "busbw_bytes_per_second": "bus bandwidth",
    "algbw_bytes_per_second": "bandwidth",
    "ns_per_hop": "ns a packet and link",
    "size_bytes": "bytes, as nccl-tests count them",
    "speed_up": "speed-up",
    "efficiency": "efficiency",
    "threads": "threads",
}

_BOUNDS = {
    "steps": "steps_lower_bound",
    "transmissions": "transmissions_lower_bound",
    "virtual_time_ns": "time_lower_bound_ns",
    "predicted_time_ns": "time_lower_bound_ns",
}

# What says which line of a chart a report belongs to.
_SERIES = ("collective", "algorithm", "topology", "ports", "link_model", "tau_ns_per_byte", "beta_ns", "clock", "bytes",
           "packets", "root", "operation", "type", "rows", "columns", "layout", "to_layout", "channel", "pin", "threads")

Point = tuple[float, float]


def plot_scaling(reports: Iterable[Mapping[str, Any]], x: str = "nodes", y: str | None = None, *,
                 ax: Axes | None = None) -> Axes:
    """Lines of reports over their size, with the lower bound.

    Parameters
    ----------
    reports : reports of ``run`` or ``sweep``
        Those of one collective, algorithm, family of networks, .. are a line.
    x, y : key of the reports
        ``y`` is ``"virtual_time_ns"`` where links take time, else ``"steps"``; what it is bounded by is drawn too.
    ax : matplotlib axes
        Those of a new figure by default.

    Returns
    -------
    The axes, with logarithmic scales where the values are far apart.

    Raises
    ------
    InvalidArgument
        There are no reports, or none has the key.
    """
    rows = _rows(reports)
    y = y or _measure(rows)
    lines = _series([row for row in rows if _value(row, x) is not None and _value(row, y) is not None], x)
    if not lines:
        raise InvalidArgument(f"no report has both {x} and {y}")
    ax = _axes(ax)
    ends: list[tuple[float, float, str, str]] = []
    for number, (label, members) in enumerate(lines.items()):
        points = _points(members, x, y)
        colour = _HUES[number % len(_HUES)]
        ax.plot(*zip(*points, strict=True), color=colour, marker=_MARKERS[number % len(_MARKERS)], markersize=5,
                linewidth=1.8, linestyle="-" if number < len(_HUES) else "--", zorder=3, label=label)
        ends.append((*points[-1], label, colour))
    for points in _distinct_bounds(lines.values(), x, _BOUNDS.get(y)):
        # Broad and pale, so that it is still seen where an optimal line lies on it.
        ax.plot(*zip(*points, strict=True), color=_BOUND, linewidth=6, alpha=0.3, solid_capstyle="round", zorder=2,
                label="lower bound")
        ends.append((*points[-1], "lower bound", _BOUND))
    _scale(ax, [point for members in lines.values() for point in _points(members, x, y)], x, y)
    _finish(ax, _words(x), _words(y))
    _label_ends(ax, ends, len(lines) == 1)
    return ax


def plot_compare(reports: Iterable[Mapping[str, Any]], y: str | None = None, *, ax: Axes | None = None) -> Axes:
    """A row for each algorithm of ``compare``, the best first, and the lower bound as a line.

    Parameters
    ----------
    reports : reports of ``compare``
        Of the same question.
    y : key of the reports
        ``"virtual_time_ns"`` where links take time, else ``"steps"``.
    ax : matplotlib axes
        Those of a new figure by default.

    Returns
    -------
    The axes.

    Raises
    ------
    InvalidArgument
        There are no reports, or none has the key.
    """
    rows = _rows(reports)
    y = y or _measure(rows)
    bars = [(str(row["algorithm"]), value) for row in rows if (value := _value(row, y)) is not None]
    if not bars:
        raise InvalidArgument(f"no report has {y}")
    new = ax is None
    ax = _axes(ax)
    if new:
        ax.figure.set_size_inches(6.4, max(1.6, 0.9 + 0.32 * len(bars)))
    values = [value for _, value in bars]
    bound = max((value for row in rows if (value := _value(row, _BOUNDS.get(y, ""))) is not None), default=None)
    logarithmic = min(values) > 0 and max(values) > 20 * min(values)
    ax.barh(range(len(bars)), values, height=0.62, color=[_HUES[0] if value == min(values) else _HUES[4] for value in
                                                        values], zorder=2)
    if logarithmic:
        ax.set_xscale("log")
        ax.set_xlim(left=min([*values, *([bound] if bound else [])]) / 2)
    ax.set_xlim(right=max(values) * (2.5 if logarithmic else 1.16))
    ax.xaxis.set_major_formatter(lambda value, _: _text(y, value))
    ax.set_yticks(range(len(bars)), [name for name, _ in bars], color=_INK)
    ax.set_ylim(len(bars) - 0.4, -0.6)
    for place, (_, value) in enumerate(bars):
        ax.annotate(_number(value), (value, place), (4, 0), textcoords="offset points", va="center", color=_INK)
    if bound is not None:
        ax.axvline(bound, color=_BOUND, linewidth=1.6, linestyle=(0, (4, 3)), zorder=3)
        ax.annotate(f"lower bound {_number(bound)}", (bound, 1), (0, 3), xycoords=("data", "axes fraction"),
                    textcoords="offset points", ha="center", va="bottom", color=_BOUND)
    _finish(ax, _words(y), "")
    ax.grid(False, axis="y")
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    return ax


def plot_links(what: Any, *, ax: Axes | None = None, **question: Any) -> Axes:
    """Links in use, step by step.

    Parameters
    ----------
    what : Report, Algorithm, name of a collective, or ProgramRun with trace
        What ``view`` plays, too. A report is run again: same seed, same run.
    ax : matplotlib axes
        Those of a new figure by default.
    **question
        As for ``view``.

    Returns
    -------
    The axes: a bar for each step, and a line at the number of directed links that there are.

    Raises
    ------
    InvalidArgument
        ``what`` cannot be run again, or has no trace.
    """
    used, links = _links_used(what, question)
    ax = _axes(ax)
    steps = range(1, len(used) + 1)
    ax.bar(steps, used, width=0.8 if len(used) <= 64 else 1.0, color=_HUES[0], zorder=2)
    ax.axhline(links, color=_MUTED, linewidth=1.2, linestyle=(0, (4, 3)), zorder=1)
    ax.annotate(f"all {links} links", (1, links), (0, 3), xycoords=("axes fraction", "data"),
                textcoords="offset points", ha="right", va="bottom", color=_MUTED)
    ax.set_ylim(0, links * 1.12)
    ax.set_xlim(0.4, len(used) + 0.6)
    ax.xaxis.get_major_locator().set_params(integer=True)
    share = sum(used) / (links * len(used)) if used and links else 0.0
    ax.annotate(f"{share:.0%} in use on average", (0, 1), (0, 3), xycoords="axes fraction",
                textcoords="offset points", ha="left", va="bottom", color=_INK)
    _finish(ax, "step", "directed links in use")
    return ax


def plot_bench(bench: Bench, x: str | None = None, y: str = "median_seconds", *, ax: Axes | None = None) -> Axes:
    """What ``bench`` measured, with 95 % intervals; doubtful cells are hollow, and this host's limits dashed.

    Parameters
    ----------
    bench : Bench
    x, y : key of the rows
        ``x`` is what the sweep varied: packets' bytes, nodes or threads by default.
    ax : matplotlib axes
        Those of a new figure by default.

    Returns
    -------
    The axes.

    Raises
    ------
    InvalidArgument
        No row has the key.
    """
    rows = bench.rows()
    if x is None:
        choices = ("bytes", "nodes", "threads", "packets")
        x = next((key for key in choices if len({row.get(key) for row in rows}) > 1), choices[0])
    lines = _series([row for row in rows if _value(row, x) is not None and _value(row, y) is not None], x)
    if not lines:
        raise InvalidArgument(f"no row has both {x} and {y}")
    ax = _axes(ax)
    ends: list[tuple[float, float, str, str]] = []
    limits: list[list[Point]] = []
    for number, (label, members) in enumerate(lines.items()):
        points = _points(members, x, y)
        colour = _HUES[number % len(_HUES)]
        ax.plot(*zip(*points, strict=True), color=colour, linewidth=1.8, zorder=3, label=label)
        for row in members:
            ax.plot([_value(row, x)], [_value(row, y)], color=colour, marker=_MARKERS[number % len(_MARKERS)],
                    markersize=6, markerfacecolor="white" if row.get("doubts") else colour, zorder=4)
            low, high = _interval(row, y)
            if low is not None and high is not None:
                ax.vlines(_value(row, x) or 0.0, low, high, color=colour, linewidth=3, alpha=0.45, zorder=2)
        ends.append((*points[-1], label, colour))
        if y == "median_seconds" and all(row.get("limit_seconds") for row in members):
            limits.append(_points(members, x, "limit_seconds"))
    for points in _unique(limits):
        ax.plot(*zip(*points, strict=True), color=_BOUND, linewidth=1.6, linestyle=(0, (4, 3)), zorder=2)
        ends.append((*points[-1], "this host's limit", _BOUND))
    _scale(ax, [point for members in lines.values() for point in _points(members, x, y)], x, y)
    _finish(ax, _words(x), _words(y))
    _label_ends(ax, ends, len(lines) == 1)
    if any(row.get("doubts") for row in rows):
        ax.annotate("hollow: doubtful (rows() says why)", (0, 1), (0, 3), xycoords="axes fraction",
                    textcoords="offset points", ha="left", va="bottom", color=_MUTED)
    return ax


def _axes(ax: Axes | None) -> Axes:
    if ax is not None:
        return ax
    from matplotlib import pyplot

    return pyplot.subplots(layout="constrained")[1]


def _rows(reports: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The reports with what was asked of each: the algorithm is "auto" where no other was asked for, so that the points
    of a sweep are one line; a torus that is a hypercube, too, is the torus that it was called."""
    rows = []
    for report in [reports] if isinstance(reports, Mapping) or not isinstance(reports, Iterable) else reports:
        if not isinstance(report, Mapping):
            raise TypeError(f"what is plotted are reports, as run, compare and sweep return them, not "
                            f"{type(report).__name__}")
        row = dict(report)
        question = getattr(report, "question", {})
        row["asked"] = question.get("algorithm") or "auto"
        network = question.get("topology")
        row["network"] = network if isinstance(network, str) else row.get("topology")
        rows.append(row)
    if not rows:
        raise InvalidArgument("there are no reports to plot")
    return rows


def _measure(rows: Sequence[Mapping[str, Any]]) -> str:
    return "virtual_time_ns" if any(row.get("virtual_time_ns") is not None for row in rows) else "steps"


def _value(row: Mapping[str, Any], key: str) -> float | None:
    value = row.get(key)
    if isinstance(value, str):
        value = Fraction(value)
    return None if value is None else float(value)


def _is_whole(key: str) -> bool:
    return not key.endswith(("_seconds", "_second", "speed_up", "efficiency"))


def _points(rows: Iterable[Mapping[str, Any]], x: str, y: str) -> list[Point]:
    return sorted((a, b) for row in rows if (a := _value(row, x)) is not None and (b := _value(row, y)) is not None)


def _series(rows: Sequence[dict[str, Any]], x: str) -> dict[str, list[dict[str, Any]]]:
    """The rows by what distinguishes them beside x; the labels are what differs."""
    def part(row: Mapping[str, Any], key: str) -> str:
        asked = {"algorithm": "asked", "topology": "network"}.get(key, key)
        value = row.get(asked, row.get(key))
        value = getattr(value, "name", value)  # of an Algorithm
        if key == "topology" and x in ("nodes", "dimensions"):
            value = str(value).split(":", 1)[0]
        return "" if value is None else _series_text(key, value)

    keys = [key for key in _SERIES if key != x and not (key == "threads" and "wall_seconds" in (rows or [{}])[0])]
    differing = [key for key in keys if len({part(row, key) for row in rows}) > 1]
    lines: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        label = ", ".join(text for key in differing if (text := part(row, key)))
        lines.setdefault(label or str(row.get("collective", "")), []).append(row)
    return lines


def _series_text(key: str, value: Any) -> str:
    text = str(value)
    named = {"tau_ns_per_byte": "tau {}", "beta_ns": "beta {}", "bytes": "{} bytes", "packets": "{} packets",
             "root": "root {}", "ports": "{} ports", "pin": "pinned {}", "to_layout": "to {}"}
    if key == "threads":
        return f"{text} thread" if text == "1" else f"{text} threads"
    if key == "ports" and text == "one":
        return "one port"
    return named.get(key, "{}").format(text)


def _distinct_bounds(lines: Iterable[Sequence[Mapping[str, Any]]], x: str, key: str | None) -> list[list[Point]]:
    return _unique([points for members in lines if (points := _points(members, x, key or ""))])


def _unique(lines: Iterable[list[Point]]) -> list[list[Point]]:
    """Without those that are a part of another."""
    kept: list[list[Point]] = []
    for points in sorted(lines, key=len, reverse=True):
        if not any(set(points) <= set(other) for other in kept):
            kept.append(points)
    return kept


def _interval(row: Mapping[str, Any], y: str) -> tuple[float | None, float | None]:
    stem = "seconds" if y == "median_seconds" else y
    return _value(row, f"{stem}_low"), _value(row, f"{stem}_high")


def _far_apart(values: Iterable[float]) -> bool:
    """Whether a logarithmic scale shows them better: all positive, and the largest is eight times the least."""
    values = list(values)
    return bool(values) and min(values) > 0 and max(values) >= 8 * min(values)


def _scale(ax: Axes, points: Sequence[Point], x: str, y: str) -> None:
    from matplotlib import ticker

    if _far_apart(a for a, _ in points):
        ax.set_xscale("log", base=2)
        places = sorted({a for a, _ in points})
        ax.xaxis.set_major_locator(ticker.FixedLocator(places if len(places) <= 12 else places[::len(places) // 8]))
        ax.xaxis.set_minor_locator(ticker.NullLocator())
        ax.xaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: _text(x, value)))
    elif _is_whole(x):
        ax.xaxis.set_major_locator(ticker.MaxNLocator(integer=True))
    if _far_apart(b for _, b in points):
        ax.set_yscale("log")
        narrow = max(b for _, b in points) < 200 * min(b for _, b in points)
        ax.yaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5) if narrow else (1,)))
        ax.yaxis.set_minor_locator(ticker.NullLocator())
    else:
        ax.set_ylim(bottom=0)
    ax.yaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: _text(y, value)))


def _finish(ax: Axes, x: str, y: str) -> None:
    """No frame, a light grid behind everything, and the words."""
    ax.set_xlabel(x, color=_INK)
    ax.set_ylabel(y, color=_INK)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        ax.spines[side].set_color(_MUTED)
    ax.tick_params(colors=_MUTED, labelcolor=_INK, which="both")
    ax.grid(True, color=_BORDER, linewidth=0.8)
    ax.set_axisbelow(True)


def _label_ends(ax: Axes, ends: Sequence[tuple[float, float, str, str]], alone: bool) -> None:
    """The lines' names at their right ends, in their colours, moved apart where they would lie on each other."""
    size = 10.0  # points of a line of text
    ends = [end for end in ends if not (alone and end[3] != _BOUND)]
    if not ends:
        return
    ax.figure.canvas.draw()  # scales and sizes are settled then
    height = 72.0 / ax.figure.dpi
    places = sorted((float(ax.transData.transform((x, y))[1]) * height, x, y, label, colour)
                    for x, y, label, colour in ends)
    heights = [place[0] for place in places]
    for _ in range(64):  # pushes neighbours apart, evenly, until none overlap
        for i in range(len(heights) - 1):
            missing = size * 1.2 - (heights[i + 1] - heights[i])
            if missing > 0.01:
                heights[i] -= missing / 2
                heights[i + 1] += missing / 2
    for wanted, (own, x, y, label, colour) in zip(heights, places, strict=True):
        ax.annotate(label, (x, y), (8, wanted - own), textcoords="offset points", va="center", color=colour,
                    fontsize=size, annotation_clip=False)


def _text(key: str, value: float) -> str:
    """With its unit, where the key has one."""
    if key.endswith("_seconds"):
        for unit, scale in (("s", 1.0), ("ms", 1e3), ("\N{MICRO SIGN}s", 1e6)):
            if value * scale >= 0.9995 or value == 0:
                return f"{_number(value * scale)} {unit}"
        return f"{_number(value * 1e9)} ns"
    if key.endswith("bytes_per_second"):
        for unit, scale in (("GB/s", 1e-9), ("MB/s", 1e-6)):
            if value * scale >= 0.9995:
                return f"{_number(value * scale)} {unit}"
        return f"{_number(value * 1e-3)} kB/s"
    return _number(value)


def _number(value: float) -> str:
    """As people write it: 4 096, 1.5, 3e-06."""
    if value == 0:
        return "0"
    if 1 <= abs(value) < 1e7 and math.isclose(value, round(value)):
        return f"{round(value):,}".replace(",", "\N{THIN SPACE}") if abs(value) >= 1e4 else str(round(value))
    return f"{value:.3g}"


def _words(key: str) -> str:
    return _WORDS.get(key, key.replace("_", " "))


def _links_used(what: Any, question: Mapping[str, Any]) -> tuple[list[int], int]:
    """Links in use in each step, and the directed links that there are."""
    film, _ = _film(what, question)
    return film.links_used, film.directed_links
