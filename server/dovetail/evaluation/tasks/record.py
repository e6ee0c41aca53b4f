"""The record of a finished task, with one outcome for each method, and the set-up of such an experiment."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, ClassVar

from dovetail.evaluation.conditions import Conditions
from dovetail.evaluation.record import Method


@dataclass(frozen=True, slots=True)
class TaskOutcome:
    """The result of one method for a task."""

    text: str | None
    """The body, up to the task's stop; None if nothing is offered."""
    accepted: bool
    """True if the language's parser accepts the prompt with the body."""
    error: str
    """The parser's objection."""
    reason: str
    """The reason why the text ended."""
    tokens: int
    """The tokens that the model contributed."""
    milliseconds: float
    """Processor time for all tokens, those of the constraint and of reading contexts included, the prompt apart."""
    passed: bool | None
    """True if the task's tests passed; None where no program was run."""
    printed: str
    """The end of what the program wrote, where it failed."""


@dataclass(frozen=True, slots=True)
class TaskRecord:
    """A task and what became of it."""

    case: int
    file: str
    """The name of the task."""
    outcomes: dict[Method, TaskOutcome]

    def to_json(self) -> dict[str, Any]:
        """Return plain values that `from_json` makes the same record of."""
        outcomes = {method.value: dataclasses.asdict(outcome) for method, outcome in self.outcomes.items()}
        return {"case": self.case, "file": self.file, "outcomes": outcomes}

    @classmethod
    def from_json(cls, plain: dict[str, Any]) -> TaskRecord:
        """Return the record; raises KeyError, TypeError or ValueError for other values."""
        outcomes = {Method(name): TaskOutcome(**outcome) for name, outcome in plain["outcomes"].items()}
        return cls(plain["case"], plain["file"], outcomes)


@dataclass(frozen=True, kw_only=True)
class TaskSetup(Conditions):
    """The conditions of one experiment with tasks."""

    KIND: ClassVar[str] = "tasks"

    language: str
    target: str | None
    methods: tuple[Method, ...]
    max_tokens: int
    tasks: str
    """The name of the file of tasks."""
    command: str
    """The command that runs programs; empty where none is run."""

    def to_json(self) -> dict[str, Any]:
        """Return plain values that `from_json` makes the same set-up of."""
        return {**super().to_json(), "methods": [method.value for method in self.methods]}

    @classmethod
    def from_json(cls, plain: dict[str, Any]) -> TaskSetup:
        """Return the set-up; raises KeyError, TypeError or ValueError for other values."""
        return super().from_json({**plain, "methods": tuple(Method(name) for name in plain["methods"])})

    @classmethod
    def read_record(cls, plain: dict[str, Any]) -> TaskRecord:
        """Return a record of such an experiment; raises KeyError, TypeError or ValueError for other values."""
        return TaskRecord.from_json(plain)
