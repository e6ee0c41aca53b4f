"""The record of a finished case: one outcome for each method."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from enum import Enum
from typing import Any


class Method(Enum):
    """A way to complete."""

    UNCONSTRAINED = "unconstrained"
    """The model's own text until its end token."""
    CHECKED = "checked"
    """The longest beginning of that text with which the whole is a program, by trial."""
    CONSTRAINED = "constrained"
    """Dovetail's."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one method for a case."""

    text: str | None
    """The text that it inserts, or None if it offers nothing."""
    valid: bool
    """True if the running interpreter accepts the whole with it; offering nothing is a failure."""
    exact: bool
    """True if the text equals the removed one."""
    similarity: float
    """1 for the same text, 0 for a wholly different one: 1 − Levenshtein distance / length of the longer one."""
    reason: str
    """The reason why it ended."""
    tokens: int
    """The tokens that the model contributed."""
    contexts: float
    """Milliseconds for reading both contexts, once."""
    model: float
    """Milliseconds for proposing the tokens, the prompt apart."""
    constraint: float
    """Milliseconds for asking what fits, or for trying to parse."""
    refusals: tuple[str, ...] = ()
    """The first better-ranked tokens that were refused, where nothing is offered: what, where, and why."""


@dataclass(frozen=True, slots=True)
class Record:
    """A case and what became of it."""

    case: int
    file: str
    offset: int
    """The cursor's offset in characters."""
    context: int
    """The characters to the left and right of it."""
    before: str
    """The end of the left text."""
    removed: str
    after: str
    """The beginning of the right text."""
    prompt: float
    """Milliseconds for reading the prompt, which all methods share."""
    compared: int
    """The number of texts that both the engine and the interpreter judged."""
    disagreements: tuple[str, ...]
    """The middles that they judged differently."""
    outcomes: dict[Method, Outcome]

    def to_json(self) -> dict[str, Any]:
        """Return plain values that `from_json` makes the same record of."""
        plain = dataclasses.asdict(self)
        plain["outcomes"] = {method.value: dataclasses.asdict(outcome) for method, outcome in self.outcomes.items()}
        return plain

    @classmethod
    def from_json(cls, plain: dict[str, Any]) -> Record:
        """Return the record; raises KeyError, TypeError or ValueError for other values."""
        outcomes = {
            Method(name): Outcome(**{**outcome, "refusals": tuple(outcome["refusals"])})
            for name, outcome in plain["outcomes"].items()
        }
        return cls(**{**plain, "disagreements": tuple(plain["disagreements"]), "outcomes": outcomes})

    def rows(self) -> list[dict[str, Any]]:
        """Return a flat mapping for each method, as `results.json` has them."""
        shared = self.to_json()
        del shared["outcomes"]
        return [
            {**shared, "method": method.value, **dataclasses.asdict(outcome)}
            for method, outcome in self.outcomes.items()
        ]
