"""N-grams of a text: the tokens that stood after the last ones of another text, wherever those stood before.

Source code repeats itself nearby (Tu et al., *On the Localness of Software*, 2014; Hellendoorn and Devanbu, *Are Deep
Neural Networks the Best Choice for Modeling Source Code?*, 2017). A small model that has read the text still copies too
seldom, and has not read all of it. So the last tokens are looked up in the whole file, in open documents and in other
files, and what followed them there changes the model's probabilities (`ngram_evidence.py`, `cache_weights.py`).
"""

from __future__ import annotations

import heapq
from array import array
from bisect import bisect_right
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

ORDERS = (1, 2, 3, 4, 5, 6, 8, 12, 16)
"""The least tokens of a match in each class of lengths."""

LONGEST = ORDERS[-1]
"""Tokens of a match that are compared at most."""

BOUNDARY = -1
"""The token between two texts; no model has it, and no match goes beyond it."""

_CLASS = tuple(bisect_right(ORDERS, length) - 1 for length in range(LONGEST + 1))
"""Length of a match → its class."""

BEST = 6
"""The tokens after a single one that may be candidates."""

_PLACES = 64
"""The last places of a pair of tokens that are compared."""

_BITS = 21
"""Bits of a token's number; no vocabulary has more."""

_MASK = (1 << _BITS) - 1

Rows: TypeAlias = "dict[int, list[int]]"
"""Token → how often it followed a match of each class of lengths, of the longest match at each place alone."""


class Followers(NamedTuple):
    """The tokens that followed a single one."""

    counts: Mapping[int, int]
    """Token → how often it did."""
    places: int
    """The number of places."""
    best: Sequence[int]
    """The `BEST` tokens that did so most often."""


_NOTHING = Followers({}, 0, ())


class NgramIndex:
    """The places of a text's pairs of tokens, sorted by pair; some twenty bytes and 0.2 microseconds for each token."""

    __slots__ = ("_after", "_pairs", "_places", "_tokens")

    def __init__(self, tokens: Sequence[int]) -> None:
        """Index the tokens of a text or of several, `BOUNDARY` between them. Of many places the last ones count."""
        self._tokens = array("i", tokens)
        read = np.frombuffer(self._tokens, np.int32).astype(np.int64) if tokens else np.zeros(0, np.int64)  # (tokens)
        pairs = read[:-1] << _BITS | read[1:]
        places = np.flatnonzero((read[:-1] >= 0) & (read[1:] >= 0))
        order = np.argsort(pairs[places], kind="stable")
        self._places = (places[order] + 2).astype(np.int32)  # (pairs), of the token after each
        self._pairs = pairs[places][order]  # (pairs)
        self._after: dict[int, Followers] = {}  # token that was asked for → what followed it

    def __len__(self) -> int:
        """Return the number of tokens."""
        return len(self._tokens)

    def look_up(self, context: Sequence[int], wanted: NDArray[np.int64], rows: Rows) -> Followers:
        """Count what followed the last tokens of a text, two of them at least; return what followed the last alone.

        `wanted`: `bounds(context)`.
        """
        tokens, pairs = self._tokens, self._pairs
        first, end, start, stop = pairs.searchsorted(wanted).tolist()
        if start == stop:
            return _NOTHING
        most = min(LONGEST, len(context))
        for place in self._places[max(first, end - _PLACES) : end].tolist():
            if place < len(tokens) and tokens[place] >= 0:
                count_match(tokens, place, context, most, rows)
        last = context[-1]
        after = self._after.get(last)
        if after is None:
            counts = Counter[int]((pairs[start:stop] & _MASK).tolist())
            best = heapq.nsmallest(BEST, counts, key=lambda token: (-counts[token], token))
            after = self._after[last] = Followers(counts, stop - start, best)
        return after


def bounds(context: Sequence[int]) -> NDArray[np.int64]:
    """Return the bounds of the pairs that the last two tokens are, and of those that begin with the last one, (4)."""
    last = context[-1] << _BITS
    pair = context[-2] << _BITS | context[-1] if len(context) > 1 and context[-2] >= 0 else -1
    return np.array((pair, pair + (pair >= 0), last, last + _MASK + 1))


def count_match(tokens: Sequence[int], place: int, context: Sequence[int], most: int, rows: Rows) -> None:
    """Count the token at a place, before which the last two tokens of a text stand, in the class of the whole match."""
    length = 2
    while length < most and length < place and tokens[place - 1 - length] == context[-1 - length]:
        length += 1
    token = tokens[place]
    row = rows.get(token)
    if row is None:
        row = rows[token] = [0] * len(ORDERS)
    row[_CLASS[length]] += 1
