"""One text that a model writes, in a sequence of its memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from dovetail.model.failure import NoNumbersError
from dovetail.model.sequence_context import MOST_ROWS, SequencePart

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from dovetail.model.sequence_context import SequenceContext
    from dovetail.vocabulary.vocabulary import Vocabulary

_FEW = 64
"""So much of a ranking is worked out in one go: more is seldom asked for."""


class SequenceOwner(Protocol):
    """The model, as its texts see it: it deals out the sequences, and reads."""

    vocabulary: Vocabulary
    context: SequenceContext
    ends: NDArray[np.intp]

    def claim(self, generation: SequenceGeneration) -> int:
        """Return the sequence of a text; give it one if it has none."""

    def copy(self, text: SequenceGeneration, other: SequenceGeneration) -> None:
        """Give a new text a copy of what the sequence of another holds."""

    def hand_over(self, before: SequenceGeneration, after: SequenceGeneration) -> None:
        """Give the sequence of one text to another."""

    def let_go(self, text: SequenceGeneration) -> None:
        """Free the sequence of a text that is over."""

    def read_together(self, texts: Sequence[SequenceGeneration], drafts: Sequence[Sequence[int]]) -> None:
        """Read what is new of some texts, each with a draft after it, in one pass."""

    def known(self, logits: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return logits without those that mean nothing."""


class SequenceGeneration:
    """One text that a model is writing."""

    def __init__(self, model: SequenceOwner, prompt: Sequence[int], before: SequenceGeneration | None = None) -> None:
        """Begin after a prompt; what `before` has read of it is taken over, and that text is over."""
        assert prompt, "a model cannot be asked with nothing"
        self.sequence: int | None = None
        """The sequence that holds what was read; None before the first token, and after it was given up."""
        self._model = model
        self._tokens = list(prompt)
        self._read: list[int] = []
        """The tokens in the sequence: those of the text as far as it was read, or others after some place."""
        self._agreed = 0
        """The length of the common beginning of the two lists."""
        self._rows: NDArray[np.float32] | None = None
        """Log-probabilities after each of the tokens that were read last, (rows, vocabulary)."""
        self._best: list[tuple[int, float]] | None = None
        """The first few of the ranking, where they were asked for already."""
        if before is not None:
            self._take_over(before)

    def ranked(self, count: int) -> list[tuple[int, float]]:
        """Return the `count` likeliest next tokens with their natural log-probabilities, likeliest first.

        Padding and holes of the vocabulary are left out, so there may be fewer than `count`.
        """
        if count > _FEW:
            return self._ranked(count)
        if self._best is None:
            self._best = self._ranked(_FEW)
        return self._best[:count]

    def nucleus(self, temperature: float, top_p: float) -> list[tuple[int, float]]:
        """Return the fewest likeliest tokens that have the probability `top_p`, with log-probabilities at it."""
        scores = _log_softmax(self._row() / np.float32(temperature))  # (vocabulary)
        tokens = np.argsort(-scores, kind="stable")
        values = scores[tokens]
        shares = np.exp(values)
        before = np.cumsum(shares) - shares  # (vocabulary), what the likelier ones have together
        # Beside a token that is nearly certain the sum is 1 long before all have been counted.
        kept = len(values) if top_p >= 1 else max(1, int((before < top_p).sum()))
        return _pairs(tokens[:kept], values[:kept])

    def scores(self, tokens: Sequence[int]) -> list[float]:
        """Return the natural log-probabilities of some next tokens; minus infinity for what means nothing."""
        if not tokens:
            return []
        found: list[float] = self._row()[np.asarray(tokens)].tolist()
        return found

    def ending(self) -> float:
        """Return the natural log-probability that the text ends here."""
        return float(np.logaddexp.reduce(self._row()[self._model.ends])) if len(self._model.ends) else -np.inf

    def feed(self, token: int) -> None:
        """Append a token to the text; it is read when the next ranking is asked for."""
        assert 0 <= token < len(self._model.vocabulary.pieces), token
        if self._agreed == len(self._tokens) < len(self._read) and self._read[self._agreed] == token:
            self._agreed += 1
        self._tokens.append(token)
        self._best = None

    def rewind(self, count: int) -> None:
        """Take back the last `count` tokens that were fed."""
        if count:
            del self._tokens[-count:]
            self._agreed = min(self._agreed, len(self._tokens))
            self._best = None

    def start(self, draft: Sequence[int] = ()) -> None:
        """Read what was fed, and with it a guess of the tokens to come, if there is such a guess.

        Without one the next ranking reads, in the same time: the processor that would read is the one that runs this.
        """
        if draft and not self.is_read:
            self._forward(draft)

    def give_up(self) -> None:
        """Forget what was read: the sequence belongs to another text now."""
        self.sequence, self._read, self._rows, self._agreed = None, [], None, 0

    def copied(self) -> SequenceGeneration:
        """Return another text with the same tokens, with a copy of what was read."""
        other = SequenceGeneration(self._model, self._tokens)
        if self.sequence is not None:
            self._model.copy(self, other)
            other._read, other._agreed, other._rows = list(self._read), self._agreed, self._rows
        return other

    def part_to_read(self, draft: Sequence[int]) -> SequencePart:
        """Return what a pass has to read of the text, with a draft after it; claims a sequence for it."""
        model = self._model
        sequence = model.claim(self)
        kept = min(self._agreed, len(self._tokens) - 1)
        if kept < len(self._read) and not model.context.take_back(sequence, kept):
            kept = 0
            cleared = model.context.take_back(sequence, 0)
            assert cleared, "all of a sequence can be taken back"
        if not model.context.can_take_back:
            draft = ()  # to take a wrong one back would mean to read everything again
        draft = draft[: min(MOST_ROWS - 1, model.context.window - len(self._tokens))]
        return SequencePart(sequence, kept, [*self._tokens[kept:], *draft], 1 + len(draft))

    def take_in(self, part: SequencePart, logits: NDArray[np.float32]) -> None:
        """Take note of what a pass has read of the text."""
        self._rows = _log_softmax(self._model.known(logits))
        self._read = [*self._tokens[: part.start], *part.tokens]
        self._agreed = len(self._tokens)

    def _ranked(self, count: int) -> list[tuple[int, float]]:
        row = self._row()
        tokens = best_tokens(row, count)
        return _pairs(tokens, row[tokens])

    def _row(self) -> NDArray[np.float32]:
        """Return the log-probabilities of the next token, (vocabulary)."""
        if not self.is_read:
            self._forward(())
        assert self._rows is not None
        row: NDArray[np.float32] = self._rows[len(self._tokens) - len(self._read) - 1]
        return row

    @property
    def is_read(self) -> bool:
        """True if the ranking of the next token is known."""
        beyond = len(self._read) - len(self._tokens)
        return self._agreed == len(self._tokens) and self._rows is not None and 0 <= beyond < len(self._rows)

    def _forward(self, draft: Sequence[int]) -> None:
        """Read the tokens that are new, and a draft after them; nothing was read if that fails."""
        self._model.read_together([self], [draft])

    def _take_over(self, before: SequenceGeneration) -> None:
        """Go on with another text's sequence, as far as that has read the same."""
        for token, read in zip(self._tokens, before._read, strict=False):
            if token != read:
                break
            self._agreed += 1
        self._read = before._read
        self._model.hand_over(before, self)
        before.give_up()


def best_tokens(row: NDArray[np.float32], count: int) -> NDArray[np.intp]:
    """Return the `count` tokens with the largest numbers of a row, largest first; of equal ones the first tokens.

    >>> best_tokens(np.array([0, 3, 1, 3], np.float32), 3).tolist()
    [1, 3, 2]
    """
    width = len(row) // (2 * count)
    if width <= 1:
        return np.argsort(-row, kind="stable")[:count]
    # The largest numbers of `count` parts are `count` numbers, so the best are none below them. To find so few takes a
    # tenth of the time that a partition of the whole row takes.
    tops = np.maximum.reduceat(row, np.arange(0, len(row), width))
    tokens = np.flatnonzero(row >= np.partition(tops, -count)[-count])
    found: NDArray[np.intp] = tokens[np.lexsort((tokens, -row[tokens]))][:count]
    return found


def _log_softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return natural log-probabilities along the last axis; where no logit is a number there is none either."""
    top = logits.max(axis=-1, keepdims=True)
    top = np.where(np.isfinite(top), top, np.float32(0))
    shifted = logits - top
    total = np.exp(shifted).sum(axis=-1, keepdims=True)
    with np.errstate(divide="ignore"):
        scores: NDArray[np.float32] = shifted - np.where(total > 0, np.log(total), np.float32(0))
    return scores


def _pairs(tokens: NDArray[np.intp], values: NDArray[np.float32]) -> list[tuple[int, float]]:
    """Return tokens and scores of a ranking without those that have none; raise NoNumbersError if none has one."""
    pairs = zip(tokens.tolist(), values.tolist(), strict=True)
    found = [(token, value) for token, value in pairs if value != -np.inf]
    if not found:
        raise NoNumbersError("no score of any token is a number")
    return found
