"""What decoding asks of a language model; `model` hosts real ones, tests script small ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.vocabulary.vocabulary import Vocabulary


class Generation(Protocol):
    """One text that a model is writing, token by token."""

    def ranked(self, count: int) -> Sequence[tuple[int, float]]:
        """Return the `count` likeliest next tokens with their natural log-probabilities, likeliest first."""

    def feed(self, token: int) -> None:
        """Append a token to the text."""


class Proposer(Protocol):
    """A language model that proposes tokens."""

    name: str
    vocabulary: Vocabulary
    window: int
    """The most tokens that a prompt and its continuation may have together."""

    def encode(self, text: str) -> list[int]:
        """Return the tokens of a plain text; what looks like a special token stays text."""

    def begin(self, prompt: Sequence[int]) -> Generation:
        """Read a prompt and return the text that continues it."""
