"""Runs to be seen: a page that plays one, and figures of its steps."""

from __future__ import annotations

import base64
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Unpack

import numpy as np

from . import _core
from .errors import InvalidArgument, refused
from .own_algorithms import Algorithm
from .programs import ProgramRun
from .questions import Question, exact_text, require_known, whole
from .reports import Report
from .schedules import Schedule

__all__ = ["Figure", "Page", "svg", "view"]

_SCHEDULE = ("schedule", "name")


class Page:
    """A page that plays a run: one HTML file, which any browser plays offline. A notebook shows it in a frame.

    Attributes
    ----------
    html : str
        The file.
    height : int
        Of the frame, in pixels.
    """

    def __init__(self, html: str, height: int = 720) -> None:
        self.html = html
        self.height = height

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file, which is called .html or .htm."""
        _write(path, "a page", (".html", ".htm"), self.html)

    def __repr__(self) -> str:
        return f"<Page: {len(self.html) / 1000:.0f} kB; save(path) writes it>"

    def _repr_html_(self) -> str:
        # The frame may run scripts and nothing else: not even read the notebook that it is in.
        source = self.html.replace("&", "&amp;").replace('"', "&quot;")
        return (
            f'<iframe srcdoc="{source}" sandbox="allow-scripts" width="100%" height="{self.height}" '
            'style="border:0" allowfullscreen></iframe>'
        )


class Figure:
    """A figure of some steps of a run, for slides and papers.

    Attributes
    ----------
    svg : str
        The file.
    """

    def __init__(self, svg: str, title: str = "") -> None:
        self.svg = svg
        self.title = title

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the figure to an SVG file, which is called .svg."""
        _write(path, "a figure", (".svg",), self.svg)

    def __repr__(self) -> str:
        return f"<Figure: {self.title}; save(path) writes it as SVG>"

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        # Some converters of notebooks show nothing of SVG, but all show an image.
        data = base64.b64encode(self.svg.encode()).decode()
        return f'<img src="data:image/svg+xml;base64,{data}" alt="{_escaped(self.title)}" style="max-width:100%">'


def view(what: Any, *, height: int = 720, versus: Any = None, **question: Unpack[Question]) -> Page:
    """Make a page that plays a run, step by step.

    Parameters
    ----------
    what : str, Algorithm, Report, ProgramRun or Schedule
        A collective's name or an algorithm of one's own, which is run by the question; a report, whose run is made
        again (the same seed gives the same run); the run of a program with a trace, which is played as it was; or a
        schedule that knows what it is of (`load_trace`, `schedule_of`).
    height : int
        Of the frame in a notebook, in pixels.
    versus : optional
        A second run beside the first: the name of another algorithm, an `Algorithm`, a `Report`, or a dict of the
        arguments that differ, such as ``{"topology": "torus:4x4"}``.
    **question
        As for `run`. Of a report: what is to be different.

    Returns
    -------
    Page

    Raises
    ------
    InvalidArgument
        No such run is possible, or the network is too large to be shown.
    Exception
        Whatever a run of an algorithm of one's own raises. Its attribute ``film`` is the page of what crossed the links
        up to there, opened where it went wrong; a notebook shows it above the traceback.

    Examples
    --------
    >>> import dcube
    >>> page = dcube.view("all-to-all", dim=3, versus="dimension-exchange")
    >>> page.html.startswith("<!doctype html>")
    True
    """
    film, call = _film(what, question)
    other = None
    if versus is not None:
        other = _other(what, question, versus)
        call = f"{call}, versus={_shown(versus)}"
    return Page(film.page(other, f"dcube.view({call})"), height)


def svg(
    what: Any,
    *,
    step: int | None = None,
    steps: Any = None,
    at: Any = None,
    width_mm: float = 84,
    layout: str | None = None,
    origin: int | None = None,
    legend: bool = True,
    **question: Any,
) -> Figure:
    """Draw one step of a run, or several in a strip.

    Parameters
    ----------
    what
        As for `view`.
    step : int, optional
        0 is before the first, the one after the last is when all is done; 1 if nothing is said.
    steps : sequence of int, or str, optional
        Several: ``range(1, 4)``, ``[0, 2]``, or ``"1:3"``, from the first to the last.
    at : time or sequence of times, optional
        On links that take time, in place of steps: ns as int, Fraction, str or float.
    width_mm : float
        Of the figure, 20 to 2000.
    layout : str, optional
        The name of a layout as the page has it: ``"cube in cube"``.
    origin : int, optional
        Show only the blocks that began at this node.
    legend : bool
        Whether the legend and captions are drawn.
    **question
        As for `run`; but `layout` of a matrix, which is the drawing's here.

    Returns
    -------
    Figure

    Raises
    ------
    InvalidArgument
        No such step, time, layout or node; or the network is too large to be drawn.
    """
    if not isinstance(width_mm, (int, float, Fraction)):
        raise TypeError(f"width_mm is a number, not {type(width_mm).__name__}")
    if layout is not None and not isinstance(layout, str):
        raise TypeError(f"layout is a str, the name of a drawing's layout, not {type(layout).__name__}")
    shown_of = None if origin is None else whole("origin", origin)
    if shown_of is not None and shown_of < 0:
        raise refused("origin", shown_of, "is no node: nodes are 0, 1, 2, ..")
    film, _ = _film(what, question, drawn=True)
    moments, times = _moments(film, step, steps, at)
    text = film.figure(moments, times, float(width_mm), layout, shown_of, bool(legend))
    return Figure(text, film.title)


def _film(what: Any, question: Mapping[str, Any], *, drawn: bool = False) -> tuple[_core.Film, str]:
    # The film, and the call's arguments as they are written.
    if isinstance(what, ProgramRun):
        return _program_film(what, question), "run"
    asked = _asked(what, question)
    collective = asked.pop("collective")
    schedule, name = (asked.pop(key, None) for key in _SCHEDULE)
    shown = ", ".join([_shown(collective), *(f"{key}={_shown(value)}" for key, value in asked.items())])
    if schedule is not None:
        return _core.film_of_schedule(schedule, collective, name, asked), f"{shown}, schedule={name!r}"
    failed: list[_core.Film] = []
    try:
        return _core.film_of_question(collective, asked, drawn, failed), shown
    except Exception as error:
        if failed:
            attach_film(error, failed[0], f"dcube.view({shown})")
        raise


def attach_film(error: Exception, failed: _core.Film, command: str) -> None:
    """Give an error the film of the run that it ends; a notebook shows it above the traceback."""
    try:
        film = Page(failed.page(None, command))
        error.film = film  # type: ignore[attr-defined]
    except (InvalidArgument, AttributeError):  # a page cannot show it, or the exception takes no more
        return
    if "IPython" not in sys.modules:
        return
    from IPython import get_ipython
    from IPython.display import display

    if get_ipython() is not None:
        display(film)


def _asked(what: Any, question: Mapping[str, Any]) -> dict[str, Any]:
    # The whole question, with the collective.
    require_known(question, "height", "versus")
    given = {key: value for key, value in question.items() if value is not None}
    if isinstance(what, Report):
        return _replaced(what.question, given)
    if isinstance(what, list) and not isinstance(what, Schedule):
        raise TypeError("a list does not say what it is a schedule of: view(replay(schedule, collective, ..)) plays it")
    if isinstance(what, Schedule):
        asked = _replaced({"collective": what.collective, **what.question}, given)
        return {**asked, "schedule": list(what), "name": "schedule"}
    return {"collective": what, **given}


def _replaced(question: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    # The question with changes. A network replaces the other one, even if one is given as dim and
    # the other as topology.
    left = dict(question)
    if "dim" in changes or "topology" in changes:
        left.pop("dim", None)
        left.pop("topology", None)
    if "algorithm" in changes:
        for key in _SCHEDULE:
            left.pop(key, None)
    return {**left, **changes}


def _other(what: Any, question: Mapping[str, Any], versus: Any) -> _core.Film:
    if isinstance(what, ProgramRun) or isinstance(versus, ProgramRun):
        raise refused("versus", None, "is not possible: the run of a program achieves no collective, and there is "
                                      "nothing to compare it with")
    if isinstance(versus, Report):
        return _film(versus, {})[0]
    changes = versus if isinstance(versus, Mapping) else {"algorithm": versus}
    asked = _replaced(_asked(what, question), changes)
    first = asked.pop("collective")
    if "algorithm" in changes and not isinstance(first, str):
        first = _core.collective_of(first)  # the collective of the algorithm that is replaced
    return _film(first, asked)[0]


def _program_film(run: ProgramRun, question: Mapping[str, Any]) -> _core.Film:
    if question:
        raise TypeError(f"a program's run is shown as it was: {', '.join(question)} cannot be given")
    if run._trace is None:
        raise InvalidArgument("the run has no trace: machine.run(program, trace=True) keeps one")
    return _core.film_of_program(run._trace, run.topology, run.ports, run.steps, run.program)


def _moments(film: _core.Film, step: int | None, steps: Any, at: Any) -> tuple[list[int], list[str]]:
    given = [name for name, value in (("step", step), ("steps", steps), ("at", at)) if value is not None]
    if len(given) > 1:
        raise refused(given[1], None, f"cannot be used together with {given[0]}")
    if at is not None:
        times = at if isinstance(at, Sequence) and not isinstance(at, str) else [at]
        if not times:
            raise refused("at", None, "names no time: expected one or more")
        return [], [exact_text(time) if isinstance(time, (float, np.floating)) else str(time) for time in times]
    if steps is None:
        found = [(1 if film.steps else 0) if step is None else whole("step", step)]
    elif isinstance(steps, str):
        found = _between(steps)
    elif not isinstance(steps, Iterable):
        raise TypeError(f"steps are a range, a list or a str such as '1:3', not {type(steps).__name__}: step= is one")
    else:
        found = [whole("each of steps", one) for one in steps]
    if not found:
        raise refused("steps", None, "names no step: expected one or more")
    last = film.steps + 1
    for one in found:
        if not 0 <= one <= last:
            raise refused("step" if steps is None else "steps", one,
                          f"is not possible: 0 (before the first) to {last} (when all is done) are allowed")
    return found, []


def _between(steps: str) -> list[int]:
    first, colon, last = steps.partition(":")
    if not (first.isdecimal() and (last.isdecimal() if colon else True)):
        raise refused("steps", repr(steps), "is not possible: '1:3' is three steps, from the first to the last")
    if colon and int(first) > int(last):
        raise refused("steps", repr(steps), "is not possible: the first must not come after the last")
    return list(range(int(first), int(last if colon else first) + 1))


def _shown(value: Any) -> str:
    # A value as it is written; of other objects nothing that differs from run to run.
    if isinstance(value, (str, int, float, bool)):
        return repr(value)
    if isinstance(value, Fraction):
        return repr(str(value))
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_shown(one) for one in value) + "]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key!r}: {_shown(one)}" for key, one in value.items()) + "}"
    name = getattr(value, "name", None)
    if not isinstance(name, str):
        return type(value).__name__
    return name if isinstance(value, Algorithm) and name.isidentifier() else repr(name)


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def _write(path: str | os.PathLike[str], what: str, endings: tuple[str, ...], text: str) -> None:
    # With another extension the file would be mistaken for another format, a PDF say.
    if not os.fspath(path).lower().endswith(endings):
        raise refused("path", repr(os.fspath(path)), f"is not possible: {what} is saved as {' or '.join(endings)}")
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
