"""The records of the experiment with names of other files."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, ClassVar

from dovetail.evaluation.conditions import Conditions

WITHOUT, WITH = "without context", "with context"
"""The two ways in which each case is completed."""


@dataclass(frozen=True, slots=True)
class CrossOutcome:
    """The outcome of a case in one of the ways."""

    text: str | None
    """The text that was offered, or None."""
    exact: bool
    """True if it is the one that was asked for, blanks around it apart."""
    similarity: float
    """1 for the same text, 0 for a wholly different one: 1 − Levenshtein distance / length of the longer one."""
    identifiers: bool
    """True if it has the same identifiers in the same order."""
    common: float
    """The harmonic mean of the shares of its identifiers that were asked for, and of those asked for that it has."""
    parts: int
    """Parts of other files that the model has read."""
    tokens: int
    """Their tokens."""


@dataclass(frozen=True, slots=True)
class CrossRecord:
    """A case and what came of it."""

    case: int
    file: str
    offset: int
    name: str
    wanted: str
    search: float
    """Milliseconds for finding the parts."""
    outcomes: dict[str, CrossOutcome]
    """The outcome in each way; none if it is solved."""
    is_solved: bool = False
    """True if the smaller model of the set-up wrote the line from its file alone. It was not completed, and is not
    counted."""

    def to_json(self) -> dict[str, Any]:
        """Return plain values that `from_json` makes the same record of."""
        return dataclasses.asdict(self)

    @classmethod
    def from_json(cls, plain: dict[str, Any]) -> CrossRecord:
        """Return the record; raises KeyError, TypeError or ValueError for other values."""
        outcomes = {name: CrossOutcome(**outcome) for name, outcome in plain["outcomes"].items()}
        return cls(**{**plain, "outcomes": outcomes})


@dataclass(frozen=True, kw_only=True)
class CrossSetup(Conditions):
    """The set-up of the experiment. Two runs with equal set-ups have equal texts."""

    KIND: ClassVar[str] = "cross-file"

    language: str
    seed: int
    max_tokens: int
    data: str
    """The name of the folder of files."""
    files: int
    cut: str = "names"
    """The kind of place, a value of `CrossKind`."""
    smaller: str = ""
    """The model whose solved cases are left out; empty if none is."""
    smaller_weights: str = ""
    """A digest of its files; empty for a model of the hub."""

    @classmethod
    def read_record(cls, plain: dict[str, Any]) -> CrossRecord:
        """Return a record of such an experiment; raises KeyError, TypeError or ValueError for other values."""
        return CrossRecord.from_json(plain)
