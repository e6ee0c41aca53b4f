"""Functions from their headers: tasks, their programs, and the experiment with all of them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.decoding.scripted_proposer import ScriptedProposer, at_random, writes

import dovetail
from dovetail.__main__ import main
from dovetail.evaluation.error import EvaluationError
from dovetail.evaluation.tasks.program_run import RunLimits, run_program
from dovetail.evaluation.tasks.task import CodeTask, read_tasks
from dovetail.model import hosting

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

OWN = Path(__file__).with_name("tasks.jsonl")
RUN = f"{sys.executable} -I {{file}}"
FEW = RunLimits(60)
PIECES = [b"    ", b"\n    ", b"\n", b"return ", b" = ", b"if ", b":\n", b"(", b")", b"x", b"{", b"}"]

TASK = {"task_id": "t/0", "prompt": "def f(a):\n", "test": "def check(candidate):\n    assert candidate(1) == 2\n",
        "entry_point": "f", "canonical_solution": "    return a + 1\n"}  # fmt: skip


def one_task(**values: object) -> CodeTask:
    """Return a task with some other values."""
    task = {"name": "t/0", "language": None, "prompt": "def f(a):\n", "test": TASK["test"], "entry_point": "f",
            "solution": ""} | values  # fmt: skip
    return CodeTask(**task)  # type: ignore[arg-type]


@pytest.mark.parametrize("task", read_tasks(OWN, "python", "python"), ids=lambda task: task.name)
def test_our_tasks_in_python_have_right_solutions(task: CodeTask) -> None:
    """The solution passes the task's tests, and an empty body does not."""
    assert run_program(RUN, task.program(task.solution), ".py", FEW) == (True, "")
    assert not run_program(RUN, task.program("    return ...\n"), ".py", FEW).passed


def test_our_tasks_in_go_are_programs() -> None:
    """With its solution each is a program, and up to the body it is the beginning of one."""
    language = dovetail.load_language("go")
    tasks = read_tasks(OWN, "go", "python")

    assert [task.name for task in tasks if not language.accepts(task.program(task.solution))] == []
    assert all(language.quotient(task.prompt, "").start.advance(task.solution) for task in tasks)


def test_a_check_is_called_by_whoever_runs_it() -> None:
    """HumanEval's tests define `check`; tests that call it themselves, or have none, stay as they are."""
    assert one_task().program("    pass").endswith("check(f)\n")
    assert one_task(test="def check(candidate): ...\ncheck(f)").program("").count("check(f)") == 1
    assert one_task(test="f(1)").program("") == "def f(a):\n\nf(1)\n"


@pytest.mark.parametrize(
    ("stops", "text"),
    [((), "  x\ndef g():\n#"), (("\ndef",), "  x"), (("\n#", "\ndef"), "  x"), (("y",), "  x\ndef g():\n#")],
)
def test_a_body_ends_before_the_first_stop(stops: tuple[str, ...], text: str) -> None:
    """Other functions that a model goes on with are no part of the task."""
    assert one_task(stop=stops).until_stop("  x\ndef g():\n#") == text


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["[]"], "tasks.jsonl:1: this is no task"),
        (["", "{}"], "tasks.jsonl:2: this is no task"),
        (["no json"], "tasks.jsonl:1: this is no task"),
        ([json.dumps(TASK | {"prompt": 3})], "a value is no text"),
        ([json.dumps(TASK | {"language": "go"})], "holds no task in the language `python`"),
    ],
)
def test_a_file_of_another_form_is_refused(tmp_path: Path, lines: Sequence[str], message: str) -> None:
    """The message names file and line."""
    path = tmp_path / "tasks.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")

    with pytest.raises(EvaluationError, match=message):
        read_tasks(path, "python", "python")


@pytest.mark.parametrize(
    ("program", "limits", "printed"),
    [
        ("raise ValueError('no')", FEW, "ValueError: no"),
        ("import sys; sys.exit(3)", FEW, "it ended with 3"),
        ("while True: pass", RunLimits(0.5), "it took more than 0.5 s"),
        ("x = bytearray(3 << 30)", RunLimits(60, 1 << 30), "MemoryError"),
        ("open('big', 'wb').write(bytes(65 << 20))", FEW, ""),
        ("input()", FEW, "EOFError"),
    ],
    ids=["error", "exit code", "time", "memory", "file", "input"],
)
@pytest.mark.skipif(sys.platform == "win32", reason="only time is limited on Windows")
def test_a_program_that_fails(program: str, limits: RunLimits, printed: str) -> None:
    """It did not pass, whatever it did, and the reason is kept."""
    run = run_program(RUN, program, ".py", limits)

    assert not run.passed
    assert printed in run.printed


def test_a_program_sees_little_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its home and working folder are empty but for itself, and the environment's secrets are not handed on."""
    monkeypatch.setenv("SECRET", "1")
    seen = "import os; assert 'SECRET' not in os.environ; assert os.getcwd() == os.path.realpath(os.environ['HOME'])"

    assert run_program(RUN, f"{seen}; assert sorted(os.listdir()) == ['printed', 'program.py']", ".py", FEW).passed


@pytest.fixture(name="evaluate")
def _evaluate(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """Return a function that runs the experiment with a scripted model, and returns what it wrote."""

    def evaluate(proposer: ScriptedProposer, *arguments: str, tasks: Path = OWN) -> dict[str, Any]:
        monkeypatch.setattr(hosting, "load_model", lambda name=None: proposer)
        fixed = ["--tasks", str(tasks), "--output", str(tmp_path / "output"), "--max-tokens", "12", "--cases", "3"]
        assert main(["eval", "--experiment", "tasks", *fixed, *arguments]) == 0
        found: dict[str, Any] = json.loads((tmp_path / "output" / "tasks.json").read_text("utf-8"))
        return found

    return evaluate


def test_what_is_offered_with_the_constraint_is_accepted(
    evaluate: Callable[..., dict[str, Any]], tmp_path: Path
) -> None:
    """A model that knows nothing writes programs with the constraint, and none without; no program is run."""
    found = evaluate(ScriptedProposer(PIECES, at_random(3), window=1024))["tasks"]
    outcomes = [record["outcomes"] for record in found["records"]]

    assert found["setup"]["language"] == "python"
    assert len(outcomes) == 3
    assert all(one["constrained"]["accepted"] for one in outcomes if one["constrained"]["text"] is not None)
    assert not any(one["unconstrained"]["accepted"] for one in outcomes)
    assert all(outcome["passed"] is None for one in outcomes for outcome in one.values())
    report = (tmp_path / "output" / "tasks.md").read_text("utf-8")
    assert "| tasks | unconstrained | 3 | 3 |" in report
    assert "230 → 7" in report


def test_programs_are_run_where_the_user_asks(evaluate: Callable[..., dict[str, Any]], tmp_path: Path) -> None:
    """A right body passes with both methods, and is counted."""
    tasks = tmp_path / "one.jsonl"
    tasks.write_text(json.dumps(TASK) + "\n", encoding="utf-8")
    model = ScriptedProposer([b"    return", b" a + 1", b"\n"], writes(b"    return", b" a + 1", b"\n"), window=1024)

    [record] = evaluate(model, "--run", RUN, "--run-seconds", "60", tasks=tasks)["tasks"]["records"]

    assert {name: outcome["passed"] for name, outcome in record["outcomes"].items()} == {
        "unconstrained": True, "constrained": True
    }  # fmt: skip
    assert "| tasks | constrained | 1 | 100 % |" in (tmp_path / "output" / "tasks.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name a file of tasks with --tasks"),
        (["--tasks", str(OWN), "--run", "python3"], "write {file} where the program's path belongs"),
        (["--tasks", str(OWN), "--language", "go"], "No parser of Go is known here"),
        (["--tasks", str(OWN), "--language", "java"], "there is no such language"),
        (["--tasks", str(OWN), "--language", "go", "--target", "1.2", "--oracle", "x"], "no such version of Go"),
        (["--tasks", str(OWN), "--language", "go", "--oracle", "no-such-command"], "cannot be started"),
    ],
)
def test_a_wrong_command_is_one_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, arguments: list[str], message: str
) -> None:
    """The mistake and its remedy are said before a model is loaded."""
    assert main(["eval", "--experiment", "tasks", "--output", str(tmp_path), *arguments]) == 2
    assert message in capsys.readouterr().err
