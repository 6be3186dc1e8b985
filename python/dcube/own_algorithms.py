"""Algorithms written in Python: run on real bytes, verified, compared and shown like those of the catalogue."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Generator
from typing import Any, TypeAlias

from . import _core
from .questions import require_text

Program: TypeAlias = Callable[..., Generator[Any, Any, Any]]


class Algorithm(_core.Algorithm):
    """An algorithm for a collective; `algorithm` makes it. `dcube.run`, `compare` and `view` take it.

    Attributes
    ----------
    collective, name, summary : str
    ports : str
        ``"all"`` or ``"one"``: the rules that it keeps.
    networks : str
        Those it is for: ``"hypercubes"``, ``"any product"``, ...
    program : callable
        ``program(me, mine, out)``, which calling the algorithm calls.
    """

    program: Program

    def __init__(self, program: Program, collective: str, name: str, ports: str = "all",
                 networks: str = "any product") -> None:
        summary = (inspect.getdoc(program) or "").partition("\n")[0]
        super().__init__(collective, name, summary, ports, networks)
        functools.update_wrapper(self, program)
        self.program = program

    def __call__(self, me: Any, mine: Any, out: Any) -> Generator[Any, Any, Any]:
        return self.program(me, mine, out)

    def __repr__(self) -> str:
        return f"Algorithm({self.name!r}, for {self.collective})"

    def __reduce__(self) -> str:  # like a function, it is found by its name
        return str(getattr(self, "__qualname__", self.name))


def algorithm(collective: str, *, ports: str = "all", name: str | None = None,
              networks: str | None = None) -> Callable[[Program], Algorithm]:
    """Make an `Algorithm` of a program ``program(me, mine, out)``, which every node runs.

    ``mine`` is what the node has, and ``out`` takes what it is to have. They are arrays of `type` for collectives that
    combine and for matrices, else of uint8; of the shape (message,), or (N, message) where the node has or gets a
    message for every node; None where it has or gets nothing. ``mine`` is read-only, ``out`` is 0 at first. Both may be
    kept. Packets that are sent from there or from what was received, and what ``me.receive(port, out[k])``,
    ``me.combine`` and ``me.copy`` put there, are known to traces; what NumPy puts there is right as well, but a trace
    cannot say whose bytes are sent from there.

    What is asked is known to the node: ``me.root``, ``me.peer``, ``me.operation`` (which ``me.combine`` uses if it is
    given none), ``me.packets`` and ``me.bytes``, ``me.permutation``; of matrices ``me.rows``, ``me.columns``,
    ``me.layout`` and ``me.to_layout``. Where the collective has no such thing, it is an AttributeError.

    Parameters
    ----------
    collective : str
        Such as ``"all-gather"``.
    ports : str
        ``"one"`` for a program that keeps the rules of one-port machines.
    name : str, optional
        In reports; else it is the function's.
    networks : str, optional
        ``"hypercubes"``, ``"any product"`` (any network: the default), ``"rings and complete graphs"``, ...

    Raises
    ------
    InvalidArgument
        There is no such collective, port model or kind of networks; the message says which there are.
    TypeError
        The program is no generator function.

    Examples
    --------
    >>> @algorithm("broadcast", networks="hypercubes")
    ... def doubling(me, mine, out):
    ...     label = me.id ^ me.root  # relabelled, so that the root is 0
    ...     if mine is not None:
    ...         me.copy(out, mine)
    ...     for k in range(me.ports):
    ...         if label < 1 << k:
    ...             me.send(k, out)
    ...         yield
    ...         if label >> k == 1:
    ...             me.receive(k, out)
    >>> doubling
    Algorithm('doubling', for broadcast)
    >>> import dcube
    >>> dcube.run(doubling, dim=3, root=1).optimal
    True
    """

    def made_of(program: Program) -> Algorithm:
        if not callable(program):
            raise TypeError(f"an algorithm is made of a function program(me, mine, out), not {type(program).__name__}")
        if inspect.isfunction(program) and not inspect.isgeneratorfunction(inspect.unwrap(program)):
            raise TypeError("a node program is a generator function: it has at least one yield, which ends the step")
        called = str(getattr(program, "__name__", "own")) if name is None else require_text("name", name)
        return Algorithm(program, collective, called, require_text("ports", ports),
                         require_text("networks", networks or "any product"))

    if callable(collective):
        raise TypeError("algorithm needs the name of a collective: @dcube.algorithm('all-gather')")
    return made_of
