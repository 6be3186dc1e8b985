"""Runs that fail leave a film: what crossed the links up to the event, and the exception comes out as it is."""

from __future__ import annotations

import json
import pickle
import re
import traceback
from fractions import Fraction
from typing import Any

import pytest

import dcube


def film_of(error: BaseException) -> dict[str, Any]:
    """The film that the error's page plays."""
    page = getattr(error, "film")
    assert isinstance(page, dcube.Page)
    data = re.search(r'id="view-0">(.*?)</script>', page.html, re.DOTALL)
    assert data is not None
    film: dict[str, Any] = json.loads(data[1])["films"][0]
    return film


def raised_by(call: Any, *given: Any, **named: Any) -> Exception:
    with pytest.raises(Exception) as caught:
        call(*given, **named)
    return caught.value


@dcube.algorithm("all-gather")
def waits(me: Any, mine: Any, out: Any) -> Any:
    if me.id == 0:
        me.send(0, mine)
    yield me.arrival(0)


@dcube.algorithm("all-gather")
def lazy(me: Any, mine: Any, out: Any) -> Any:
    out[me.id] = mine
    yield


@dcube.algorithm("all-gather")
def raises(me: Any, mine: Any, out: Any) -> Any:
    me.send(0, mine)
    yield
    me.receive(0)
    if me.id == 2:
        raise KeyError("mine")


def test_an_algorithm_of_ones_own() -> None:
    error = raised_by(dcube.view, waits, dim=2)
    assert isinstance(error, dcube.RuleViolation) and film_of(error)["verdict"]["what"] == "deadlock"
    error = raised_by(dcube.view, lazy, dim=2)
    assert isinstance(error, dcube.VerificationError) and film_of(error)["verdict"]["what"] == "wrong-bytes"
    known: dict[int, Any] = {}

    @dcube.algorithm("all-gather")
    def cheats(me: Any, mine: Any, out: Any) -> Any:
        known[me.id] = mine.copy()
        yield
        for node, block in known.items():
            out[node] = block

    error = raised_by(dcube.view, cheats, dim=2)
    assert isinstance(error, dcube.VerificationError) and film_of(error)["verdict"]["what"] == "impossible"


@pytest.mark.parametrize("show", [dcube.view, dcube.svg])
def test_an_algorithm_that_raises(show: Any) -> None:
    error = raised_by(show, raises, dim=2)
    assert type(error) is KeyError and error.args == ("mine",)
    film = film_of(error)
    assert film["verdict"] == {
        "accepted": False,
        "what": "threw",
        "message": "the program of node 2 failed in step 2: KeyError: 'mine'",
        "step": 2,
        "node": 2,
    }
    assert (film["steps"], film["columns"]["rows"]) == (2, 4)
    assert getattr(raised_by(dcube.run, raises, dim=2), "film", None) is None


def busy(me: dcube.Node) -> Any:
    me.send(0, me.id)
    yield
    me.receive(0)
    if me.id == 3:
        me.send(1, 1)
        me.send(1, 2)
    yield


def impatient(me: dcube.Node) -> Any:
    me.send(0, me.id)
    yield
    me.receive(0)
    if me.id < 2:
        yield me.arrival(1)
    elif me.id == 2:
        yield me.any_arrival()


def divides(me: dcube.Node) -> Any:
    me.phase("once around")
    me.send(0, me.id)
    yield
    me.receive(0)
    yield
    return 1 // (me.id - 1)


def test_a_program_that_breaks_a_rule() -> None:
    error = raised_by(dcube.Machine(2).run, busy, trace=True)
    assert isinstance(error, dcube.RuleViolation)
    assert traceback.extract_tb(error.__traceback__)[-1].line == "me.send(1, 2)"
    film = film_of(error)
    verdict = film["verdict"]
    assert verdict.pop("message").startswith("link-busy in step 2 at node 3, port 1: ")
    assert verdict.pop("said") == "Node 3 at port 1: a second packet on one link in one step."
    assert verdict == {"accepted": False, "what": "rule", "step": 2, "node": 3, "port": 1}
    assert (film["name"], film["steps"], film["columns"]["rows"]) == ("busy", 2, 5)  # one in the step of the breach
    assert film["report"][-1] == ["verified", "nothing: it achieves no collective that is known"]
    assert error.film is not None and "<title>A program on a 2-cube</title>" in error.film.html


@pytest.mark.parametrize("threads", [1, 2])
def test_a_program_in_a_deadlock(threads: int) -> None:
    error = raised_by(dcube.Machine(2, threads=threads).run, impatient, trace=True)
    verdict = film_of(error)["verdict"]
    assert (verdict["what"], verdict["step"]) == ("deadlock", 2)
    assert verdict["waiting"] == [[0, 1], [1, 1], [2, -1]]


@pytest.mark.parametrize("threads", [1, 2])
def test_a_program_that_raises(threads: int) -> None:
    error = raised_by(dcube.Machine(2, threads=threads).run, divides, trace=True)
    assert type(error) is ZeroDivisionError and error.__notes__ == ["dcube: at node 1, in step 3"]
    assert traceback.extract_tb(error.__traceback__)[-1].name == "divides"
    film = film_of(error)
    assert film["verdict"] == {
        "accepted": False,
        "what": "threw",
        "message": f"the program of node 1 failed in step 3: ZeroDivisionError: {error}",
        "step": 2,  # nothing is sent in step 2, so the event is shown there
        "node": 1,
    }
    assert film["columns"]["rows"] == 4


def test_a_program_that_raises_at_once() -> None:
    def at_once(me: dcube.Node) -> Any:
        raise LookupError
        yield

    film = film_of(raised_by(dcube.Machine(2).run, at_once, trace=True))
    assert film["verdict"]["message"] == "the program of node 0 failed in step 1: LookupError"
    assert (film["verdict"]["step"], film["steps"], film["columns"]["rows"]) == (1, 1, 0)


def test_a_program_on_links_that_take_time() -> None:
    error = raised_by(dcube.Machine(2, tau=1, beta=Fraction(5, 2)).run, divides, trace=True)
    film = film_of(error)
    assert (film["clock"], film["columns"]["rows"], film["verdict"]["what"]) == ("time", 4, "threw")


def test_a_packet_that_was_lost() -> None:
    error = raised_by(dcube.Machine(2).run, busy, trace=True, failing=["0-1@1"])
    film = film_of(error)
    assert film["verdict"]["what"] == "lost" and len(film["lost"]) == 2


def test_no_film() -> None:
    machine = dcube.Machine(2)
    for program in busy, impatient, divides:
        assert getattr(raised_by(machine.run, program), "film", None) is None  # nothing was kept

    def stop(step: int) -> None:
        raise LookupError("enough")

    assert not hasattr(raised_by(machine.run, divides, trace=True, on_step=stop), "film")

@pytest.mark.parametrize("how", [{"trace": True}, {}])
def test_what_a_page_cannot_show_has_no_film(how: dict[str, Any]) -> None:
    def late(me: dcube.Node, mine: Any = None, out: Any = None) -> Any:
        me.send(0, bytes(64))  # arrives after more than 2^53 ticks
        yield
        raise LookupError("late")

    slow: dict[str, Any] = {"dim": 1, "tau": 2**50, "beta": 0}
    if how:
        error = raised_by(dcube.Machine(**slow).run, late, **how)
    else:
        error = raised_by(dcube.view, dcube.algorithm("all-gather")(late), **slow)
    assert error.args == ("late",) and not hasattr(error, "film")


def test_what_ends_the_process_is_no_failure_of_the_program() -> None:
    def interrupted(me: dcube.Node) -> Any:
        yield
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as caught:
        dcube.Machine(2).run(interrupted, trace=True)
    assert not hasattr(caught.value, "film")


def test_exceptions_of_any_kind() -> None:
    class Silent(Exception):
        def __str__(self) -> str:
            raise ValueError("no text")

    class Closed(Exception):
        def __setattr__(self, name: str, value: Any) -> None:
            raise AttributeError(name)

    def message(error: Exception) -> str:
        def program(me: dcube.Node) -> Any:
            yield
            raise error

        assert raised_by(dcube.Machine(1).run, program, trace=True) is error
        told = str(film_of(error)["verdict"]["message"])
        return told.removeprefix("the program of node 0 failed in step 2: ")

    assert message(ValueError()) == "ValueError"
    assert message(Silent()) == "Silent"
    assert message(ValueError("two\n  lines")) == "ValueError: two lines"
    assert message(ValueError("</script>")) == "ValueError: </script>"
    assert len(message(ValueError("x" * 10_000))) < 600
    assert message(ValueError("\udc80")) == "ValueError: ?"
    assert message(dcube.InvalidArgument("no such thing")) == "no such thing"

    def closed(me: dcube.Node) -> Any:
        yield
        raise Closed("as it is")

    assert raised_by(dcube.Machine(1).run, closed, trace=True).args == ("as it is",)


def test_an_error_keeps_its_film_when_it_travels() -> None:
    error = raised_by(dcube.Machine(2).run, busy, trace=True)
    copy = pickle.loads(pickle.dumps(error))
    assert film_of(copy) == film_of(error)


def test_a_notebook_shows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("IPython.core.interactiveshell")
    import IPython.display
    from IPython.testing.globalipapp import get_ipython

    get_ipython()
    shown: list[Any] = []
    monkeypatch.setattr(IPython.display, "display", shown.append)
    for call in (lambda: dcube.Machine(2).run(busy, trace=True), lambda: dcube.view(raises, dim=2)):
        error = raised_by(call)
        assert shown.pop() is getattr(error, "film") and not shown
        assert getattr(error, "film")._repr_html_().startswith("<iframe ")
