"""The answer of a completer: the texts that fit, and the reason why the first one ends."""

from __future__ import annotations

from dataclasses import dataclass

# Read when an answer crosses to another process (`wire.py`).
from dovetail.decoding.completion import Seconds  # noqa: TC001
from dovetail.decoding.repository import ShownPart  # noqa: TC001


@dataclass(frozen=True, slots=True)
class Work:
    """The cost of an answer."""

    tokens: int
    """Tokens that the model contributed."""
    refused: int
    """Better-ranked tokens that were refused."""
    seconds: Seconds
    """The time, by part."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of one request."""

    texts: tuple[str, ...]
    """Texts to insert, the best first; empty where nothing is offered."""
    reason: str
    """A clause for users: why the first text ends where it does, or why there is no text."""
    work: Work | None = None
    """The cost; None where the model was not asked."""
    unchecked: bool = False
    """True if the texts were not checked, because there is no grammar."""
    parts: tuple[ShownPart, ...] = ()
    """The parts of other files that the model has read."""

    @property
    def items(self) -> tuple[str, ...]:
        """The texts with a line feed at line ends, as editors expect them; it writes those of the file."""
        return tuple(text.replace("\r\n", "\n").replace("\r", "\n") for text in self.texts)


def nothing(reason: str) -> Answer:
    """Return the answer without a text."""
    return Answer((), reason)
