"""A batch: several texts that a model writes together, each in a sequence of its own.

A forked text takes a copy of what its sequence holds, so nothing is read twice. One pass reads what is new of all
texts. There are few sequences: texts that find none in a pass are read in a later one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.model.runtimes.sequence_generation import SequenceGeneration, SequenceOwner


class SequenceBatch:
    """The rows of one batch."""

    def __init__(self, model: SequenceOwner) -> None:
        self.model = model
        self.rows: list[SequenceRow] = []

    def read(self, wanted: SequenceRow) -> None:
        """Read what is new of a row, and of as many others as there are sequences, in one pass."""
        others = [row for row in self.rows if row is not wanted and not row.known]
        rows = [wanted, *others][: self.model.context.sequences]
        drafts = [row.take_draft() for row in rows]
        self.model.read_together([row.generation for row in rows], drafts)


class SequenceRow:
    """One text of a batch."""

    def __init__(self, batch: SequenceBatch, generation: SequenceGeneration) -> None:
        self.generation = generation
        self._batch = batch
        self._draft: tuple[int, ...] = ()
        batch.rows.append(self)

    @property
    def known(self) -> bool:
        """True if the proposals for the next token are known without a forward pass."""
        return self.generation.is_read

    def fork(self) -> SequenceRow:
        """Return another row with the same tokens."""
        self._ready()  # There is nothing to copy before the first pass.
        return SequenceRow(self._batch, self.generation.copied())

    def drop(self) -> None:
        """End the row: no pass reads it, and its sequence is free."""
        self._batch.rows.remove(self)
        self._batch.model.let_go(self.generation)

    def ranked(self, count: int) -> list[tuple[int, float]]:
        """Return the `count` likeliest next tokens with their natural log-probabilities, likeliest first."""
        return self._ready().ranked(count)

    def nucleus(self, temperature: float, top_p: float) -> list[tuple[int, float]]:
        """Return the fewest likeliest tokens that have the probability `top_p`, with log-probabilities at it."""
        return self._ready().nucleus(temperature, top_p)

    def scores(self, tokens: Sequence[int]) -> list[float]:
        """Return the natural log-probabilities of some next tokens; minus infinity for what means nothing."""
        return self._ready().scores(tokens)

    def ending(self) -> float:
        """Return the natural log-probability that the text ends here."""
        return self._ready().ending()

    def feed(self, token: int) -> None:
        """Append a token to the text; it is read in the next pass."""
        self.generation.feed(token)

    def rewind(self, count: int) -> None:
        """Take back the last `count` tokens that were fed."""
        self.generation.rewind(count)

    def start(self, draft: Sequence[int] = ()) -> None:
        """Have the next pass read a draft of the tokens to come; other rows may still have something for that pass."""
        self._draft = tuple(draft)

    def take_draft(self) -> tuple[int, ...]:
        """Return the draft for the next pass, once."""
        draft, self._draft = self._draft, ()
        return draft

    def _ready(self) -> SequenceGeneration:
        if not self.known:
            self._batch.read(self)
        return self.generation
