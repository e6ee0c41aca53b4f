"""A model whose probabilities are mixed with n-grams of the texts around the cursor (`ngram_index.py`).

It stands between any model and the decoder, and changes rankings, scores and the probability of an end. Tokens that are
drawn at random with a temperature come from the model alone.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Generic, Self, TypeAlias, TypeVar

from dovetail.decoding.nearby_texts import NearbyTexts
from dovetail.decoding.ngram_evidence import LEVELS, OF_MODEL, gather
from dovetail.decoding.ngram_index import NgramIndex
from dovetail.decoding.prompt_sides import left_tokens
from dovetail.decoding.proposer import BatchProposer, Generation, Row

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

    from dovetail.decoding.acceptance import Calibration
    from dovetail.decoding.cache_weights import CacheWeights
    from dovetail.decoding.formats import PromptForm
    from dovetail.decoding.nearby_texts import Levels
    from dovetail.decoding.ngram_evidence import Evidence
    from dovetail.decoding.proposer import Proposer
    from dovetail.decoding.repository import ProjectContext

G = TypeVar("G", bound=Generation)

Ends: TypeAlias = "AbstractSet[int]"

_CONTEXT = 24
"""Tokens of the left text that a match may begin in; longer matches say no more."""


class CachedProposer:
    """A proposer with a cache of n-grams."""

    def __init__(self, proposer: Proposer, weights: CacheWeights, *, patient: bool = True) -> None:
        """Mix a model with n-grams; the weights were fitted for this model.

        `patient`: texts wait until everything around them is indexed, however long that takes.
        """
        self.name = proposer.name
        self.numbers = proposer.numbers
        self.vocabulary = proposer.vocabulary
        self.window = proposer.window
        self.form: PromptForm | None = getattr(proposer, "form", None)
        self.calibration: Calibration | None = getattr(proposer, "calibration", None)
        self._proposer = proposer
        self._weights = weights
        self.nearby = NearbyTexts(proposer.encode, patient=patient)

    def encode(self, text: str) -> list[int]:
        """Return the tokens of a plain text."""
        return self._proposer.encode(text)

    def begin(self, prompt: Sequence[int], document: str | None = None) -> Generation:
        """Return the text that continues a prompt."""
        return CachedGeneration(self._proposer.begin(prompt, document), *self._cache(prompt, document))

    def begin_batch(self, prompt: Sequence[int], document: str | None = None) -> Row | None:
        """Return the first row of a batch after a prompt; None if the model cannot read several texts in one pass."""
        if not isinstance(self._proposer, BatchProposer):
            return None
        row = self._proposer.begin_batch(prompt, document)
        return None if row is None else CachedRow(row, *self._cache(prompt, document))

    def forget(self, document: str) -> None:
        """Release the memory that is kept for a document."""
        self.nearby.forget(document)
        self._proposer.forget(document)

    def read_nearby(self, document: str | None, left: str, right: str, project: ProjectContext | None) -> None:
        """Take the texts around the next prompt of a document."""
        self.nearby.read(document, left, right, project)

    def _cache(self, prompt: Sequence[int], document: str | None) -> tuple[Levels, CacheWeights, Ends, list[int]]:
        context = left_tokens(prompt, self.vocabulary.specials)[-_CONTEXT:]
        levels = self.nearby.around(document) or {}
        if not levels.get(LEVELS[0]):
            levels = {**levels, LEVELS[0]: (NgramIndex(prompt),)}
        return levels, self._weights, self.vocabulary.ends, list(context)


class CachedGeneration(Generic[G]):
    """One text of a model with a cache."""

    def __init__(self, generation: G, levels: Levels, weights: CacheWeights, ends: Ends, context: list[int]) -> None:
        """Mix a model's text with the n-grams of some levels.

        `ends`: the tokens that end a text. `context`: the last tokens of the text before the cursor.
        """
        self._generation = generation
        self._levels = levels
        self._weights = weights
        self._ends = ends
        self._context = context
        self._given = len(context)
        self._mixture: tuple[float, dict[int, float]] | None = None
        """The change of every token's natural log-probability, and those of the candidates; None before they were
        worked out for this place."""

    def ranked(self, count: int) -> Sequence[tuple[int, float]]:
        """Return the `count` likeliest next tokens with their natural log-probabilities, likeliest first."""
        change, candidates = self._mixed()
        own = self._generation.ranked(count + len(candidates))  # a candidate may have become less likely than others
        if not candidates:
            return own
        found = [(token, score + change) for token, score in own if token not in candidates]
        found += candidates.items()
        found.sort(key=lambda pair: (-pair[1], pair[0]))
        return found[:count]

    def nucleus(self, temperature: float, top_p: float) -> Sequence[tuple[int, float]]:
        """Return the likeliest tokens of the model alone that are likely enough together."""
        return self._generation.nucleus(temperature, top_p)

    def scores(self, tokens: Sequence[int]) -> Sequence[float]:
        """Return the natural log-probabilities of some next tokens."""
        change, candidates = self._mixed()
        own = self._generation.scores(tokens)
        if not candidates:
            return own
        return [candidates.get(token, score + change) for token, score in zip(tokens, own, strict=True)]

    def ending(self) -> float:
        """Return the natural log-probability that the text ends here, the model's own: n-grams never say so."""
        return self._generation.ending()

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

    def evidence(self) -> Evidence | None:
        """Return what the n-grams say of the next token; None where none of them has the last one."""
        generation, context = self._generation, self._context
        likeliest = generation.ranked(OF_MODEL)
        return gather(self._levels, context, len(context) - self._given, likeliest, generation.scores, self._ends)

    def _mixed(self) -> tuple[float, dict[int, float]]:
        if self._mixture is None:
            evidence = self.evidence()
            if evidence is None:
                self._mixture = 0.0, {}
            else:
                change, candidates = self._weights.mix(evidence, math.exp(self._generation.ending()))
                ends = list(self._ends)
                candidates.update(zip(ends, self._generation.scores(ends), strict=True))
                self._mixture = change, candidates
        return self._mixture


class CachedRow(CachedGeneration[Row]):
    """One of several texts of a model with a cache."""

    @property
    def known(self) -> bool:
        """True if the proposals for the next token are known without a forward pass."""
        return self._generation.known

    def fork(self) -> Self:
        """Return another row with the same tokens."""
        made = type(self)(self._generation.fork(), self._levels, self._weights, self._ends, list(self._context))
        made._given = self._given
        return made

    def drop(self) -> None:
        """End the row."""
        self._generation.drop()
