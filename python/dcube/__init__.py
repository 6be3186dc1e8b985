"""dcube: a multithreaded emulator of a hypercube machine."""

from ._core import Topology
from .collectives import (
    all_gather,
    all_reduce,
    all_to_all,
    broadcast,
    exchange,
    gather,
    half_turn,
    permute,
    quarter_turn,
    reduce,
    reduce_scatter,
    relayout,
    scatter,
    send,
    transpose,
)
from .errors import Error, InvalidArgument, ProgramError, RuleViolation, TraceError, VerificationError
from .reports import Report
from .runs import run
from .schedules import Schedule, Verdict, judge, load_trace, replay, save_trace
from .views import Figure, Page, svg, view

__all__ = [
    "Error",
    "Figure",
    "InvalidArgument",
    "Page",
    "ProgramError",
    "Report",
    "RuleViolation",
    "Schedule",
    "Topology",
    "TraceError",
    "Verdict",
    "VerificationError",
    "all_gather",
    "all_reduce",
    "all_to_all",
    "broadcast",
    "exchange",
    "gather",
    "half_turn",
    "judge",
    "load_trace",
    "permute",
    "quarter_turn",
    "reduce",
    "reduce_scatter",
    "relayout",
    "replay",
    "run",
    "save_trace",
    "scatter",
    "send",
    "svg",
    "transpose",
    "view",
]
