"""The language model as decoding sees it; `model` hosts real ones, tests script small ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol, Self, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dovetail.decoding.repository import ProjectContext
    from dovetail.vocabulary.vocabulary import Vocabulary


class Proposal(NamedTuple):
    """A token that a model proposes next.

    Only the first token of a text may have a `path` and `skipped` bytes: it also spells the end of the left text that
    the prompt held back (`healing.py`).

    >>> Proposal(17, -0.25)
    Proposal(token=17, score=-0.25, path=(), skipped=0, held=0.0)
    """

    token: int
    score: float
    """Its natural log-probability, that of the path included."""
    path: tuple[int, ...] = ()
    """Tokens to feed before it. They spell held text only and add nothing to the completion."""
    skipped: int = 0
    """The number of its first bytes that spell held text."""
    held: float = 0.0
    """The natural log-probability of the held text, as far as it is known."""


class Generation(Protocol):
    """One text that a model writes, token by token."""

    def ranked(self, count: int) -> Sequence[tuple[int, float]]:
        """Return the `count` likeliest next tokens with their natural log-probabilities, likeliest first."""

    def nucleus(self, temperature: float, top_p: float) -> Sequence[tuple[int, float]]:
        """Return the fewest likeliest next tokens whose probabilities sum to `top_p`, likeliest first.

        Probabilities are those at the temperature; each token comes with its natural log-probability.
        """

    def scores(self, tokens: Sequence[int]) -> Sequence[float]:
        """Return the natural log-probabilities of some next tokens."""

    def ending(self) -> float:
        """Return the natural log-probability that the text ends here."""

    def feed(self, token: int) -> None:
        """Append a token to the text."""

    def rewind(self, count: int) -> None:
        """Remove the last `count` tokens that were fed."""

    def start(self, draft: Sequence[int] = ()) -> None:
        """Begin to read the tokens that were fed, and a draft of the tokens to come.

        It changes no proposal, only the time when the proposal is computed. A device that works by itself has begun
        when this returns. Tokens that are then fed as drafted need no further forward pass.
        """


class Proposer(Protocol):
    """A language model that proposes tokens."""

    name: str
    numbers: str
    """The type, device and library that its numbers depend on beside its name and the prompt, for people to read."""
    vocabulary: Vocabulary
    window: int
    """The most tokens that a prompt and its continuation may have together."""

    def encode(self, text: str) -> list[int]:
        """Return the tokens of a plain text; text that looks like a special token stays text."""

    def begin(self, prompt: Sequence[int], document: str | None = None) -> Generation:
        """Return the text that continues a prompt; the prompt is read when proposals are asked for.

        `document`: the document of the prompt. The tokens that this prompt shares with the document's last one, from
        the start, are not read again; the last generation of the document must not be used afterwards.
        """

    def forget(self, document: str) -> None:
        """Release the memory that is kept for a document."""


@runtime_checkable
class NearbyReader(Protocol):
    """A proposer that also reads texts which its prompts have no room for (`cached_proposer.py`)."""

    def read_nearby(self, document: str | None, project: ProjectContext | None) -> None:
        """Take the texts around the next prompt of a document; None where nothing is known of them."""


class NotWaitedForError(Exception):
    """A generation waited for its model until nobody wanted the answer any more."""


@runtime_checkable
class WaitingGeneration(Protocol):
    """A text whose model computes elsewhere, so that it may have to wait for long."""

    def wait_while(self, wanted: Callable[[], bool]) -> None:
        """Wait for the model only as long as `wanted` returns True; then raise NotWaitedForError."""


class Row(Generation, Protocol):
    """One of several texts after one prompt that a model writes together, as a batch.

    Rows wait for each other: nothing is read before a row is asked for proposals that are not known yet. Then one
    forward pass reads what was fed to all rows, with their drafts.
    """

    @property
    def known(self) -> bool:
        """True if the proposals for the next token are known without a forward pass."""

    def fork(self) -> Self:
        """Return another row with the same tokens."""

    def drop(self) -> None:
        """End the row: it is not used any more, and no pass reads it."""


@runtime_checkable
class BatchProposer(Proposer, Protocol):
    """A language model that can write several texts together. For all others `rows.py` writes them in turn."""

    def begin_batch(self, prompt: Sequence[int], document: str | None = None) -> Row | None:
        """Return the first row of a batch after a prompt; None if this model cannot read several texts in one pass.

        `document` means the same as for `begin`.
        """
