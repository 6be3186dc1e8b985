"""dcube: a multithreaded emulator of a hypercube machine."""

from ._core import Topology
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
    "judge",
    "load_trace",
    "replay",
    "run",
    "save_trace",
    "svg",
    "view",
]
