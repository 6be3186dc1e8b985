"""The notebooks run; their exercises accept right answers and refuse wrong ones; one is exported."""

import contextlib
import io
import json
import os
import pathlib
import re
import subprocess
import sys
from typing import Any

import dcube
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOTEBOOKS = ROOT / "python" / "notebooks"
SOLUTIONS = ROOT / "python" / "tests" / "solutions"
NAMES = ["teaching", "engineering", "research"]
SECONDS = 120

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
# Without this every kernel warns of frozen modules.
os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"
os.environ.setdefault("MPLBACKEND", "agg")

# The fonts' names are gathered here, where matplotlib is new: in a notebook it would say so.
for module in "ipykernel", "matplotlib.font_manager", "pandas", "networkx":
    pytest.importorskip(module)


def read(name: str) -> Any:
    return nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4)


def tags(cell: Any) -> list[str]:
    return list(cell.metadata.get("tags", []))


def texts(cell: Any) -> str:
    """All that a cell has printed or shown as text."""
    return "".join(out.get("text", "") or out.get("data", {}).get("text/plain", "") for out in cell.outputs)


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Each notebook as "Run All" leaves it."""
    folder = tmp_path_factory.mktemp("notebooks")
    # The inline figures of a real notebook, whatever this process draws with.
    environment = {key: value for key, value in os.environ.items() if key != "MPLBACKEND"}
    package = str(pathlib.Path(dcube.__file__).parents[1])
    environment["IPYTHONDIR"] = str(folder / "ipython")
    environment["PYTHONPATH"] = os.pathsep.join([package, os.environ.get("PYTHONPATH", "")])
    books = {}
    for name in NAMES:
        books[name] = read(name)
        client = nbclient.NotebookClient(
            books[name], timeout=SECONDS, kernel_name="python3", resources={"metadata": {"path": folder}}
        )
        client.execute(env=environment)
        nbformat.write(books[name], folder / f"{name}.ipynb")
        books[name].metadata["path"] = str(folder / f"{name}.ipynb")
    return books


@pytest.mark.parametrize("name", NAMES)
def test_kept_as_it_is_given_to_people(name: str) -> None:
    book = read(name)
    nbformat.validate(book)
    assert (book.nbformat, book.nbformat_minor) == (4, 5)
    ids = [cell.id for cell in book.cells]
    assert len(set(ids)) == len(ids)
    for cell in book.cells:
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", cell.id), "ids are names that stay"
        assert set(cell.metadata) <= {"tags"} and set(tags(cell)) <= {"setup", "exercise", "check", "raises-exception"}
        if cell.cell_type == "code":
            assert cell.outputs == [] and cell.execution_count is None, f"{cell.id}: keep notebooks without outputs"
        assert max(len(line) for line in cell.source.split("\n")) <= 120, cell.id


@pytest.mark.parametrize("name", NAMES)
def test_runs_from_top_to_bottom(name: str, executed: dict[str, Any]) -> None:
    for cell in executed[name].cells:
        if cell.cell_type != "code":
            continue
        failures = [out for out in cell.outputs if out.output_type == "error"]
        if "raises-exception" in tags(cell):
            assert failures and failures[0].ename in ("RuleViolation", "RuntimeError"), f"{cell.id} is to break a rule"
        else:
            assert not failures, f"{cell.id}: {failures}"
        warnings = [out.text for out in cell.outputs if out.output_type == "stream" and out.name == "stderr"]
        assert not warnings, f"{cell.id}: {warnings}"
        if "check" in tags(cell):
            assert texts(cell).startswith("Not yet:"), f"{cell.id}: {texts(cell)}"


def test_a_broken_rule_shows_the_line(executed: dict[str, Any]) -> None:
    cells = {cell.id: cell for cell in executed["teaching"].cells}
    assert "polite, line 3" in texts(cells["rules-deadlock-notes"])
    for id, rule, line in [
        ("rules-twice", "link-busy", 'me.send(0, "second".encode())'),
        ("rules-nothing", "nothing-arrived", "theirs = me.receive(0)"),
        ("rules-deadlock", "deadlock", "machine.run(polite, trace=True)"),
        ("rules-forgotten-yield", "not yielded it", "theirs = me.exchange(0, me.id)"),
        ("lent-watched", "lent-bytes-changed", "watch=True"),
    ]:
        traceback = "\n".join(cells[id].outputs[-1].traceback)
        plain = re.sub(r"\x1b\[[0-9;]*m", "", traceback)
        assert rule in plain and line in plain, plain


def answers(name: str) -> list[tuple[str, str, str]]:
    """(cell, what the check must say, source); what it must say is "Right." for right answers."""
    text = (SOLUTIONS / f"{name}.py").read_text()
    parts = re.split(r"^# %% (exercise-[a-z]+)(?:: (.*))?\n", text, flags=re.MULTILINE)
    return [(parts[i], parts[i + 1] or "Right.", parts[i + 2]) for i in range(1, len(parts), 3)]


def test_every_exercise_has_right_and_wrong_answers() -> None:
    for name in NAMES:
        exercises = [cell.id for cell in read(name).cells if "exercise" in tags(cell)]
        assert len(exercises) >= 3
        for id in exercises:
            said = [message for cell, message, _ in answers(name) if cell == id]
            assert "Right." in said and len(said) > said.count("Right."), id


@pytest.mark.parametrize(
    "name,id,said,source",
    [pytest.param(name, *one, id=f"{one[0]}: {one[1]}") for name in NAMES for one in answers(name)],
)
def test_exercises(
    name: str, id: str, said: str, source: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer in its cell, in a notebook of which only that exercise and what it stands on is run."""
    monkeypatch.chdir(tmp_path)
    checked = id.replace("exercise", "check")
    # The Gray code's ring of the first section is used by an exercise.
    needed = {"idea-ring"} if id == "exercise-both" else set()
    shown: dict[str, Any] = {"__name__": "__main__"}
    printed = io.StringIO()
    for cell in read(name).cells:
        if "setup" in tags(cell) or cell.id in needed:
            exec(compile(cell.source, cell.id, "exec"), shown)
        elif cell.id == id:
            exec(compile(source, id, "exec"), shown)
        elif cell.id == checked:
            with contextlib.redirect_stdout(printed):
                exec(compile(cell.source, cell.id, "exec"), shown)
    text = printed.getvalue()
    assert text.startswith("Right." if said == "Right." else "Not yet:"), text
    assert said in text, text
    assert "Traceback" not in text


def test_what_an_exercise_says_of_dcubes_own_algorithm_is_true() -> None:
    cells = {cell.id: cell.source for cell in read("research").cells}
    said = re.search(r"Node (\d) of a (\d)-cube has (\w+) packets for node (\d).* than (\w+) steps.*\n.*dcube's "
                     r"`([a-z-]+)` needs (\w+)", cells["three"])
    assert said, cells["three"]
    numbers = {"two": 2, "three": 3, "four": 4}
    root, dim, packets, peer, least, algorithm, steps = said.groups()
    report = dcube.run("send", dim=int(dim), root=int(root), peer=int(peer), packets=numbers[packets], bytes=64)
    assert (report.algorithm, report.steps) == (algorithm, numbers[steps])
    assert report.steps_lower_bound == numbers[least]


def program() -> str | None:
    """dcube itself: beside the package in the build folder, or where DCUBE says."""
    beside = pathlib.Path(dcube.__file__).parents[2] / "cli" / "dcube"
    given = os.environ.get("DCUBE", str(beside))
    return given if pathlib.Path(given).exists() else None


def test_what_is_handed_in_is_accepted_by_the_program(executed: dict[str, Any]) -> None:
    dcube_itself = program()
    if dcube_itself is None:
        pytest.skip("the program is not built")
    book = executed["research"]
    text = next(cell.source for cell in book.cells if cell.id == "hand-in-verify")
    told = re.search(r"^dcube (verify .*)$", text, re.MULTILINE)
    assert told
    folder = pathlib.Path(book.metadata["path"]).parent
    done = subprocess.run(
        [dcube_itself, *told[1].split()], cwd=folder, capture_output=True, text=True, timeout=SECONDS
    )
    assert done.returncode == 0 and "accepted" in done.stdout, done.stdout + done.stderr
    assert json.loads((folder / "four-rings.json").read_text())["algorithm"] == "four-rings"


@pytest.fixture(scope="module")
def exported(executed: dict[str, Any]) -> pathlib.Path:
    """teaching.ipynb as a page, with its outputs. DCUBE_NOTEBOOK says where it is to be kept for other tests."""
    pytest.importorskip("nbconvert")
    source = pathlib.Path(executed["teaching"].metadata["path"])
    target = pathlib.Path(os.environ.get("DCUBE_NOTEBOOK", source.with_suffix(".html")))
    target.parent.mkdir(parents=True, exist_ok=True)
    # The module: the command jupyter-nbconvert is in another package.
    convert = [sys.executable, "-m", "nbconvert", "--to", "html"]
    convert += ["--output-dir", str(target.parent), "--output", target.name]
    subprocess.run([*convert, str(source)], check=True, capture_output=True, timeout=SECONDS)
    return target


def test_exported(exported: pathlib.Path) -> None:
    text = exported.read_text()
    assert text.count("<iframe") == 5 and 'sandbox="allow-scripts"' in text
    assert "data:image/svg+xml" in text  # figures are not blank: nbconvert takes the inside of image/svg+xml away
