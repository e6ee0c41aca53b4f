"""A model whose numbers depend on nothing but the tokens.

A runtime that keeps what it read rounds by what it read together, so the same text may have other numbers when it is
asked for in other parts. Here each text is read afresh, once, and its numbers are kept: two ways of asking must lead
to the same completion.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from dovetail.decoding.proposer import Proposer

_WINDOW = 160
"""Tokens of a prompt and its continuation: few, since they are read for each token."""


class ExactProposer:
    """Proposes what another proposer does."""

    def __init__(self, proposer: Proposer) -> None:
        self.name, self.numbers, self.vocabulary = proposer.name, proposer.numbers, proposer.vocabulary
        self.window = _WINDOW
        self._proposer = proposer
        self._rows: dict[tuple[int, ...], NDArray[np.float32]] = {}

    def encode(self, text: str) -> list[int]:
        """Return the tokens of a text."""
        return self._proposer.encode(text)

    def begin(self, prompt: Sequence[int], document: str | None = None) -> ExactGeneration:
        """Return a text."""
        return ExactGeneration(self, prompt)

    def forget(self, document: str) -> None:
        """Forget nothing."""

    def row(self, tokens: Sequence[int]) -> NDArray[np.float32]:
        """Return the log-probabilities of what follows some tokens, (vocabulary)."""
        key = tuple(tokens)
        if key not in self._rows:
            size = len(self.vocabulary.pieces)
            self._rows[key] = np.array(self._proposer.begin(key).scores(range(size)), np.float32)
        return self._rows[key]


class ExactGeneration:
    """One text."""

    def __init__(self, proposer: ExactProposer, prompt: Sequence[int]) -> None:
        self._proposer = proposer
        self._tokens = list(prompt)

    def ranked(self, count: int) -> list[tuple[int, float]]:
        """Return the likeliest next tokens."""
        row = self._proposer.row(self._tokens)
        order = np.argsort(-row, kind="stable")[:count]
        return [(token, score) for token, score in zip(order.tolist(), row[order].tolist(), strict=True)
                if score > -math.inf]  # fmt: skip

    def nucleus(self, temperature: float, top_p: float) -> list[tuple[int, float]]:
        """Return the fewest likeliest next tokens that are likely enough together."""
        heated = [(token, score / temperature) for token, score in self.ranked(1 << 20)]
        total = math.log(math.fsum(math.exp(score) for _, score in heated))
        kept, mass = [], 0.0
        for token, score in heated:
            kept.append((token, score - total))
            mass += math.exp(score - total)
            if mass >= top_p:
                break
        return kept

    def scores(self, tokens: Sequence[int]) -> list[float]:
        """Return the log-probabilities of some tokens."""
        found: list[float] = self._proposer.row(self._tokens)[np.asarray(tokens, np.intp)].tolist()
        return found

    def ending(self) -> float:
        """Return the log-probability of an end."""
        return math.log(math.fsum(map(math.exp, self.scores(sorted(self._proposer.vocabulary.ends)))))

    def feed(self, token: int) -> None:
        """Append a token."""
        self._tokens.append(token)

    def rewind(self, count: int) -> None:
        """Take tokens back."""
        del self._tokens[len(self._tokens) - count :]

    def start(self, draft: Sequence[int] = ()) -> None:
        """Read nothing ahead."""
