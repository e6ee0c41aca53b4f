"""A model whose probabilities are mixed with those of n-grams of what it was shown (`ngram_cache.py`).

It stands between any model and the decoder, and changes rankings, scores and the probability of an end. Tokens that are
drawn at random with a temperature come from the model alone.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Generic, Self, TypeVar

from dovetail.decoding.ngram_cache import NgramCache, left_tokens
from dovetail.decoding.proposer import BatchProposer, Generation, Row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.decoding.acceptance import Calibration
    from dovetail.decoding.formats import PromptForm
    from dovetail.decoding.ngram_cache import CacheWeights
    from dovetail.decoding.proposer import Proposer

G = TypeVar("G", bound=Generation)

_CONTEXT = 24
"""Tokens of the left text that a match may begin in; longer matches say no more."""


class CachedProposer:
    """A proposer with a cache of n-grams."""

    def __init__(self, proposer: Proposer, weights: CacheWeights) -> None:
        """Mix a model with n-grams; the weights were fitted for this model."""
        self.name = proposer.name
        self.numbers = proposer.numbers
        self.vocabulary = proposer.vocabulary
        self.window = proposer.window
        self.form: PromptForm | None = getattr(proposer, "form", None)
        self.calibration: Calibration | None = getattr(proposer, "calibration", None)
        self._proposer = proposer
        self._weights = weights

    def encode(self, text: str) -> list[int]:
        """Return the tokens of a plain text."""
        return self._proposer.encode(text)

    def begin(self, prompt: Sequence[int], document: str | None = None) -> Generation:
        """Return the text that continues a prompt."""
        return CachedGeneration(self._proposer.begin(prompt, document), *self._cache(prompt))

    def begin_batch(self, prompt: Sequence[int], document: str | None = None) -> Row | None:
        """Return the first row of a batch after a prompt; None if the model cannot read several texts in one pass."""
        if not isinstance(self._proposer, BatchProposer):
            return None
        row = self._proposer.begin_batch(prompt, document)
        return None if row is None else CachedRow(row, *self._cache(prompt))

    def forget(self, document: str) -> None:
        """Release the memory that is kept for a document."""
        self._proposer.forget(document)

    def _cache(self, prompt: Sequence[int]) -> tuple[NgramCache, CacheWeights, list[int]]:
        context = left_tokens(prompt, self.vocabulary.specials)[-_CONTEXT:]
        return NgramCache(prompt), self._weights, list(context)


class CachedGeneration(Generic[G]):
    """One text of a model with a cache."""

    def __init__(self, generation: G, cache: NgramCache, weights: CacheWeights, context: list[int]) -> None:
        """Mix a model's text with a cache; `context` are the last tokens of the left text."""
        self._generation = generation
        self._cache = cache
        self._weights = weights
        self._context = context
        self._mixture: tuple[float, dict[int, float]] | None = None
        """The share of the match and those of its tokens; None before it was worked out for this place."""

    def ranked(self, count: int) -> Sequence[tuple[int, float]]:
        """Return the `count` likeliest next tokens with their natural log-probabilities, likeliest first."""
        share, tokens = self._mixed()
        own = self._generation.ranked(count)
        if not share:
            return own
        left = math.log1p(-share)
        found = [(token, score + left) for token, score in own if token not in tokens]
        wanted = list(tokens)
        found += zip(wanted, self.scores(wanted), strict=True)
        found.sort(key=lambda pair: (-pair[1], pair[0]))
        return found[:count]

    def nucleus(self, temperature: float, top_p: float) -> Sequence[tuple[int, float]]:
        """Return the likeliest tokens of the model alone that are likely enough together."""
        return self._generation.nucleus(temperature, top_p)

    def scores(self, tokens: Sequence[int]) -> Sequence[float]:
        """Return the natural log-probabilities of some next tokens."""
        share, matched = self._mixed()
        own = self._generation.scores(tokens)
        if not share:
            return own
        left = math.log1p(-share)
        return [
            math.log((1 - share) * math.exp(score) + share * matched[token]) if token in matched else score + left
            for token, score in zip(tokens, own, strict=True)
        ]

    def ending(self) -> float:
        """Return the natural log-probability that the text ends here; a match never says so."""
        return self._generation.ending() + math.log1p(-self._mixed()[0])

    def feed(self, token: int) -> None:
        """Append a token to the text."""
        self._generation.feed(token)
        self._context.append(token)
        self._mixture = None

    def rewind(self, count: int) -> None:
        """Remove the last `count` tokens that were fed."""
        self._generation.rewind(count)
        if count:
            del self._context[-count:]
            self._mixture = None

    def start(self, draft: Sequence[int] = ()) -> None:
        """Begin to read the tokens that were fed, and a draft."""
        self._generation.start(draft)

    def _mixed(self) -> tuple[float, dict[int, float]]:
        """Return the share of the match at this place, 0 without one, and those of its tokens."""
        if self._mixture is None:
            followers = self._cache.followers(self._context)
            if followers is None:
                self._mixture = 0.0, {}
            else:
                [(_, best)] = self._generation.ranked(1)
                self._mixture = self._weights.weight(followers, best), dict(followers.shares)
        return self._mixture


class CachedRow(CachedGeneration[Row]):
    """One of several texts of a model with a cache."""

    @property
    def known(self) -> bool:
        """True if the proposals for the next token are known without a forward pass."""
        return self._generation.known

    def fork(self) -> Self:
        """Return another row with the same tokens."""
        return type(self)(self._generation.fork(), self._cache, self._weights, list(self._context))

    def drop(self) -> None:
        """End the row."""
        self._generation.drop()
