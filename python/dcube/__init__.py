"""dcube: a multithreaded emulator of a hypercube machine."""

from typing import TYPE_CHECKING

from . import _core
from ._core import Group, Topology
from ._core import __version__ as __version__
from .benches import Bench, BenchComparison, Limits, bench, compare_benches, limits
from .collectives import (
    all_gather,
    all_reduce,
    all_to_all,
    broadcast,
    exchange,
    exscan,
    gather,
    half_turn,
    permute,
    quarter_turn,
    reduce,
    reduce_scatter,
    relayout,
    scan,
    scatter,
    send,
    transpose,
)
from .errors import Error, InvalidArgument, ProgramError, RuleViolation, TraceError, VerificationError
from .own_algorithms import Algorithm, algorithm
from .programs import Machine, Node, Prepared, ProgramRun, program
from .reports import Forecast, Report, Reports
from .runs import (
    algorithms,
    bounds,
    compare,
    exchange_bounds,
    forecast,
    forget_plan_cache,
    network_examples,
    permutation,
    run,
    set_plan_cache,
    sweep,
)
from .schedules import Schedule, Verdict, judge, load_trace, replay, save_trace, schedule_of
from .uneven import all_gather_v, all_to_all_v, gather_v, reduce_scatter_v, scatter_v
from .views import Figure, Page, svg, view

__all__ = [
    "Algorithm",
    "Bench",
    "BenchComparison",
    "Error",
    "Figure",
    "Forecast",
    "Group",
    "InvalidArgument",
    "Limits",
    "Machine",
    "Node",
    "Page",
    "Prepared",
    "ProgramError",
    "ProgramRun",
    "Report",
    "Reports",
    "RuleViolation",
    "Schedule",
    "Topology",
    "TraceError",
    "Verdict",
    "VerificationError",
    "algorithm",
    "algorithms",
    "all_gather",
    "all_gather_v",
    "all_reduce",
    "all_to_all",
    "all_to_all_v",
    "bench",
    "bounds",
    "broadcast",
    "compare",
    "compare_benches",
    "exchange",
    "exchange_bounds",
    "exscan",
    "forecast",
    "forget_plan_cache",
    "gather",
    "gather_v",
    "half_turn",
    "judge",
    "limits",
    "load_trace",
    "network_examples",
    "permutation",
    "permute",
    "program",
    "quarter_turn",
    "reduce",
    "reduce_scatter",
    "reduce_scatter_v",
    "relayout",
    "replay",
    "run",
    "save_trace",
    "scan",
    "scatter",
    "scatter_v",
    "schedule_of",
    "send",
    "set_plan_cache",
    "svg",
    "sweep",
    "transpose",
    "view",
]

if not TYPE_CHECKING:  # which would take any name then

    def __getattr__(name):
        """Explain names of MPI and NCCL, which `run` takes as texts: ``dcube.allreduce``."""
        missing = f"module {__name__!r} has no attribute {name!r}"
        if name.startswith("_"):
            raise AttributeError(missing)
        try:
            collective = _core.algorithms(name)[0]["collective"]
        except InvalidArgument:
            collective = ""
        function = collective.removeprefix("matrix-").replace("-", "_")
        raise AttributeError(f"{missing}: did you mean {function}?" if function in __all__ else missing)
