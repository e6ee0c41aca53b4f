"""N-grams of a prompt beside a model: the longest match, the text before the cursor, and the mixture."""

from __future__ import annotations

import json
import math
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.decoding.scripted_proposer import BatchedScript, ScriptedProposer, at_random
from tests.decoding.test_formats import PUBLISHED, FormedProposer

from dovetail.decoding.cached_proposer import CachedProposer
from dovetail.decoding.formats import forms_for
from dovetail.decoding.ngram_cache import CacheWeights, NgramCache, left_tokens, read_weights
from dovetail.decoding.prompt import Prompts
from dovetail.decoding.proposer import BatchProposer

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

TOKENS = st.lists(st.integers(0, 4), max_size=60)
HALF = CacheWeights([[[0.5] * 4 for _ in range(3)] for _ in range(7)])
PROMPT = list(b"<<total = area(width) + area(width)\nother = area(")


def matches(text: Sequence[int], context: Sequence[int]) -> dict[int, list[int]]:
    """Return for each length of a match up to 16 the tokens that followed it."""
    found: dict[int, list[int]] = {}
    for place in range(1, len(text)):
        length = 0
        while length < min(16, place, len(context)) and text[place - 1 - length] == context[-1 - length]:
            length += 1
        if length:
            found.setdefault(length, []).append(text[place])
    return found


@given(TOKENS, st.lists(st.integers(0, 5), max_size=20))
def test_the_longest_match(text: list[int], context: list[int]) -> None:
    """The tokens are those that followed the longest match, the four that did so most often, with their shares."""
    found = NgramCache(text).followers(context)
    expected = matches(text, context)
    if not expected:
        assert found is None
        return
    assert found is not None
    counts = Counter(expected[max(expected)])
    total = counts.total()
    assert (found.length, found.places) == (max(expected), total)
    assert sorted(found.shares.values(), reverse=True) == pytest.approx(
        [count / total for _, count in counts.most_common(4)]
    )
    assert all(share == counts[token] / total for token, share in found.shares.items())


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
    """Probabilities are the weighted means of both, they sum to 1, and the ranking is theirs."""
    plain = ScriptedProposer(rank=at_random(3))
    proposer = CachedProposer(plain, HALF)
    generation, alone = proposer.begin(PROMPT), plain.begin(PROMPT)
    count = len(plain.vocabulary.pieces)
    total = sum(math.exp(score) for _, score in alone.ranked(count))
    for token in b"width) ":
        scores = generation.scores(range(count))
        expected = [
            0.5 * math.exp(score) + 0.5 * (one == token) for one, score in enumerate(alone.scores(range(count)))
        ]
        assert [math.exp(score) for score in scores] == pytest.approx(expected)
        assert sum(map(math.exp, scores)) == pytest.approx(0.5 * total + 0.5)
        ranked = generation.ranked(count)
        assert [score for _, score in ranked] == sorted(scores, reverse=True)[: len(ranked)]
        assert dict(ranked) == pytest.approx(dict(zip(range(count), scores, strict=True)))
        assert [one for one, _ in generation.ranked(5)] == [one for one, _ in ranked[:5]]
        assert generation.ending() == pytest.approx(alone.ending() + math.log(0.5))
        generation.feed(token)
        alone.feed(token)


def test_without_a_match_the_model_is_alone() -> None:
    """If the last token never stood before, rankings and scores are the model's own."""
    plain = ScriptedProposer(rank=at_random(3))
    generation, alone = CachedProposer(plain, HALF).begin(list(b"abc")), plain.begin(list(b"abc"))
    assert generation.ranked(9) == alone.ranked(9)
    assert generation.scores([1, 2]) == alone.scores([1, 2])
    assert generation.ending() == alone.ending()


@given(st.lists(st.integers(97, 122), min_size=1, max_size=8), st.integers(0, 8))
def test_tokens_taken_back(fed: list[int], count: int) -> None:
    """A text from which tokens were taken back is the one without them; a fork knows nothing of what follows."""
    proposer = CachedProposer(BatchedScript(rank=at_random(3)), HALF)
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
    assert isinstance(CachedProposer(BatchedScript(), HALF), BatchProposer)
    assert CachedProposer(ScriptedProposer(), HALF).begin_batch(PROMPT) is None


def test_weights_by_class() -> None:
    """The weight is that of the class of the match and of the model's sureness."""
    shares = [
        [[(length * 12 + sure * 4 + model) / 100 for model in range(4)] for sure in range(3)] for length in range(7)
    ]
    weights = CacheWeights(shares)
    followers = NgramCache([1, 2, 3, 9, 1, 2, 3]).followers([1, 2, 3])
    assert followers is not None
    assert followers.kind == (2, 1)
    assert weights.weight(followers, math.log(0.6)) == shares[2][1][2]


@pytest.mark.parametrize("written", ["{}", "[[[0.5]]]", "[]", "1", json.dumps([[[1.0] * 4] * 3] * 7)])
def test_other_files_are_no_weights(tmp_path: Path, written: str) -> None:
    """A file of another form is refused."""
    (tmp_path / "cache.json").write_text(written)
    with pytest.raises((ValueError, TypeError)):
        read_weights(tmp_path / "cache.json")
