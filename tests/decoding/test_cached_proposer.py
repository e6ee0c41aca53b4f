"""N-grams beside a model: the mixture, the levels, the text before the cursor."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.decoding.scripted_proposer import BatchedScript, ScriptedGeneration, ScriptedProposer, at_random
from tests.decoding.test_cache_weights import believing
from tests.decoding.test_formats import PUBLISHED, FormedProposer

from dovetail.decoding.cached_proposer import CachedProposer
from dovetail.decoding.decoder import Decoder
from dovetail.decoding.formats import forms_for
from dovetail.decoding.limits import Limits
from dovetail.decoding.ngram_evidence import LEVELS
from dovetail.decoding.prompt import Prompts
from dovetail.decoding.prompt_sides import left_tokens
from dovetail.decoding.proposer import BatchProposer
from dovetail.decoding.repository import ProjectContext
from dovetail.decoding.request import Request
from dovetail.decoding.unchecked import UncheckedQuotient

if TYPE_CHECKING:
    from collections.abc import Sequence


class EvenGeneration(ScriptedGeneration):
    """A text after which no token is much likelier than another."""

    def _pairs(self) -> list[tuple[int, float]]:
        scores = [(token, -place / 100) for place, token in enumerate(self._proposer.rank(self.text))]
        total = math.log(math.fsum(math.exp(score) for _, score in scores))
        return [(token, score - total) for token, score in scores]


class EvenProposer(ScriptedProposer):
    """A proposer to which all tokens are about as likely."""

    def begin(self, prompt: Sequence[int], document: str | None = None) -> EvenGeneration:
        """Return an empty text."""
        return EvenGeneration(self)


PROMPT = list(b"<<total = area(width) + area(width)\nother = area(")
LEFT = believing("left")


@pytest.mark.parametrize("model", PUBLISHED)
def test_the_left_text_is_found(model: str) -> None:
    """In every form of every model the tokens before the cursor are found in the prompt, if its form is told apart."""
    specials = PUBLISHED[model][0]
    for form in forms_for({mark: place for place, mark in enumerate(specials)}):
        proposer = FormedProposer(specials, form)
        prompt = Prompts(proposer).build("x = 1\ndef f(", "):\n    pass\n", 16)
        found = left_tokens(prompt.tokens, proposer.vocabulary.specials)
        assert tuple(found)[-len(prompt.left_tokens) :] == prompt.left_tokens


def test_mixture() -> None:
    """The text before the cursor makes what followed there likelier, and all else less likely by one factor."""
    plain = EvenProposer(rank=at_random(3))
    generation, alone = CachedProposer(plain, LEFT).begin(PROMPT), plain.begin(PROMPT)
    count = len(plain.vocabulary.pieces)
    for token in b"width) ":
        scores, own = generation.scores(range(count)), alone.scores(range(count))
        assert generation.ending() == alone.ending()
        change = min(score - before for score, before in zip(scores, own, strict=True))
        changed = {one for one in range(count) if scores[one] != pytest.approx(own[one] + change)}
        assert change < 0
        assert math.fsum(map(math.exp, scores)) == pytest.approx(1)
        assert scores[token] > own[token]
        assert token in changed
        assert len(changed) < 16
        ranked = generation.ranked(count)
        assert [score for _, score in ranked] == sorted(scores, reverse=True)[: len(ranked)]
        assert dict(ranked) == pytest.approx(dict(zip(range(count), scores, strict=True)))
        assert [one for one, _ in generation.ranked(5)] == [one for one, _ in ranked[:5]]
        generation.feed(token)
        alone.feed(token)


def test_without_a_match_the_model_is_alone() -> None:
    """If the last token never stood before, rankings and scores are the model's own."""
    plain = EvenProposer(rank=at_random(3))
    generation, alone = CachedProposer(plain, LEFT).begin(list(b"abc")), plain.begin(list(b"abc"))
    assert generation.ranked(9) == alone.ranked(9)
    assert generation.scores([1, 2]) == alone.scores([1, 2])
    assert generation.ending() == alone.ending()


@given(st.lists(st.integers(97, 122), min_size=1, max_size=8), st.integers(0, 8))
def test_tokens_taken_back(fed: list[int], count: int) -> None:
    """A text from which tokens were taken back is the one without them; a fork knows nothing of what follows."""
    proposer = CachedProposer(BatchedScript(rank=at_random(3)), LEFT)
    count = min(count, len(fed))
    one, other = proposer.begin_batch(PROMPT), proposer.begin(PROMPT)
    assert one is not None
    for token in fed[: len(fed) - count]:
        one.feed(token)
        other.feed(token)
    fork = one.fork()
    for token in fed[len(fed) - count :]:
        one.feed(token)
    assert fork.ranked(9) == other.ranked(9)
    one.rewind(count)
    assert one.ranked(9) == other.ranked(9)


def test_batches_are_those_of_the_model() -> None:
    """A cache has batches exactly if its model has them."""
    assert isinstance(CachedProposer(BatchedScript(), LEFT), BatchProposer)
    assert CachedProposer(ScriptedProposer(), LEFT).begin_batch(PROMPT) is None


@pytest.mark.parametrize("level", LEVELS)
def test_the_levels(level: str) -> None:
    """Each level is the texts that it is named after, and no other."""
    proposer = CachedProposer(EvenProposer(rank=at_random(3)), believing(level))
    project = ProjectContext("a.py", "a", open_texts=("area(height)",), workspace_texts=("area(depth)",))
    proposer.read_nearby("a.py", "area(length)\narea(", "\narea(radius)", project)
    scores = proposer.begin(PROMPT, "a.py").scores(b"lrhd")
    assert scores.index(max(scores)) == LEVELS.index(level)


def test_texts_around_belong_to_one_document() -> None:
    """Other documents and those that are forgotten have the n-grams of their prompts alone."""
    proposer = CachedProposer(EvenProposer(rank=at_random(3)), believing("workspace"))
    alone = proposer.begin(PROMPT).ranked(9)
    project = ProjectContext("a.py", "a", workspace_texts=("area(height)",))
    proposer.read_nearby("a.py", "area(", "", project)
    assert proposer.begin(PROMPT, "a.py").ranked(9) != alone
    assert proposer.begin(PROMPT, "b.py").ranked(9) == alone
    proposer.forget("a.py")
    assert proposer.begin(PROMPT, "a.py").ranked(9) == alone
    proposer.read_nearby("a.py", "area(", "", project)
    proposer.read_nearby("a.py", "area(", "", None)
    assert proposer.begin(PROMPT, "a.py").ranked(9) == alone


def test_a_decoder_tells_its_model_of_the_texts_around() -> None:
    """With a project whose files go on in another way, the same request is answered in that way."""
    proposer = CachedProposer(EvenProposer(rank=at_random(3)), believing("workspace"))

    def answer(*texts: str) -> str | None:
        project = ProjectContext("a.py", "a", workspace_texts=texts)
        left = "f("
        request = Request(left, "", lambda: UncheckedQuotient(left), Limits(5), document="a.py", project=project)
        return Decoder(proposer).candidates(request, 1)[0].text

    assert answer("f(12345)") == "12345"
    assert answer("f(67890)") == "67890"
