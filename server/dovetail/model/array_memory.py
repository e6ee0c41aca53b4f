"""Keys and values of the sequences that a small model has read.

A copy of a sequence shares its first tokens: nothing is copied before the shared place is written anew. So candidates
behind one prompt cost no copy of it, and one product answers the queries of all of them (`array_pass.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from dovetail.model.array_weights import ArrayWeights, Matrix

_MOST_TOKENS = 64
"""Tokens that a sequence which shares its start may read in one pass; before more it gets a copy, as the scores of many
rows are to stay in a core's own cache."""


class SharedStart(NamedTuple):
    """The first tokens of a sequence, which are kept in the place of another."""

    sequence: int
    length: int


class ArrayMemory:
    """Keys and values of all sequences."""

    def __init__(self, weights: ArrayWeights, window: int, sequences: int) -> None:
        shape = (len(weights.layers), sequences, weights.key_heads)
        # Zeros that were never written take no memory.
        self.keys: Matrix = np.zeros((*shape, weights.head_width, window), np.float32)
        """(layers, sequences, key heads, head width, window): a step's product takes a third of the time this way."""
        self.values: Matrix = np.zeros((*shape, window, weights.head_width), np.float32)
        """(layers, sequences, key heads, window, head width)"""
        self._shared: dict[int, SharedStart] = {}
        """Sequence → its start, where that is another's. That other one shares nothing itself."""

    def shared(self, sequence: int) -> SharedStart | None:
        """Return the first tokens of a sequence, where they are those of another."""
        return self._shared.get(sequence)

    def copy(self, sequence: int, other: int, length: int) -> None:
        """Give another sequence the first tokens of one."""
        assert sequence != other, "a sequence is no copy of itself"
        self._part_from(other, 0)
        start = self._shared.get(sequence, SharedStart(sequence, length))
        start = start._replace(length=min(start.length, length))
        self._shared[other] = start
        self._move(sequence, other, start.length, length)

    def write(self, sequence: int, start: int, count: int) -> None:
        """Prepare to write tokens of a sequence from a place on: none of them is shared afterwards."""
        self._part_from(sequence, start)
        self.take_back(sequence, start)
        if count > _MOST_TOKENS:
            self._part(sequence)

    def take_back(self, sequence: int, start: int) -> None:
        """Forget a sequence's tokens from a place on; others may still share them."""
        shared = self._shared.get(sequence)
        if shared is not None and start < shared.length:
            if start:
                self._shared[sequence] = shared._replace(length=start)
            else:
                del self._shared[sequence]

    def _part_from(self, sequence: int, start: int) -> None:
        """Give those that share tokens of a sequence from a place on a copy of their own."""
        for other, shared in tuple(self._shared.items()):
            if shared.sequence == sequence and shared.length > start:
                self._part(other)

    def _part(self, sequence: int) -> None:
        shared = self._shared.pop(sequence, None)
        if shared is not None:
            self._move(shared.sequence, sequence, 0, shared.length)

    def _move(self, sequence: int, other: int, begin: int, end: int) -> None:
        self.keys[:, other, ..., begin:end] = self.keys[:, sequence, ..., begin:end]
        self.values[:, other, :, begin:end] = self.values[:, sequence, :, begin:end]
