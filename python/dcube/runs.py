"""Runs of collectives, and what is known of them without a run."""

from __future__ import annotations

from typing import Any, Unpack

from . import _core
from .questions import Question
from .reports import Report


def run(collective: Any, **question: Unpack[Question]) -> Report:
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
    """
    report: Report = _core.run(collective, question)
    return report
