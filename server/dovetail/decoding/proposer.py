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

    def nucleus(self, temperature: float, top_p: float) -> Sequence[tuple[int, float]]:
        """Return the fewest likeliest next tokens that have together the probability `top_p`, likeliest first.

        Probabilities are those at the temperature; each token comes with its natural log-probability.
        """

    def scores(self, tokens: Sequence[int]) -> Sequence[float]:
        """Return the natural log-probabilities of some next tokens."""

    def ending(self) -> float:
        """Return the natural log-probability that the text ends here."""

    def feed(self, token: int) -> None:
        """Append a token to the text."""

    def rewind(self, count: int) -> None:
        """Take back the last `count` tokens that were fed."""

    def start(self, draft: Sequence[int] = ()) -> None:
        """Begin to read what was fed, and with it a guess of the tokens to come.

        Changes nothing in what is proposed, only when it is worked out: a device that works by itself has begun
        when this returns, and tokens that are then fed as they were guessed need no further reading.
        """


class Proposer(Protocol):
    """A language model that proposes tokens."""

    name: str
    numbers: str
    """What its numbers depend on beside its name and the prompt, for people: their type, the device, the library."""
    vocabulary: Vocabulary
    window: int
    """The most tokens that a prompt and its continuation may have together."""

    def encode(self, text: str) -> list[int]:
        """Return the tokens of a plain text; what looks like a special token stays text."""

    def begin(self, prompt: Sequence[int], document: str | None = None) -> Generation:
        """Return the text that continues a prompt; it is read when proposals are asked for.

        `document`: what the prompt is of. What was read for the last prompt of the same document, as far as the
        two begin alike, is not read again; the last text is ended thereby.
        """

    def forget(self, document: str) -> None:
        """Let go of what was read for a document."""
