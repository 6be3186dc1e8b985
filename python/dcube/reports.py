"""Reports of runs."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any

_EXACT = frozenset(
    ("tau_ns_per_byte", "beta_ns", "virtual_time_ns", "predicted_time_ns", "time_lower_bound_ns"))


def _exact(value: Any) -> Any:
    """An int, or a Fraction of a text such as "5/2"."""
    return Fraction(value) if isinstance(value, str) else value


def parsed(text: str) -> dict[str, Any]:
    """The values of a report's JSON, its times exact."""
    values: dict[str, Any] = json.loads(text)
    for key in _EXACT & values.keys():
        values[key] = _exact(values[key])
    return values


class Report(Mapping[str, Any]):
    """What one run did, counted: a mapping whose keys, and their order, are those of docs/report.md.

    Every key is an attribute too. Exact times are `int` or `fractions.Fraction`. A report cannot be changed.
    """

    __slots__ = ("_json", "_question", "_values")

    _json: str
    _question: Mapping[str, Any]
    _values: Mapping[str, Any] | None

    def __init__(self, text: str, question: Mapping[str, Any]) -> None:
        set_once = object.__setattr__
        set_once(self, "_json", text)
        set_once(self, "_question", MappingProxyType(dict(question)))
        set_once(self, "_values", None)

    def _all(self) -> Mapping[str, Any]:
        values = self._values
        if values is None:
            values = parsed(self._json)
            object.__setattr__(self, "_values", values)
        return values

    def __getitem__(self, key: str) -> Any:
        return self._all()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._all()[name]
        except KeyError:
            raise AttributeError(f"a report has no {name!r}: its keys are {', '.join(self)}") from None

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("a report cannot be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a report cannot be changed")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self]

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._json, dict(self._question))

    @property
    def question(self) -> dict[str, Any]:
        """What was asked: "collective" and the arguments that were given."""
        return dict(self._question)

    @property
    def optimal(self) -> bool:
        """Whether no algorithm can do better: the ratio to the lower bound is 1, or there is no bound."""
        ratio = self["ratio_to_bound"]
        return ratio is None or bool(ratio == 1)

    def row(self) -> dict[str, Any]:
        """Only what applies, no nested values, exact times as float: a row of a table."""
        return {
            key: float(value) if key in _EXACT else value
            for key, value in self.items()
            if value is not None and not isinstance(value, (dict, list))
        }

    def to_json(self) -> str:
        """The JSON object that ``dcube run --format json`` prints."""
        return self._json

    def _result(self) -> list[tuple[str, str]]:
        """What a reader wants to know first."""
        lines = [("steps", _of(self["steps"], self["steps_lower_bound"]))]
        if self["virtual_time_ns"] is not None:
            lines.append(("virtual time, ns", _of(self["virtual_time_ns"], self["time_lower_bound_ns"])))
        lines.append(("transmissions", _of(self["transmissions"], self["transmissions_lower_bound"])))
        return lines

    def __repr__(self) -> str:
        result = ", ".join(f"{name} {value}" for name, value in self._result())
        verified = "verified" if self["verified"] else "not verified"
        return f"<Report {self['collective']} on {self['topology']} by {self['algorithm']}: {result}, {verified}>"

    def _repr_html_(self) -> str:
        paper = f" ({self['paper']})" if self["paper"] else ""
        lines = [
            ("collective", self["collective"]),
            ("network", f"{self['topology']}, {self['nodes']} nodes"),
            ("algorithm", f"{self['algorithm']}{paper}"),
            *self._result(),
            ("verified", f"{self['blocks_verified']} messages" if self["verified"] else "no"),
        ]
        rows = "".join(
            f"<tr><th>{html.escape(str(name))}</th><td>{html.escape(str(value))}</td></tr>" for name, value in lines)
        return f"<table>{rows}</table>"


def _of(value: Any, bound: Any) -> str:
    """With the lower bound, where there is one."""
    if bound is None:
        return str(value)
    return f"{value} (optimal)" if value == bound else f"{value} (at least {bound})"
