"""dcube: a multithreaded emulator of a hypercube machine."""

from ._core import Topology
from .errors import Error, InvalidArgument, ProgramError, RuleViolation, TraceError, VerificationError
from .reports import Report
from .runs import run

__all__ = [
    "Error",
    "InvalidArgument",
    "ProgramError",
    "Report",
    "RuleViolation",
    "Topology",
    "TraceError",
    "VerificationError",
    "run",
]
