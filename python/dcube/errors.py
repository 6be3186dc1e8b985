"""The errors of dcube. Their texts are those of the C++ core."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .views import Page


def rendered_with_notes() -> list[str]:
    """The exception under way as IPython shows it, with its notes, which Debian 12's IPython leaves out.

    IPython asks an exception for this, by the name `_render_traceback_`.
    """
    from IPython import get_ipython

    kind, error, trace = sys.exc_info()
    lines: list[str] = get_ipython().InteractiveTB.structured_traceback(kind, error, trace)
    text = "\n".join(lines)
    return [*lines, *(note for note in getattr(error, "__notes__", ()) if note not in text)]


def described(error: BaseException) -> str:
    """What was raised, in one line of at most about 500 letters: its class and its text."""
    try:
        text = " ".join(str(error).encode(errors="replace").decode().split())
    except Exception:  # its own __str__ fails
        text = ""
    if len(text) > 500:
        text = text[:500] + ".."
    if isinstance(error, Error):
        return text
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def reason(error: BaseException) -> str:
    """One line for what has failed among others: what was raised, and where."""
    notes = "".join(f" ({note})" for note in getattr(error, "__notes__", ()))
    return " ".join((described(error) + notes).split())


class Error(Exception):
    """Base of all errors of dcube.

    Attributes
    ----------
    film : Page or None
        Of a run that was recorded (`view`, or `Machine.run` with ``trace=True``): what crossed the links up to where it
        went wrong. Other exceptions that end such a run have this attribute, too.
    """

    film: Page | None = None


class InvalidArgument(Error, ValueError):
    """An argument, a size or a file is not usable: the message says what is allowed.

    Attributes
    ----------
    about : str or None
        The argument's name; None where the message is about no single one.
    given : str or None
        Its value as it was given; None where none was given, or where the message shows it in its own words.
    why : str
        The reason, and what is allowed.
    """

    def __init__(self, message: str, about: str | None = None, given: str | None = None,
                 why: str | None = None) -> None:
        super().__init__(message)
        self.about = about
        self.given = given
        self.why = message if why is None else why

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.about, self.given, self.why), self.__dict__


def refused(argument: str, given: Any, why: str) -> InvalidArgument:
    """An error of an argument as the core makes it: its name, its value unless that is None, and the reason."""
    shown = None if given is None else str(given)
    return InvalidArgument(" ".join(filter(None, (argument, shown, why))), argument, shown, why)


class RuleViolation(Error, RuntimeError):
    """A program broke a rule of the machine.

    Attributes
    ----------
    rule : str
        The rule's name, such as ``"link-busy"``.
    step, node : int
        When and where it was broken.
    port : int or None
        None for rules that have no port.
    """

    def __init__(self, message: str, rule: str, step: int, node: int, port: int | None = None) -> None:
        super().__init__(message)
        self.rule = rule
        self.step = step
        self.node = node
        self.port = port

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.rule, self.step, self.node, self.port), self.__dict__


class ProgramError(Error, RuntimeError):
    """A program of the C++ core threw an exception of its own, at `node` in `step`."""

    def __init__(self, message: str, step: int, node: int) -> None:
        super().__init__(message)
        self.step = step
        self.node = node

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.step, self.node), self.__dict__


class VerificationError(Error):
    """What the nodes hold, or what a trace claims, is not what the collective demands."""


class TraceError(VerificationError):
    """A trace or a schedule is wrong.

    Attributes
    ----------
    line : int
        The line of a trace, from 1; 0 where the whole falls short.
    index : int or None
        The entry's place in a schedule; None where the whole falls short.
    entry : object
        That entry, as it was given.
    """

    def __init__(self, message: str, line: int = 0, index: int | None = None, entry: Any = None) -> None:
        super().__init__(message)
        self.line = line
        self.index = index
        self.entry = entry

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.line, self.index, self.entry), self.__dict__
