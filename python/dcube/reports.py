"""Reports of runs."""

from __future__ import annotations

import copy
import difflib
import html
import json
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, Self, SupportsIndex, overload

from ._core import report_keys

EXACT_KEYS = frozenset(key for key, unit in report_keys.items() if unit == "ns")  # a fraction is written "5/2"

_SHOWN = 100  # reports of a list, at most


def _parsed(text: str) -> dict[str, Any]:
    """The values of a report's JSON, its times exact."""
    values: dict[str, Any] = json.loads(text)
    for key in EXACT_KEYS & values.keys():
        if isinstance(values[key], str):  # "5/2"
            values[key] = Fraction(values[key])
    return values


def unknown_key(key: Any, keys: Iterable[str]) -> str:
    """The message for a missing key; the keys are too many to be listed."""
    near = difflib.get_close_matches(str(key), list(keys), n=3)
    hint = f"did you mean {' or '.join(near)}?" if near else "list(..) has all keys"
    return f"there is no key {key!r}: {hint}"


class _Record(Mapping[str, Any]):
    """A mapping whose keys are attributes too. Its JSON text is read at the first question."""

    __slots__ = ("_json", "_question", "_values")

    _json: str
    _question: Mapping[str, Any]
    _values: Mapping[str, Any] | None

    def __init__(self, text: str, question: Mapping[str, Any]) -> None:
        set_once = object.__setattr__
        set_once(self, "_json", text)
        set_once(self, "_question", question)
        set_once(self, "_values", None)

    def _all(self) -> Mapping[str, Any]:
        values = self._values
        if values is None:
            values = _parsed(self._json)
            object.__setattr__(self, "_values", values)
        return values

    def __getitem__(self, key: str) -> Any:
        try:
            value = self._all()[key]
        except KeyError:
            raise KeyError(unknown_key(key, self)) from None
        return copy.deepcopy(value) if isinstance(value, (dict, list)) else value

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError:
            raise AttributeError(unknown_key(name, self)) from None

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a {type(self).__name__} cannot be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a {type(self).__name__} cannot be changed")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self]

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._json, self._question)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: Any) -> Self:
        return self

    @property
    def question(self) -> dict[str, Any]:
        """The question: "collective" and the given arguments."""
        return dict(self._question)

    def row(self) -> dict[str, Any]:
        """A row of a table: the keys that apply, no nested values, exact times as float."""
        return {
            key: float(value) if key in EXACT_KEYS else value
            for key, value in self._all().items()
            if value is not None and not isinstance(value, (dict, list))
        }

    def to_json(self) -> str:
        """The JSON object that the program prints with ``--format json``."""
        return self._json

    def _title(self) -> str:
        return f"{self['collective']} on {self['topology']} by {self['algorithm']}"

    def _result(self) -> list[tuple[str, str]]:
        """The main result."""
        raise NotImplementedError

    def _facts(self) -> list[tuple[str, str]]:
        paper = f" ({self['paper']})" if self["paper"] else ""
        return [
            ("collective", self["collective"]),
            ("network", f"{self['topology']}, {self['nodes']} nodes"),
            ("algorithm", f"{self['algorithm']}{paper}"),
            *self._result(),
        ]

    def __repr__(self) -> str:
        result = ", ".join(f"{name} {value}" for name, value in self._result())
        return f"<{type(self).__name__} {self._title()}: {result}>"

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><th>{_escaped(name)}</th><td>{_escaped(value)}</td></tr>" for name, value in self._facts())
        return f"<table>{rows}</table>"


class Report(_Record):
    """The report of one run: a mapping whose keys, and their order, are those of docs/report.md.

    Every key is an attribute too. Exact times are `int` or `fractions.Fraction`. A report cannot be changed, pickles,
    and keeps no trace.
    """

    __slots__ = ()

    @property
    def optimal(self) -> bool:
        """Whether no algorithm can do better: the ratio to the lower bound is 1, or there is no bound."""
        ratio = self["ratio_to_bound"]
        return ratio is None or bool(ratio == 1)

    def _result(self) -> list[tuple[str, str]]:
        lines = []
        if self["virtual_time_ns"] is not None:
            lines.append(("time", _of(self["virtual_time_ns"], self["time_lower_bound_ns"], " ns")))
        return [
            *lines,
            ("steps", _of(self["steps"], self["steps_lower_bound"])),
            ("transmissions", _of(self["transmissions"], self["transmissions_lower_bound"])),
            ("verified", self._verified()),
        ]

    def _verified(self) -> str:
        if not self["verified"]:
            return "no"
        if self["comparison"] == "every byte":
            return "yes"
        return str(self["comparison"]) + (", not the same bits at all nodes" if self["same_bits"] is False else "")


class Forecast(_Record):
    """The forecast of a run: the keys of a dry run, `memory_bytes` and `predicted_seconds` among them.

    Otherwise as a `Report`.
    """

    __slots__ = ()

    def _result(self) -> list[tuple[str, str]]:
        lines = []
        if self["predicted_time_ns"] is not None:
            lines.append(("time", _of(self["predicted_time_ns"], self["time_lower_bound_ns"], " ns")))
        seconds = self["predicted_seconds"]
        return [
            *lines,
            ("steps", _of(self["steps"], self["steps_lower_bound"])),
            ("transmissions", _of(self["transmissions"], self["transmissions_lower_bound"])),
            ("memory", f"{self['memory_bytes']} bytes"),
            ("takes", "unknown" if seconds is None else f"about {seconds:.2g} s"),
        ]


class Reports(list[Report]):
    """Reports of several runs: a list, of which slices and sums are Reports too.

    Attributes
    ----------
    left_out : dict of str to str
        Of a comparison: the algorithms that could not do it, and why. Of a sweep: the combinations. Slices have all of
        it.
    """

    def __init__(self, reports: Iterable[Report] = (), left_out: Mapping[str, str] | None = None) -> None:
        super().__init__(reports)
        self.left_out: dict[str, str] = dict(left_out or {})

    def rows(self) -> list[dict[str, Any]]:
        """A row for each report, for a data frame."""
        return [report.row() for report in self]

    @overload
    def __getitem__(self, place: SupportsIndex) -> Report: ...
    @overload
    def __getitem__(self, place: slice) -> Reports: ...
    def __getitem__(self, place: SupportsIndex | slice) -> Report | Reports:
        found = super().__getitem__(place)
        return Reports(found, self.left_out) if isinstance(found, list) else found

    def __add__(self, other: list[Any]) -> Reports:  # type: ignore[override]
        if not isinstance(other, list):
            return NotImplemented
        return Reports([*self, *other], {**self.left_out, **getattr(other, "left_out", {})})

    def __iadd__(self, other: Iterable[Report]) -> Self:  # type: ignore[misc, override]
        self.extend(other)
        self.left_out.update(getattr(other, "left_out", {}))
        return self

    def copy(self) -> Reports:
        return Reports(self, self.left_out)

    def __repr__(self) -> str:
        out = f", {len(self.left_out)} left out" if self.left_out else ""
        if not self:
            return f"<Reports, 0{out}>"
        lines = "".join(f"  {report!r}\n" for report in self[:_SHOWN])
        return f"<Reports, {len(self)}{out}:\n{lines}{_more(self, '  {}')}>"

    def _repr_html_(self) -> str:
        bound = any(report["virtual_time_ns"] is not None for report in self)
        names = ("network", "bytes", "algorithm", "steps", "transmissions", *(("time, ns",) if bound else ()), "ratio")
        heads = "".join(f"<th>{name}</th>" for name in names)
        rows = "".join(f"<tr>{_cells(report, bound)}</tr>" for report in self[:_SHOWN])
        left_out = "".join(f"<li>{_escaped(name)}: {_escaped(why)}</li>" for name, why in self.left_out.items())
        return (f"<table><tr>{heads}</tr>{rows}</table>" + _more(self, "<p>{}</p>") +
                (f"<p>Left out:</p><ul>{left_out}</ul>" if left_out else ""))


def _more(reports: Reports, line: str) -> str:
    """A line for those that are not shown, if there are any."""
    left = len(reports) - _SHOWN
    return line.format(f"and {left} more") + "\n" if left > 0 else ""


def _cells(report: Report, bound: bool) -> str:
    ratio = report["ratio_to_bound"]
    values = [report["topology"], report["bytes"], report["algorithm"], report["steps"], report["transmissions"]]
    if bound:
        values.append(report["virtual_time_ns"])
    values.append("" if ratio is None else f"{ratio:.3f}")
    return "".join(f"<td>{_escaped('' if value is None else value)}</td>" for value in values)


def _escaped(value: Any) -> str:
    return html.escape(str(value))


def _of(value: Any, bound: Any, unit: str = "") -> str:
    """The value with its lower bound, if there is one."""
    if bound is None:
        return f"{value}{unit}"
    return f"{value}{unit} (optimal)" if value == bound else f"{value}{unit} (at least {bound})"
