"""dcube: a multithreaded emulator of a hypercube machine."""

from ._core import Topology
from .benches import Bench, BenchComparison, Limits, bench, compare_benches, limits
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
from .plots import plot_bench, plot_compare, plot_links, plot_scaling
from .programs import Machine, Node, Prepared, ProgramRun, program
from .reports import Report
from .runs import run
from .schedules import Schedule, Verdict, judge, load_trace, replay, save_trace, schedule_of
from .views import Figure, Page, svg, view

__all__ = [
    "Bench",
    "BenchComparison",
    "Error",
    "Figure",
    "InvalidArgument",
    "Limits",
    "Machine",
    "Node",
    "Page",
    "Prepared",
    "ProgramError",
    "ProgramRun",
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
    "bench",
    "broadcast",
    "compare_benches",
    "exchange",
    "gather",
    "half_turn",
    "judge",
    "limits",
    "load_trace",
    "permute",
    "plot_bench",
    "plot_compare",
    "plot_links",
    "plot_scaling",
    "program",
    "quarter_turn",
    "reduce",
    "reduce_scatter",
    "relayout",
    "replay",
    "run",
    "save_trace",
    "scatter",
    "schedule_of",
    "send",
    "svg",
    "transpose",
    "view",
]
