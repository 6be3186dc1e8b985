"""Measurements: the speed of runs on this machine, with intervals and doubts, and the machine's limits."""

from __future__ import annotations

import html
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from . import _core
from .errors import refused
from .questions import combinations, require_known
from .reports import EXACT_KEYS

__all__ = ["Bench", "BenchComparison", "Limits", "bench", "compare_benches", "limits"]


class Bench:
    """The result of `bench`: the document of ``dcube bench --output``, and tables of it.

    Pickles and compares by the document. ``Bench.load(path)`` reads what the program or `save` wrote.
    """

    __slots__ = ("_document", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._document: dict[str, Any] | None = None

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Bench:
        """The benchmark in a file. Raises InvalidArgument if ``dcube bench`` wrote no such file."""
        text = Path(path).read_text(encoding="utf-8")
        _core.check_bench(text, os.fspath(path))
        return cls(text)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it as ``dcube bench --output`` does; ``dcube bench --read`` and ``--against`` read it."""
        Path(path).write_text(self._text, encoding="utf-8")

    def to_json(self) -> str:
        """The JSON of ``dcube bench --format json``."""
        return self._text

    @property
    def document(self) -> dict[str, Any]:
        """That JSON as a dict; its keys are those of docs/report.md, every sample included."""
        if self._document is None:
            self._document = json.loads(self._text)
        return self._document

    def rows(self) -> list[dict[str, Any]]:
        """A row for each cell, for a table: the keys that apply, without samples.

        An interval ``interval_seconds`` becomes ``seconds_low`` and ``seconds_high``; doubts are one text.
        """
        return [_row(cell) for cell in self.document["cells"]]

    @property
    def left_out(self) -> dict[str, str]:
        """Cells that could not be measured, and why."""
        return {one["cell"]: one["reason"] for one in self.document["left_out"]}

    @property
    def warnings(self) -> list[str]:
        """Reasons to doubt all of it: a busy machine, say."""
        return list(self.document["warnings"])

    def rivals(self) -> list[dict[str, Any]]:
        """Cells that differ only in algorithm, threads, channel or pin, against the first of them.

        Returns
        -------
        Rows of `compare_benches`, with ``against``: the cell that is the old one.
        """
        return [_row(rival) for rival in json.loads(_core.bench_rivals(self._text))]

    def __len__(self) -> int:
        return len(self.document["cells"])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Bench) and self.document == other.document

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._text,)

    def __repr__(self) -> str:
        doubtful = sum(bool(cell["doubts"]) for cell in self.document["cells"])
        doubts = f", {doubtful} of them doubtful" if doubtful else ""
        return f"<Bench of {_counted(len(self), 'cell')}{doubts}: {self.document['command']}>"

    def _repr_html_(self) -> str:
        rows = [{"cell": _cell_words(cell), "median": _seconds(cell["median_seconds"]),
                 "95 % interval": _interval(cell["interval_seconds"], _seconds),
                 "ns per hop": _rounded(cell["ns_per_hop"])}
                for cell in self.document["cells"]]
        return _html_table(rows) + _html_doubts({row["cell"]: cell["doubts"] for row, cell in
                                                 zip(rows, self.document["cells"], strict=True)})


class BenchComparison:
    """Two benchmarks, cell by cell: faster, slower, equal, or undecidable, as ``dcube bench --against`` says it."""

    __slots__ = ("document",)

    def __init__(self, text: str) -> None:
        self.document: dict[str, Any] = json.loads(text)

    def rows(self) -> list[dict[str, Any]]:
        """A row for each cell that both have: medians, ``ratio`` (new over old) with ``ratio_low`` and
        ``ratio_high``, ``p_value``, ``verdict``, ``equal_within``, ``doubts``."""
        return [_row(cell) for cell in self.document["cells"]]

    @property
    def differences(self) -> list[dict[str, str]]:
        """The differences of hosts, programs and settings: ``what``, ``old``, ``new``."""
        return list(self.document["differences"])

    @property
    def only_old(self) -> list[str]:
        """Cells that only the first benchmark has."""
        return list(self.document["only_old"])

    @property
    def only_new(self) -> list[str]:
        """Cells that only the second benchmark has."""
        return list(self.document["only_new"])

    def __len__(self) -> int:
        return len(self.document["cells"])

    def __repr__(self) -> str:
        verdicts = [cell["verdict"] for cell in self.document["cells"]]
        counts = [f"{verdicts.count(one)} {one}" for one in ("faster", "slower", "equal", "cannot tell")
                  if one in verdicts]
        return f"<BenchComparison of {_counted(len(self), 'cell')}{': ' if counts else ''}{', '.join(counts)}>"

    def _repr_html_(self) -> str:
        rows = [{"cell": cell["cell"], "old": _seconds(cell["old_median_seconds"]),
                 "new": _seconds(cell["new_median_seconds"]), "ratio": f"{cell['ratio']:.3f}",
                 "95 % interval": _interval(cell["ratio_interval"], "{:.3f}".format), "verdict": cell["verdict"]}
                for cell in self.document["cells"]]
        return _html_table(rows) + _html_doubts({cell["cell"]: cell["doubts"] for cell in self.document["cells"]})


class Limits(Mapping[str, Any]):
    """The limits of this machine: the document of ``dcube limits --format json``, as a mapping.

    ``kept`` says where it was kept, or why not; it is empty for limits that were kept before.
    """

    __slots__ = ("_document", "_records", "kept")

    def __init__(self, text: str, records: str, kept: str = "") -> None:
        self._document: dict[str, Any] = json.loads(text)
        self._records: list[dict[str, Any]] = json.loads(records)
        self.kept = kept

    def __getitem__(self, key: str) -> Any:
        return self._document[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._document)

    def __len__(self) -> int:
        return len(self._document)

    def rows(self) -> list[dict[str, Any]]:
        """A row for each figure: its name, its subject, ``value`` and ``unit``."""
        return [{key: value for key, value in record.items() if value is not None} for record in self._records]

    def __repr__(self) -> str:
        quick = ", measured roughly" if self["quick"] else ""
        warned = f", {_counted(len(self['warnings']), 'warning')}" if self["warnings"] else ""
        return f"<Limits of {self['date']}: {_counted(len(self._records), 'figure')}{quick}{warned}>"

    def _repr_html_(self) -> str:
        return _html_table([{key: row.get(key, "") for key in self._records[0]} for row in self.rows()])


def bench(collective: str, *, min_seconds: float | None = None, max_seconds: float | None = None,
          rounds: int | None = None, samples: int | None = None, warm_up: int | None = None,
          check: bool | None = None, **question: Any) -> Bench:
    """Measure how long runs take here, as carefully as ``dcube bench``: warmed up, checked, interleaved.

    Parameters
    ----------
    collective : str
    min_seconds, max_seconds : float
        Time of measuring for each cell: 0.4 and 3 by default.
    rounds, samples, warm_up : int
        Rounds that interleave the cells (9), runs of each cell at least (8), unmeasured runs first (1).
    check : bool
        Whether results are checked (they are).
    **question
        What is asked: see `dcube.questions.Question`. Arguments of several values are swept as by `sweep`: every
        combination is a cell. Without ``threads`` all are used.

    Returns
    -------
    Bench
        Cells that could not be measured are in ``left_out``.

    Raises
    ------
    InvalidArgument
        The question cannot be asked so, or no cell can be measured.
    """
    require_known(question, "min_seconds", "max_seconds", "rounds", "samples", "warm_up", "check")
    for foreign in ("repeat", "failing"):
        if question.get(foreign) is not None:
            raise refused(foreign, None,
                          "is not for bench: rounds and samples say how often a cell is run, and no links fail")
    question = {key: list(value) if isinstance(value, Iterator) else value for key, value in question.items()}
    words = _call("bench", (collective,), {**question, "min_seconds": min_seconds, "max_seconds": max_seconds,
                                           "rounds": rounds, "samples": samples, "warm_up": warm_up, "check": check})
    return Bench(_core.bench(collective, combinations(question), command=words, min_seconds=min_seconds,
                             max_seconds=max_seconds, samples=samples, rounds=rounds, warm_up=warm_up, check=check))


def compare_benches(before: Bench | str | os.PathLike[str], now: Bench | str | os.PathLike[str]) -> BenchComparison:
    """Compare two benchmarks, as ``dcube bench --read NOW --against BEFORE`` does.

    Parameters
    ----------
    before, now : Bench, or the path of a file of ``dcube bench --output``

    Raises
    ------
    InvalidArgument
        A file was not written by ``dcube bench``.
    """
    old_text, old_name = _bench_text(before, "the first benchmark")
    new_text, new_name = _bench_text(now, "the second benchmark")
    return BenchComparison(_core.compare_benches(old_text, old_name, new_text, new_name))


def limits(*, measure: bool = False, quick: bool = False, threads: int | Sequence[int] | None = None,
           pin: str | None = None, keep: bool = True) -> Limits:
    """Measure the limits of this machine: copies, blocks, barriers, handovers, as ``dcube limits`` measures them.

    Limits that were kept by an earlier call, or by the program, are returned at once; else, or with ``measure=True``,
    they are measured: 10 s in which nothing else should run.

    Parameters
    ----------
    measure : bool
        Whether to measure although there are kept ones.
    quick : bool
        1 s instead of 10 s, less accurate.
    threads : int or sequence of int
        Numbers of threads: 1, 2, 4, .. and all by default.
    pin : str
        ``"none"``, ``"compact"``, ``"scatter"``, ``"no-smt"``, ``"one-per-l3"`` or processors: ``"0,2,4-7"``.
    keep : bool
        Whether they are kept for later reports and benchmarks, if they are better than those that are.
    """
    words = _call("limits", (), {"quick": quick or None, "threads": threads, "pin": pin})
    if not measure and threads is None and pin is None:
        kept = _core.kept_limits(words)
        if kept is not None:
            return Limits(*kept)
    numbers = [] if threads is None else [threads] if isinstance(threads, int) else sorted(set(threads))
    text, records, path, document = _core.measure_limits(words, numbers, quick, pin or "none")
    if not keep:
        return Limits(text, records, "not kept: keep=False")
    if path is None:
        return Limits(text, records, f"not kept: {document}")
    return Limits(text, records, _keep(path, document))


def _keep(path: str, document: str) -> str:
    """Write the file, whole or not at all; it is no error if that fails."""
    import tempfile  # here, because it takes a while

    try:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(prefix="limits.", dir=Path(path).parent)
        try:
            with open(descriptor, "w", encoding="utf-8") as file:
                file.write(document)
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as error:
        return f"not kept: {error}"
    return f"kept in {path}"


def _bench_text(what: Bench | str | os.PathLike[str], name: str) -> tuple[str, str]:
    if isinstance(what, Bench):
        return what.to_json(), name
    return Path(what).read_text(encoding="utf-8"), os.fspath(what)


def _call(name: str, arguments: tuple[Any, ...], given: Mapping[str, Any]) -> str:
    """The call as Python code, for the document, which names the command that made it."""
    words = [repr(one) for one in arguments]
    words += [f"{key}={value!r}" for key, value in given.items() if value is not None]
    return f"dcube.{name}({', '.join(words)})"


def _row(cell: Mapping[str, Any]) -> dict[str, Any]:
    row: dict[str, Any] = {}
    for key, value in cell.items():
        if value is None or key in ("rounds", "modes", "step", "counters"):
            continue
        if key.endswith("interval") or key == "interval_seconds":
            stem = "seconds" if key == "interval_seconds" else key.removesuffix("_interval")
            row[f"{stem}_low"], row[f"{stem}_high"] = value
        elif key == "doubts":
            row[key] = "; ".join(value)
        elif key in EXACT_KEYS:
            row[key] = float(Fraction(value))
        else:
            row[key] = value
    return row


def _cell_words(cell: Mapping[str, Any]) -> str:
    size = f"{cell['rows']} x {cell['columns']}" if cell["rows"] is not None else f"{cell['bytes']} bytes"
    words = [cell["collective"], cell["topology"], size, _counted(cell["threads"], "thread")]
    return ", ".join([*words, *([f"by {cell['asked']}"] if cell["asked"] != "auto" else [])])


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _seconds(value: float) -> str:
    for unit, scale in (("s", 1.0), ("ms", 1e3), ("us", 1e6)):
        if value * scale >= 1:
            return f"{value * scale:.3g} {unit}"
    return f"{value * 1e9:.3g} ns"


def _interval(ends: Sequence[float] | None, text: Any) -> str:
    return f"{text(ends[0])} .. {text(ends[1])}" if ends else ""


def _rounded(value: float | None) -> str:
    return "" if value is None else f"{value:.3g}"


def _html_doubts(doubts: Mapping[str, Sequence[str]]) -> str:
    """The doubts below a table, each once, with the cells that it is about."""
    cells: dict[str, list[str]] = {}
    for cell, found in doubts.items():
        for one in found:
            cells.setdefault(one, []).append(cell)
    return "".join(
        f"<p>{html.escape(doubt)} ({'all cells' if len(of) == len(doubts) > 1 else html.escape('; '.join(of))})</p>"
        for doubt, of in cells.items())


def _html_table(rows: Sequence[Mapping[str, Any]]) -> str:
    if not rows:
        return "<table></table>"
    head = "".join(f"<th>{html.escape(str(key))}</th>" for key in rows[0])
    body = "".join("<tr>" + "".join(f"<td>{html.escape(str(value))}</td>" for value in row.values()) + "</tr>"
                   for row in rows)
    return f"<table><tr>{head}</tr>{body}</table>"
