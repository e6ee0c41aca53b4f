"""The sequences of tokens that a small model has read, computed with numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.model.array_memory import ArrayMemory
from dovetail.model.array_pass import ArrayPass
from dovetail.model.sequence_context import MOST_ROWS, SequencePart

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.model.array_weights import ArrayWeights, Matrix


class ArrayContext:
    """A loaded model with room for a few sequences."""

    can_take_back = True

    def __init__(self, weights: ArrayWeights, sequences: int) -> None:
        self.sequences = sequences
        self.window = weights.window
        self._memory = ArrayMemory(weights, self.window, sequences)
        self._pass = ArrayPass(weights, self._memory)
        self._lengths = [0] * sequences
        """The number of tokens that each sequence holds at most."""

    def read(self, sequence: int, start: int, tokens: Sequence[int], rows: int) -> Matrix:
        """Read tokens from a place of a sequence on; return the logits after each of the last `rows`."""
        assert start + len(tokens) <= self.window, "the sequence is longer than the window"
        assert 0 < rows <= min(MOST_ROWS, len(tokens)), rows
        self._lengths[sequence] = start + len(tokens)
        [logits] = self._pass.run([SequencePart(sequence, start, tokens, rows)])
        return logits

    def read_parts(self, parts: Sequence[SequencePart]) -> list[Matrix]:
        """Read parts of different sequences in one pass; return the logits of each."""
        if len(parts) == 1:
            return [self.read(*part) for part in parts]
        for part in parts:
            assert part.start + len(part.tokens) <= self.window, "the sequence is longer than the window"
            self._lengths[part.sequence] = part.start + len(part.tokens)
        return self._pass.run(parts)

    def copy(self, sequence: int, other: int) -> None:
        """Put a copy of all that a sequence holds in the place of another."""
        self._lengths[other] = self._lengths[sequence]
        self._memory.copy(sequence, other, self._lengths[sequence])

    def take_back(self, sequence: int, start: int) -> bool:
        """Take a sequence's tokens from a place on out of its memory: what is read next takes their places."""
        self._lengths[sequence] = min(self._lengths[sequence], start)
        self._memory.take_back(sequence, start)
        return True
