"""What a completer answers: texts that fit, and why there are no others."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of one request."""

    texts: tuple[str, ...]
    """What may be inserted, the best first; nothing where nothing is offered."""
    reason: str
    """A clause for people: why the first text ended where it does, or why there is none."""


def nothing(reason: str) -> Answer:
    """Return the answer without a text."""
    return Answer((), reason)
