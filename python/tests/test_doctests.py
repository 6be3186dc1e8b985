"""The examples of the documents: those in the modules' texts, and every fence of docs/python.md and of the
README, one after the other.

A ``python`` fence is run, a ``pycon`` fence is a session whose output must be as shown. They share their names, as the
cells of a notebook do. A second word after the backquotes is a package without which the fence is left out.
"""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import pkgutil
import re
from pathlib import Path
from typing import Any

import pytest

import dcube

OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^```(python|pycon)(?: (\w+))?\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("name", sorted(module.name for module in pkgutil.iter_modules(dcube.__path__)))
def test_examples_of_a_module_are_right(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = doctest.testmod(importlib.import_module(f"dcube.{name}"), optionflags=OPTIONS)
    assert result.failed == 0


def has(package: str | None) -> bool:
    return package is None or importlib.util.find_spec(package) is not None


def run_session(text: str, names: dict[str, Any], place: Path, line: int) -> list[str]:
    """What is wrong with it."""
    wrong: list[str] = []
    test = doctest.DocTestParser().get_doctest(text, {}, place.name, str(place), line)
    test.globs = names
    doctest.DocTestRunner(optionflags=OPTIONS).run(test, out=wrong.append, clear_globs=False)
    return wrong


@pytest.mark.parametrize("document", ["docs/python.md", "docs/coming-from-mpi-or-nccl.md", "README.md"])
def test_fences_of_a_document_are_right(document: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("MPLBACKEND", "Agg")
    place = ROOT / document
    text = place.read_text(encoding="utf-8")
    fences = list(FENCE.finditer(text))
    assert len(fences) == len(re.findall("^```py", text, re.MULTILINE)) > 0
    names: dict[str, Any] = {"__name__": "__main__"}
    wrong: list[str] = []
    for fence in fences:
        kind, package, body = fence.groups()
        line = text[:fence.start()].count("\n") + 1
        if not has(package):
            continue
        if kind == "pycon":
            wrong += run_session(body, names, place, line)
        else:
            exec(compile("\n" * line + body, str(place), "exec"), names)
    assert not wrong, "".join(wrong)
