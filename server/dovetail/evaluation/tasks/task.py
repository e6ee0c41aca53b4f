"""CodeTask: a function to write, with its tests, in the form of HumanEval and MBXP.

A file of tasks has a JSON object on each line: `task_id`, `prompt` (the text up to the body), `test`, `entry_point`,
and maybe `canonical_solution`, `language` and `stop`. The last is our own: texts before which a written body ends.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dovetail.evaluation.error import EvaluationError

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class CodeTask:
    """One function."""

    name: str
    language: str | None
    """The language's name; None where the file does not say."""
    prompt: str
    test: str
    """The text that follows the body in a program that ends with 0 if the body is right."""
    entry_point: str
    solution: str
    """A right body; empty if the file has none."""
    stop: tuple[str, ...] = ()

    def program(self, body: str) -> str:
        """Return the program that tests a body.

        HumanEval's tests define `check`, and whoever runs them calls it; others call it themselves.
        """
        call = f"check({self.entry_point})"
        called = call in self.test or "check(candidate)" not in self.test
        return f"{self.prompt}{body}\n{self.test}\n" + ("" if called else f"{call}\n")

    def until_stop(self, text: str) -> str:
        """Return a text up to the first of the task's stops."""
        return text[: min((at for stop in self.stop if (at := text.find(stop)) >= 0), default=len(text))]


def read_tasks(path: Path, language: str, interpreters: str) -> list[CodeTask]:
    """Return the tasks of a file that are in a language; those that name none are in the interpreter's.

    Raises EvaluationError where the file cannot be read, has another form, or has no such task.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise EvaluationError(f"--tasks {path}: it cannot be read ({error}).") from None
    found = []
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                task = _task(json.loads(line))
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise EvaluationError(
                    f"{path}:{number}: this is no task ({error}): a line is a JSON object with task_id, prompt, test "
                    "and entry_point."
                ) from None
            if (task.language or interpreters) == language:
                found.append(task)
    if not found:
        raise EvaluationError(f"{path} holds no task in the language `{language}`: name another with --language.")
    return found


def _task(plain: dict[str, Any]) -> CodeTask:
    """Return a task; raises KeyError, TypeError and AttributeError for other values."""
    language = plain.get("language")
    texts = [plain["task_id"], plain["prompt"], plain["test"], plain["entry_point"]]
    if not all(isinstance(text, str) for text in texts):
        raise TypeError("a value is no text")
    name, prompt, test, entry_point = texts
    return CodeTask(
        name=name,
        language=None if language is None else str(language).lower(),
        prompt=prompt,
        test=test,
        entry_point=entry_point,
        solution=plain.get("canonical_solution") or "",
        stop=tuple(plain.get("stop", ())),
    )
