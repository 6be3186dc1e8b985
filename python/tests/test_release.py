"""The package's public names are those that releases have promised: tests/release/MAJOR.MINOR/python-names.txt. What is
on a list stays for as long as the major version does; what is new has to be on the list of this version, which
DCUBE_UPDATE_DOCS=1 writes."""

import ast
import inspect
import os
from pathlib import Path
from typing import Any

import dcube
from dcube import _core, questions

LISTS = Path(__file__).resolve().parents[2] / "tests/release"
MAJOR, MINOR, _ = (int(number) for number in dcube.__version__.split("."))


def stub() -> dict[str, str]:
    """The arguments of the core's methods, which Python cannot be asked for: {"Topology.hypercube": "(dim)"}."""
    found: dict[str, str] = {}
    stub_file = Path(dcube.__file__).with_name("_core.pyi")
    for kind in ast.parse(stub_file.read_text()).body:
        if isinstance(kind, ast.ClassDef):
            for function in kind.body:
                if isinstance(function, ast.FunctionDef):
                    for one in ast.walk(function.args):
                        if isinstance(one, ast.arg):
                            one.annotation = None
                    names = ast.unparse(function.args)
                    found.setdefault(f"{kind.name}.{function.name}", f"({names})")  # of several, the first
    return found


STUB = stub()


def arguments(name: str, function: Any) -> str:
    """Without types, which the stub and the type checker's tests are for."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return STUB.get(name, "")
    bare = [one.replace(annotation=inspect.Parameter.empty) for one in signature.parameters.values()]
    return str(signature.replace(parameters=bare, return_annotation=inspect.Signature.empty))


def names_of_class(name: str, kind: type) -> set[str]:
    """Its own members and those it has from other classes of the package."""
    found = {name + arguments(f"{name}.__init__", kind)}
    for base in kind.__mro__:
        if base.__module__.startswith("dcube"):
            for member, value in vars(base).items():
                if not member.startswith("_"):
                    function = getattr(kind, member)
                    takes = arguments(f"{base.__name__}.{member}", function) if callable(function) else ""
                    found.add(f"{name}.{member}{takes}")
    return found


def public_names() -> set[str]:
    found = {f"question: {key}" for key in questions.Question.__annotations__}
    for name in dcube.__all__:
        value = getattr(dcube, name)
        found |= names_of_class(name, value) if inspect.isclass(value) else {name + arguments(name, value)}
    return found


def listed(minor: int) -> set[str]:
    path = LISTS / f"{MAJOR}.{minor}" / "python-names.txt"
    return set(path.read_text().splitlines()) if path.exists() else set()


def test_nothing_that_was_promised_is_gone_or_changed() -> None:
    now = public_names()
    assert len(now) > 100
    assert "Topology.hypercube(dim)" in now
    for minor in range(MINOR + 1):
        assert listed(minor) - now == set(), "gone or changed: that needs a new major version"


def test_what_is_new_is_on_the_list_of_this_version() -> None:
    now = public_names()
    if os.environ.get("DCUBE_UPDATE_DOCS") == "1" and listed(MINOR) <= now:
        path = LISTS / f"{MAJOR}.{MINOR}" / "python-names.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{one}\n" for one in sorted(now)))
    assert now - listed(MINOR) == set(), (
        "new names: once this version is released the minor version has to rise (include/dcube/version.hpp); then "
        "DCUBE_UPDATE_DOCS=1 writes the list"
    )


def test_the_version_is_that_of_the_core() -> None:
    header = (LISTS.parents[1] / "include/dcube/version.hpp").read_text()
    assert dcube.__version__ == _core.__version__
    for name, number in zip(("MAJOR", "MINOR", "PATCH"), dcube.__version__.split("."), strict=True):
        assert f"#define DCUBE_VERSION_{name} {number}\n" in header
