"""What a completer answers: texts that fit, and why there are no others."""

from __future__ import annotations

from dataclasses import dataclass

from dovetail.decoding.completion import Seconds  # noqa: TC001 - read when an answer crosses to another process (`wire.py`)


@dataclass(frozen=True, slots=True)
class Work:
    """What an answer took."""

    tokens: int
    """How many tokens the model contributed."""
    refused: int
    """How many better-ranked tokens were refused."""
    seconds: Seconds
    """Where the time went."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of one request."""

    texts: tuple[str, ...]
    """What may be inserted, the best first; nothing where nothing is offered."""
    reason: str
    """A clause for people: why the first text ended where it does, or why there is none."""
    work: Work | None = None
    """What it took; None where nothing was decoded."""
    unchecked: bool = False
    """Whether nobody knows if the texts fit, because there is no grammar."""

    @property
    def items(self) -> tuple[str, ...]:
        """The texts as an editor takes them: it ends lines in the manner of the file, whatever an item has."""
        return tuple(text.replace("\r\n", "\n").replace("\r", "\n") for text in self.texts)


def nothing(reason: str) -> Answer:
    """Return the answer without a text."""
    return Answer((), reason)
