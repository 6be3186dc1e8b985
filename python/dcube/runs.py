"""Runs of collectives, and facts known without a run."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Unpack

from . import _core
from .errors import reason
from .questions import Network, Question, combinations, require_known, require_text, varied, whole
from .reports import Forecast, Report, Reports

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


def run(collective: str | _core.Algorithm, **question: Unpack[Question]) -> Report:
    """Run a collective, verify every byte, and report.

    Parameters
    ----------
    collective : str or Algorithm
        A name, such as ``"all-to-all"``, or an algorithm made in Python.
    **question
        What is asked: see `dcube.questions.Question`.

    Raises
    ------
    InvalidArgument
        The question cannot be asked so; the message says what is allowed.
    VerificationError
        Some node does not hold what it should.

    Examples
    --------
    >>> run("all-to-all", dim=3).steps
    4
    """
    return _core.run(collective, question)


def compare(collective: str | _core.Algorithm, *, also: _core.Algorithm | Iterable[_core.Algorithm] = (),
            **question: Unpack[Question]) -> Reports:
    """Run and verify every algorithm of the catalogue that can do it, the best first.

    The best has the least time where links take time, else the fewest steps, then transmissions. Names are in full
    (``"unit:pipelined"``), as `run` takes them.

    Parameters
    ----------
    collective : str or Algorithm
        An algorithm made in Python is compared with the catalogue's for its collective.
    also : Algorithm or iterable of Algorithm
        More of those.
    **question
        As of `run`; `algorithm` may be a name or a list of names: only these.

    Returns
    -------
    Reports
        A list; its `left_out` says which algorithms could not do it, and why: one made in Python that is wrong, breaks
        a rule or raises an exception is there, too.
    """
    require_known(question, "also")
    more = [also] if isinstance(also, _core.Algorithm) else list(also)
    reports, left_out = _core.compare(collective, question, more)
    return Reports(reports, left_out)


def sweep(collective: str | _core.Algorithm, **question: Any) -> Reports:
    """Run all combinations of those arguments that are a list, a tuple, a range, an array or an iterator.

    The last of these arguments changes fastest. A list for `permutation` or `failing` is one value. Whole numbers in an
    array of floats, as numpy.logspace makes them, count as int.

    Returns
    -------
    Reports
        A list; its `left_out` says which combinations could not be run, and why.

    Raises
    ------
    Exception
        That of the first combination, where none could be run.

    Examples
    --------
    >>> [report.steps for report in sweep("broadcast", dim=range(2, 5), packets=[1, 2])]
    [2, 2, 3, 3, 4, 4]
    """
    require_known(question)
    reports = Reports()
    first: Exception | None = None
    for number, one in enumerate(combinations(question), 1):
        try:
            reports.append(_core.run(collective, one))
        except Exception as error:
            if _core.is_of_signal(error):
                raise
            first = first or error
            name = varied(one, question)
            reports.left_out[f"{name} ({number})" if name in reports.left_out else name] = reason(error)
    if first is not None and not reports:
        raise first
    return reports


def bounds(collective: str | _core.Algorithm, **question: Unpack[Question]) -> dict[str, Any]:
    """The least that any algorithm needs, and why.

    Returns
    -------
    dict
        ``steps``, ``transmissions`` (int; None where links take time), ``time_ns`` (int or Fraction; None where they
        do not), and ``steps_reason``, ``transmissions_reason``, ``time_reason``.
    """
    return _core.bounds(collective, question)


def exchange_bounds(topology: Network, ports: str = "all") -> list[dict[str, Any]]:
    """The lower bounds of a total exchange that apply, by name.

    Returns
    -------
    list of dict
        ``name`` ("L1" to "L7", "prices"), ``value`` (int or Fraction), ``steps`` (rounded up) and ``reason``.
    """
    return _core.exchange_bounds(topology, require_text("ports", ports))


def forecast(collective: str, **question: Unpack[Question]) -> Forecast:
    """Predict a run's counts, memory and time, without making it."""
    return Forecast(_core.forecast(collective, question), {"collective": collective, **question})


def algorithms(collective: str | None = None) -> list[dict[str, str]]:
    """The catalogue, or its algorithms for one collective.

    Returns
    -------
    list of dict
        ``collective``, ``name``, ``paper``, ``origin``, ``summary``, ``ports``, ``link_model`` and ``networks``.
    """
    return _core.algorithms(None if collective is None else require_text("collective", collective))


def network_examples() -> list[str]:
    """A name of each family of networks, as `Topology` takes it; but no ``graph:FILE``, which needs a file."""
    return _core.network_examples()


def permutation(name: str, topology: Network, seed: int = 1) -> npt.NDArray[np.uint32]:
    """Where each node's message goes, by a permutation's name: an array of N nodes."""
    return _core.permutation(require_text("name", name), topology, whole("seed", seed))


def set_plan_cache(folder: str | os.PathLike[str]) -> None:
    """Keep plans that take long to make in files in this folder, from now on and in the whole process.

    Files of no use are reported as a `RuntimeWarning`.
    """
    _core.set_plan_cache(os.fspath(folder))


def forget_plan_cache() -> None:
    """Read and write no plans any more."""
    _core.forget_plan_cache()
