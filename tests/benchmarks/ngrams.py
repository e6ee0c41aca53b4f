"""A baseline for models: n-grams of tokens, and of the tokens before the cursor themselves.

Each order is mixed with the one below it as Witten and Bell do (*The zero-frequency problem*, 1991): by how often
its context was seen, and followed by how many different tokens. Above the orders of the training text stand those
of the prompt, so that what was written a line ago is copied.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from dovetail.vocabulary.vocabulary import Vocabulary

    Codes = npt.NDArray[np.uint64]

_ORDERS = 5
"""Tokens of the longest n-gram of the training text."""

_COPIED = 8
"""Tokens of the longest context that is looked for in the prompt."""

_FACTOR = np.uint64(0x9E3779B97F4A7C15)  # odd: 2⁶⁴ divided by the golden ratio
_LOW = np.uint64(0xFFFF)


class Ngrams:
    """Counts of all n-grams of a text."""

    def __init__(self, tokens: Sequence[int], size: int) -> None:
        """Count; `size`: of the vocabulary, at most 65,536."""
        assert size <= 65_536
        self.size = size
        text = np.array(tokens, np.uint64)
        self._tables: list[tuple[Codes, npt.NDArray[np.int64]]] = []  # by length of context: n-grams, counts
        for length in range(min(_ORDERS, len(text))):
            contexts = _contexts(text, length)[: len(text) - length]  # one before each token from `length` on
            self._tables.append(np.unique((contexts & ~_LOW) | text[length:], return_counts=True))

    def next(self, tokens: Sequence[int]) -> npt.NDArray[np.float64]:
        """Return the probability of each next token, (vocabulary)."""
        before = np.array(tokens, np.uint64)
        shares = np.full(self.size, 1 / self.size)
        for length in range(min(len(self._tables), len(before) + 1)):
            (context,) = _contexts(before[len(before) - length :], length)[:1] & ~_LOW
            ngrams, counts = self._tables[length]
            first, last = np.searchsorted(ngrams, [context, context | _LOW], side="left")
            last += int(last < len(ngrams) and ngrams[last] == context | _LOW)
            shares = _mixed(shares, (ngrams[first:last] & _LOW).astype(np.int64), counts[first:last])
        places = np.arange(len(before))  # where a token of the prompt follows the same tokens as the next one does
        for length in range(1, min(_COPIED, len(before) - 1) + 1):
            places = places[places >= length]
            places = places[before[places - length] == before[len(before) - length]]
            if not len(places):
                break
            shares = _mixed(shares, *np.unique(before[places].astype(np.int64), return_counts=True))
        return shares


class NgramGeneration:
    """One text that n-grams write."""

    def __init__(self, ngrams: Ngrams, tokens: Sequence[int]) -> None:
        self._ngrams = ngrams
        self._tokens = list(tokens)

    def ranked(self, count: int) -> list[tuple[int, float]]:
        """Return the `count` likeliest next tokens with their natural log-probabilities, likeliest first."""
        shares = self._ngrams.next(self._tokens)
        best = np.argsort(-shares, kind="stable")[:count]
        return list(zip(best.tolist(), np.log(shares[best]).tolist(), strict=True))

    def scores(self, tokens: Sequence[int]) -> list[float]:
        """Return the natural log-probabilities of some next tokens."""
        found: list[float] = np.log(self._ngrams.next(self._tokens)[list(tokens)]).tolist()
        return found

    def feed(self, token: int) -> None:
        """Append a token to the text."""
        self._tokens.append(token)

    def start(self, draft: Sequence[int] = ()) -> None:
        """Do nothing: what is proposed is worked out when it is asked for."""


class NgramModel:
    """N-grams as a proposer of what follows a left context; what is on the right they cannot take."""

    def __init__(self, name: str, ngrams: Ngrams, vocabulary: Vocabulary, window: int) -> None:
        self.name = name
        self.vocabulary = vocabulary
        self.numbers = "counts"
        self.window = window
        self._ngrams = ngrams

    def begin(self, prompt: Sequence[int]) -> NgramGeneration:
        """Return the text that continues a prompt."""
        return NgramGeneration(self._ngrams, prompt)


def _contexts(tokens: Codes, length: int) -> Codes:
    """Return a code for every run of so many tokens."""
    codes = np.full(len(tokens) - length + 1, length, np.uint64)
    for place in range(length):
        codes = (codes + tokens[place : place + len(codes)] + np.uint64(1)) * _FACTOR
        codes ^= codes >> np.uint64(29)
    return codes * _FACTOR


def _mixed(
    below: npt.NDArray[np.float64], tokens: npt.NDArray[np.int64], counts: npt.NDArray[np.int64]
) -> npt.NDArray[np.float64]:
    """Return the probabilities of an order whose context was followed by tokens so often."""
    if not len(tokens):
        return below
    mixed = below * len(tokens)
    mixed[tokens] += counts
    shares: npt.NDArray[np.float64] = mixed / (counts.sum() + len(tokens))
    return shares
