"""Programs of one's own, and the results of running them."""

from __future__ import annotations

import html
import inspect
from collections.abc import Callable, Generator
from fractions import Fraction
from typing import Any, TypeVar

from ._core import Machine, Node, Prepared, ProgramTrace, Topology

__all__ = ["Machine", "Node", "Prepared", "ProgramRun", "program"]

Row = tuple[int, int, int, int, int, str | None]

_Program = TypeVar("_Program", bound=Callable[..., Generator[Any, Any, Any]])


def program(function: _Program) -> _Program:
    """Mark a function as a node program: ``program(me)``, run on every node by `Machine.run`.

    The function is returned as it is; the decorator is not required.

    Raises
    ------
    TypeError
        It is no generator function.
    """
    if not inspect.isgeneratorfunction(function):
        raise TypeError("a node program is a generator function: it has at least one yield, which ends the step")
    return function


class ProgramRun:
    """The result of `Machine.run`.

    Attributes
    ----------
    steps, transmissions, bytes : int
        What the machine counted.
    virtual_time_ns : int, Fraction or None
        When the last packet arrived; None of machines whose links take a step.
    lost : int
        Packets that were lost on links that had failed.
    in_transit_bytes : int
        Storage of prepared collectives for packets under way, of all nodes.
    phases : list of dict
        ``name``, ``first_step`` and ``last_step`` of each `Node.phase`.
    counters : dict
        Sums of what the nodes counted, by name.
    wall_seconds : float
    results : list
        What each node returned, N of them.
    topology : Topology
    ports : str
        ``"all"`` or ``"one"``.
    program : str
        The function's name.
    """

    steps: int
    transmissions: int
    bytes: int
    virtual_time_ns: int | Fraction | None
    lost: int
    in_transit_bytes: int
    phases: list[dict[str, Any]]
    counters: dict[str, int]
    wall_seconds: float
    results: list[Any]
    topology: Topology
    ports: str
    program: str

    def __init__(
        self,
        counts: dict[str, Any],
        results: list[Any],
        topology: Topology,
        ports: str,
        trace: ProgramTrace | None,
        program: str = "a program",
    ) -> None:
        self.__dict__.update(counts)
        self._counted = tuple(counts)
        self.results = results
        self.topology = topology
        self.ports = ports
        self.program = program
        self._trace = trace
        self._rows: list[Row] | None = None

    @property
    def trace(self) -> list[Row] | None:
        """Rows ``(step, from, to, port, bytes, phase)``; None of a run without ``trace=True``."""
        if self._rows is None and self._trace is not None:
            self._rows = self._trace.rows
        return self._rows

    def row(self) -> dict[str, Any]:
        """The counts, for a table: no nested values, exact times as float."""
        row: dict[str, Any] = {"topology": self.topology.name}
        for key in self._counted:
            value = getattr(self, key)
            if key == "phases" or value is None:
                continue
            if key == "counters":
                row.update({name: number for name, number in value.items() if name not in self._counted})
            else:
                row[key] = float(value) if isinstance(value, Fraction) else value
        return row

    def __repr__(self) -> str:
        lost = f", {self.lost} lost" if self.lost else ""
        return f"<ProgramRun of {self.program} on {self.topology.name}: {self.steps} steps, {self.transmissions} packets{lost}>"

    def _repr_html_(self) -> str:
        lines = "".join(
            f"<tr><th>{html.escape(str(key))}</th><td>{html.escape(str(value))}</td></tr>"
            for key, value in self.row().items()
        )
        return f"<table>{lines}</table>"
