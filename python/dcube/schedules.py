"""Schedules as lists: who sends which block to whom in which step, judged, run on real bytes, and kept as traces.

A schedule is an iterable of entries, sorted by step:

``(step, from, to)`` or ``(step, from, to, blocks)``
    Node `from` sends `blocks` to its neighbour `to` in `step` (1, 2, ...). What arrives in a step can be sent on in the
    next.

A block is one of these, and `blocks` is a block or a list of blocks:

``None``
    The whole message, where there is only one (broadcast, send), or all of the sum (all-reduce, reduce).
a number
    The message's origin (all-gather, gather, permute, broadcast), or its target (scatter, reduce-scatter, reduce). Of
    all-reduce: the block of the vector, 0 to `packets` - 1.
``(origin, target)``
    The message between two nodes (all-to-all).
``(origin, target, offset, length)``
    Some bytes of a message; None stands for an end that the collective does not have.
a dict
    A piece as in a trace: origin, target, offset, length, sum_of.

An entry may also be a dict: a line of a trace (docs/report.md), with times or a lost packet.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Unpack

from . import _core
from .errors import InvalidArgument, TraceError, refused
from .questions import Question, require_known, require_text
from .reports import Report

__all__ = ["Schedule", "Verdict", "judge", "load_trace", "replay", "save_trace", "schedule_of"]

# The keys of a trace's first line that are arguments of the question, with the arguments' names. The link model
# follows from tau and beta.
_ARGUMENTS = {
    key: name
    for key, name, _ in _core.question_keys
    if key in _core.trace_keys and key not in ("collective", "algorithm", "link_model")
}


class Verdict(Mapping[str, Any]):
    """The verdict on an accepted schedule. Its keys are attributes too.

    Attributes
    ----------
    steps, transmissions, bytes, lost : int
        Of the schedule: its last step, its packets, the bytes that cross links, the packets that do not arrive.
    virtual_time_ns : int, Fraction or None
        When the last packet has arrived, on links that take time and if the entries have times.
    steps_lower_bound, transmissions_lower_bound : int or None
        What every schedule needs; None on links that take time.
    time_lower_bound_ns : int, Fraction or None
        The same on links that take time.
    optimal : bool
        Whether there can be nothing with fewer steps, or faster on links that take time.
    """

    __slots__ = ("_values",)

    def __init__(self, values: dict[str, Any]) -> None:
        object.__setattr__(self, "_values", values)

    def __getitem__(self, key: str) -> Any:
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __getattr__(self, name: str) -> Any:
        if name == "_values":  # not made yet
            raise AttributeError(name)
        try:
            return self._values[name]
        except KeyError:
            raise AttributeError(f"a verdict has no {name!r}: it has {', '.join(self._values)}") from None

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("a verdict cannot be changed")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._values]

    def __reduce__(self) -> tuple[Any, ...]:
        return Verdict, (dict(self._values),)

    def _reached(self) -> str:
        values = self._values
        if values["virtual_time_ns"] is not None:
            return f"{values['virtual_time_ns']} ns, lower bound {values['time_lower_bound_ns']}"
        bound = values["steps_lower_bound"]
        return f"{values['steps']} steps" + ("" if bound is None else f", lower bound {bound}")

    def __repr__(self) -> str:
        optimal = ", optimal" if self._values["optimal"] else ""
        return f"<Verdict: accepted, {self._reached()}{optimal}, {self._values['transmissions']} transmissions>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th>{key}</th><td>{value}</td></tr>" for key, value in self._values.items() if value is not None
        )
        return f"<table>{rows}</table>"


class Schedule(list[Any]):
    """A list of entries from a trace, with the question of its header.

    Attributes
    ----------
    collective : str or None
        None if the trace has no first line that says it.
    question : dict
        The arguments of the trace's problem and network, for `judge`, `replay` and `view`.
    header : dict
        All that the first line says.
    """

    def __init__(self, entries: Iterable[Any] = (), header: Mapping[str, Any] | None = None) -> None:
        super().__init__(entries)
        self.header: dict[str, Any] = dict(header or {})

    @property
    def collective(self) -> str | None:
        name = self.header.get("collective")
        return None if name is None else str(name)

    @property
    def question(self) -> dict[str, Any]:
        given = {name: self.header[key] for key, name in _ARGUMENTS.items() if self.header.get(key) is not None}
        if given.get("type") == "float":  # C's, of 32 bits
            given["type"] = "float32"
        return given


def _asked(
    schedule: Iterable[Any], collective: str | None, given: Mapping[str, Any], *own: str
) -> tuple[list[Any], str, dict[str, Any]]:
    # The entries as a list, and what they are to achieve.
    require_known(given, *own)
    if isinstance(schedule, (str, bytes)) or not isinstance(schedule, Iterable):
        raise TypeError(f"a schedule is a list of (step, from, to) or (step, from, to, blocks), not "
                        f"{type(schedule).__name__}")
    if collective is not None and not isinstance(collective, str):
        raise TypeError(f"collective is a str, not {type(collective).__name__}")
    question = dict(given)
    if isinstance(schedule, Schedule):
        if collective is None:
            collective = schedule.collective
        if schedule.header:
            network = question.get("dim") is not None or question.get("topology") is not None
            of_trace = schedule.question
            if network:
                of_trace.pop("topology", None)
            question = {**of_trace, **question}
    if collective is None:
        raise refused("collective", None, "is missing: what is the schedule to achieve?")
    return schedule if isinstance(schedule, list) else list(schedule), collective, question


def judge(
    schedule: Iterable[Any], collective: str | None = None, *, redundant: bool = False, **question: Unpack[Question]
) -> Verdict:
    """Judge a schedule by the rules of the machine, without running it.

    The judge shares no code with the algorithms. It checks that every link exists and carries one packet a step, that
    no block leaves a node before the step after it arrived, that nothing arrives twice, and that in the end every node
    has what it needs.

    Parameters
    ----------
    schedule : iterable of entries
        See this module's text. Of `load_trace`, which knows what it is of.
    collective : str
        What it is to achieve.
    redundant : bool
        Whether blocks may arrive more than once.
    **question
        The network and the problem, as for `run`.

    Returns
    -------
    Verdict

    Raises
    ------
    TraceError
        The schedule is wrong. `index` is the first offending entry's place, and `entry` that entry; both are None if
        the schedule as a whole falls short.
    InvalidArgument
        Nothing can be judged by such a question.

    Examples
    --------
    >>> import dcube
    >>> dcube.judge([(1, 0, 1, None), (2, 0, 2, None), (2, 1, 3, None)], "broadcast", dim=2).optimal
    True
    """
    if isinstance(schedule, Schedule) and schedule.header.get("redundant"):
        redundant = True
    entries, collective, asked = _asked(schedule, collective, question, "redundant")
    return Verdict(_core.judge(entries, collective, redundant, asked))


def replay(
    schedule: Iterable[Any], collective: str | None = None, *, name: str = "schedule", **question: Unpack[Question]
) -> Report:
    """Judge a schedule, run it on real bytes, and verify every byte.

    Parameters
    ----------
    schedule, collective, **question
        As for `judge`. Times of entries are ignored: packets leave as early as they can.
    name : str
        What reports and pages call it.

    Returns
    -------
    Report
        `view` plays it.

    Raises
    ------
    TraceError, InvalidArgument
        As `judge`.
    """
    entries, collective, asked = _asked(schedule, collective, question, "name")
    report: Report = _core.replay(entries, collective, require_text("name", name), asked)
    return report


def schedule_of(what: Any, **question: Unpack[Question]) -> Schedule:
    """Run a collective and keep its schedule: who sent which block to whom in which step.

    Parameters
    ----------
    what : str or Algorithm
        A collective's name, or an algorithm made in Python.
    **question
        As for `run`.

    Returns
    -------
    Schedule
        A list; `judge`, `replay`, `save_trace` know what it is of.

    Examples
    --------
    >>> import dcube
    >>> dcube.schedule_of("broadcast", dim=1)
    [(1, 0, 1, None)]
    """
    schedule = _read(_core.traced(what, question).splitlines(), "the trace")
    if question.get("topology") is not None:  # which its name alone may not give
        faults = question.get("faults")
        schedule.header["topology"] = (_core.network_of({"topology": question["topology"], "faults": faults})
                                       if faults else question["topology"])
    return schedule


def load_trace(path: str | os.PathLike[str]) -> Schedule:
    """Read a trace, as ``dcube run --trace`` and `save_trace` write it, as a schedule.

    Parameters
    ----------
    path : path
        A file of JSON lines.

    Returns
    -------
    Schedule
        A list; `judge`, `replay` and `view` know what it is of, if the trace's first line says it.

    Raises
    ------
    TraceError
        A line is no JSON object; `line` is its number.
    OSError
        The file cannot be read.
    """
    with open(path, encoding="utf-8") as file:
        return _read(file, os.fspath(path))


def _read(lines: Iterable[str], name: str) -> Schedule:
    schedule = Schedule()
    collective = message = None
    for number, text in enumerate(lines, 1):
        if not text.strip():
            continue
        line = _object(text, number, name)
        if number == 1 and "dcube_trace" in line:
            schedule.header = line
            collective = _own_name(schedule.collective)
            message = _message_bytes(line)
        else:
            schedule.append(_entry(line, collective, message))
    return schedule


def _own_name(collective: str | None) -> str | None:
    # dcube's name, even if the file has one of MPI's, say. An unknown collective is refused later,
    # where it is looked up.
    try:
        return None if collective is None else str(_core.algorithms(collective)[0]["collective"])
    except InvalidArgument:
        return collective


def _object(text: str, number: int, name: str) -> dict[str, Any]:
    try:
        line = json.loads(text)
    except ValueError as error:
        raise TraceError(f"{name}: line {number}: not valid JSON: {error}", number) from None
    if not isinstance(line, dict):
        raise TraceError(f"{name}: line {number}: an object is expected", number)
    return line


def _message_bytes(header: Mapping[str, Any]) -> int | None:
    size = header.get("bytes")
    return None if size is None else int(size) * int(header.get("packets") or 1)


def _entry(line: dict[str, Any], collective: str | None, message: int | None) -> Any:
    # A tuple if that says all.
    plain = not line.get("lost") and line.get("start_ns") is None and line.get("end_ns") is None
    if not plain or any(key not in line for key in ("step", "from", "to", "pieces")):
        return line
    if not isinstance(line["pieces"], list):
        return line
    blocks = [_block(piece, collective, message) for piece in line["pieces"]]
    return (line["step"], line["from"], line["to"], blocks[0] if len(blocks) == 1 else blocks)


def _block(piece: Any, collective: str | None, message: int | None) -> Any:
    if not isinstance(piece, dict) or piece.get("sum_of") is not None or not {"offset", "length"} <= piece.keys():
        return piece
    origin, target = piece.get("origin"), piece.get("target")
    if (piece["offset"], piece["length"]) != (0, message):
        return (origin, target, piece["offset"], piece["length"])
    if collective == "broadcast":
        return None
    if collective in ("all-gather", "gather", "permute"):
        return origin
    if collective == "scatter":
        return target
    return (origin, target)


def save_trace(
    schedule: Iterable[Any],
    path: str | os.PathLike[str],
    collective: str | None = None,
    **question: Unpack[Question],
) -> None:
    """Judge a schedule and write it as a trace, which ``dcube verify``, ``replay`` and ``view --trace`` read.

    Parameters
    ----------
    schedule, collective, **question
        As for `judge`.
    path : path
        The file; it is replaced.

    Raises
    ------
    TraceError, InvalidArgument
        As `judge`; nothing is written then.
    OSError
        The file cannot be written.
    """
    entries, collective, asked = _asked(schedule, collective, question, "path")
    text = _core.trace_text(entries, collective, asked)
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
