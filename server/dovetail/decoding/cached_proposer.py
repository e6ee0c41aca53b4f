"""A model whose probabilities are mixed with those of n-grams around the cursor (`ngram_cache.py`, `cache_weights.py`).

It stands between any model and the decoder, and changes rankings, scores and the probability of an end. Tokens that are
drawn at random with a temperature come from the model alone.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from typing import TYPE_CHECKING, Generic, NamedTuple, Self, TypeVar

from dovetail.decoding.cache_weights import LEVELS
from dovetail.decoding.left_text import LeftText
from dovetail.decoding.member_names import MemberNames
from dovetail.decoding.ngram_cache import BOUNDARY, NgramCache, left_tokens
from dovetail.decoding.proposer import BatchProposer, Generation, Row
from dovetail.vocabulary.prefix_index import PrefixIndex

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from dovetail.decoding.acceptance import Calibration
    from dovetail.decoding.cache_weights import CacheWeights
    from dovetail.decoding.dealt import Dealt
    from dovetail.decoding.formats import PromptForm
    from dovetail.decoding.proposer import Proposer
    from dovetail.decoding.repository import Members, ProjectContext

G = TypeVar("G", bound=Generation)

_CONTEXT = 24
"""Tokens of the left text that a match may begin in; longer matches say no more."""

_TEXTS = 4096
"""Parts and lines of other files whose tokens are kept."""

_NO_TOKEN = -1
"""Stands for the end of a text."""

_DOCUMENTS = 32
"""Documents of which the n-grams around them are kept."""


class _Around(NamedTuple):
    """The n-grams of the parts of other files around a document."""

    texts: tuple[tuple[str, ...], ...]
    """The parts, level by level but the first, which is the prompt's."""
    caches: tuple[NgramCache, ...]
    known: tuple[Members, ...]
    members: MemberNames


class Beside(NamedTuple):
    """The helpers beside a model at a cursor."""

    caches: Mapping[str, NgramCache]
    """The n-grams by their levels."""
    weights: CacheWeights
    context: Sequence[int]
    """The last tokens of the left text."""
    members: MemberNames
    left: LeftText


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
        self._around: OrderedDict[str | None, _Around] = OrderedDict()
        self._encoded: OrderedDict[str, list[int]] = OrderedDict()
        self._no_members = MemberNames(self.vocabulary.pieces, PrefixIndex(self.vocabulary.pieces))

    def encode(self, text: str) -> list[int]:
        """Return the tokens of a plain text."""
        return self._proposer.encode(text)

    def encode_part(self, text: str) -> list[int]:
        """Return the tokens of a part of another file; they are kept, since the same parts come with every key."""
        found = self._encoded.pop(text, None)
        if found is None:
            found = self.encode(text)
        self._encoded[text] = found
        if len(self._encoded) > _TEXTS:
            self._encoded.popitem(last=False)
        return found

    def begin(self, prompt: Sequence[int], document: str | None = None) -> Generation:
        """Return the text that continues a prompt."""
        return CachedGeneration(self._proposer.begin(prompt, document), self._beside(prompt, document))

    def begin_batch(self, prompt: Sequence[int], document: str | None = None) -> Row | None:
        """Return the first row of a batch after a prompt; None if the model cannot read several texts in one pass."""
        if not isinstance(self._proposer, BatchProposer):
            return None
        row = self._proposer.begin_batch(prompt, document)
        return None if row is None else CachedRow(row, self._beside(prompt, document))

    def forget(self, document: str) -> None:
        """Release the memory that is kept for a document."""
        self._around.pop(document, None)
        self._proposer.forget(document)

    def read_nearby(self, document: str | None, project: ProjectContext | None) -> None:
        """Index the parts of other files around the next prompt of a document; the same ones are not indexed again."""
        known = self._around.pop(document, None)
        texts = texts_of(project)
        if known is None:
            known = _Around((), (), (), self._no_members)
        if known.texts != texts:
            before = dict(zip(known.texts, known.caches, strict=True))
            caches = tuple(before.get(each) or index(self.encode_part, each) for each in texts)
            known = known._replace(texts=texts, caches=caches)
        members = () if project is None else project.members
        if known.known != members:
            known = known._replace(known=members, members=self._no_members.taking(members))
        self._around[document] = known
        if len(self._around) > _DOCUMENTS:
            self._around.popitem(last=False)

    def _beside(self, prompt: Sequence[int], document: str | None) -> Beside:
        left = left_tokens(prompt, self.vocabulary.specials)
        around = self._around.get(document)
        caches = (NgramCache(prompt), *(() if around is None else around.caches))
        members = self._no_members if around is None else around.members
        text = LeftText(self.vocabulary.pieces, left)
        return Beside(dict(zip(LEVELS, caches, strict=False)), self._weights, left[-_CONTEXT:], members, text)


def texts_of(project: ProjectContext | None) -> tuple[tuple[str, ...], ...]:
    """Return the texts of each level of n-grams but the first, which is the prompt's."""
    if project is None:
        return ()
    return tuple(f"{line}\n" for line in project.uses), project.open_texts, project.workspace_texts


def index(encode: Callable[[str], list[int]], texts: Sequence[str]) -> NgramCache:
    """Return the n-grams of some parts of files, the most useful first: they come last, where the places count."""
    tokens: list[int] = []
    for text in reversed(texts):
        tokens += (BOUNDARY, *encode(text))
    return NgramCache(tokens)


class CachedGeneration(Generic[G]):
    """One text of a model with a cache."""

    def __init__(self, generation: G, beside: Beside, fed: Sequence[int] = ()) -> None:
        """Mix a model's text with what stands beside it; `fed` are the tokens of the text so far."""
        self._generation = generation
        self._beside = beside
        self._context = [*beside.context, *fed]
        self._dealt: tuple[Dealt | None] | None = None
        """The changes by known members at this place, if any; None before they were worked out."""
        self._mixture: tuple[float, dict[int, float]] | None = None
        """The share of the model and those of the matches' tokens; None before it was worked out for this place."""

    def ranked(self, count: int) -> Sequence[tuple[int, float]]:
        """Return the `count` likeliest next tokens with their natural log-probabilities, likeliest first."""
        dealt = self._at_dot()
        if dealt is None:
            return self._ranked(count)
        ranking = self._ranked(count + (0 if dealt.paying is None else len(dealt.paying)))
        found = [(token, dealt.score(token, score)) for token, score in ranking if token not in dealt.risen]
        found += dealt.risen.items()
        found.sort(key=lambda pair: (-pair[1], pair[0]))
        return found[:count]

    def _ranked(self, count: int) -> Sequence[tuple[int, float]]:
        share, tokens = self._mixed()
        own = self._generation.ranked(count)
        if not tokens:
            return own
        left = math.log(share)
        found = [(token, score + left) for token, score in own if token not in tokens]
        wanted = list(tokens)
        found += zip(wanted, self._scores(wanted), strict=True)
        found.sort(key=lambda pair: (-pair[1], pair[0]))
        return found[:count]

    def nucleus(self, temperature: float, top_p: float) -> Sequence[tuple[int, float]]:
        """Return the likeliest tokens of the model alone that are likely enough together."""
        return self._generation.nucleus(temperature, top_p)

    def scores(self, tokens: Sequence[int]) -> Sequence[float]:
        """Return the natural log-probabilities of some next tokens."""
        dealt = self._at_dot()
        own = self._scores(tokens)
        if dealt is None:
            return own
        return [dealt.score(token, score) for token, score in zip(tokens, own, strict=True)]

    def _scores(self, tokens: Sequence[int]) -> Sequence[float]:
        share, matched = self._mixed()
        own = self._generation.scores(tokens)
        if not matched:
            return own
        left = math.log(share)
        return [
            math.log(share * math.exp(score) + matched[token]) if token in matched else score + left
            for token, score in zip(tokens, own, strict=True)
        ]

    def ending(self) -> float:
        """Return the natural log-probability that the text ends here; a match never says so."""
        dealt = self._at_dot()
        own = self._generation.ending() + math.log(self._mixed()[0])
        return own if dealt is None else dealt.score(_NO_TOKEN, own)

    def feed(self, token: int) -> None:
        """Append a token to the text."""
        self._generation.feed(token)
        self._context.append(token)
        self._mixture = self._dealt = None

    def rewind(self, count: int) -> None:
        """Remove the last `count` tokens that were fed."""
        self._generation.rewind(count)
        if count:
            del self._context[-count:]
            self._mixture = self._dealt = None

    def start(self, draft: Sequence[int] = ()) -> None:
        """Begin to read the tokens that were fed, and a draft."""
        self._generation.start(draft)

    def _at_dot(self) -> Dealt | None:
        """Return what is dealt out anew among the members that may follow; None where none are known."""
        if self._dealt is None:
            self._dealt = (
                self._beside.members.deal(self._context[-_CONTEXT:], self._beside.left, self._scores, self._ranked),
            )
        return self._dealt[0]

    def _mixed(self) -> tuple[float, dict[int, float]]:
        """Return the share of the model at this place, 1 without a match, and those of the matches' tokens."""
        if self._mixture is None:
            matches = {
                level: followers
                for level, cache in self._beside.caches.items()
                if (followers := cache.followers(self._context)) is not None
            }
            if matches:
                [(token, best)] = self._generation.ranked(1)
                self._mixture = self._beside.weights.mix(matches, token, best)
            else:
                self._mixture = 1.0, {}
        return self._mixture


class CachedRow(CachedGeneration[Row]):
    """One of several texts of a model with a cache."""

    @property
    def known(self) -> bool:
        """True if the proposals for the next token are known without a forward pass."""
        return self._generation.known

    def fork(self) -> Self:
        """Return another row with the same tokens."""
        return type(self)(self._generation.fork(), self._beside, self._context[len(self._beside.context) :])

    def drop(self) -> None:
        """End the row."""
        self._generation.drop()
