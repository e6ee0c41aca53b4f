"""The facts about candidates against prediction by partial matching, worked out from the whole texts."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dovetail.decoding.ngram_evidence import COUNT, GENERAL, LEVELS, OF_LEVEL, gather
from dovetail.decoding.ngram_index import ORDERS, NgramIndex

if TYPE_CHECKING:
    from collections.abc import Sequence

ALPHABET = 5
TEXTS = st.lists(st.integers(0, ALPHABET - 2), max_size=30)
OWN = [math.log(share) for share in (0.4, 0.3, 0.2, 0.05, 0.05)]
"""The model's natural log-probabilities of all tokens; the last one ends a text."""

LIKELIEST = sorted(enumerate(OWN), key=lambda pair: -pair[1])[:2]


def scores(tokens: Sequence[int]) -> list[float]:
    """Return the model's scores."""
    return [OWN[token] for token in tokens]


def share_of(text: list[int], context: list[int], token: int) -> float:
    """Return a token's probability: what followed longer matches first, and the model last."""
    share = math.exp(OWN[token])
    for order in ORDERS:
        after = [
            text[place]
            for place in range(order, len(text))
            if len(context) >= order and text[place - order : place] == context[len(context) - order :]
        ]
        if not after:
            break
        count, distinct = after.count(token), len(set(after))
        share = (max(count - 0.5, 0) + 0.5 * distinct * share) / len(after)
    return share


@given(st.lists(TEXTS, min_size=4, max_size=4), st.lists(st.integers(0, ALPHABET - 2), min_size=1, max_size=8))
def test_each_level_says_how_likely_a_candidate_is(texts: list[list[int]], context: list[int]) -> None:
    """The first fact of a level is the change of the logarithm from the model to the level, divided by five."""
    levels = {level: (NgramIndex(text),) for level, text in zip(LEVELS, texts, strict=True)}
    found = gather(levels, context, 0, LIKELIEST, scores, {ALPHABET - 1})
    followed = {after for text in texts for place, after in enumerate(text) if place and text[place - 1] == context[-1]}
    if found is None:
        assert not followed
        return
    assert set(found.tokens) <= followed | {token for token, _ in LIKELIEST}
    assert found.own.tolist() == pytest.approx([OWN[token] for token in found.tokens])
    assert found.facts.shape == (len(found.tokens), COUNT)
    for row, token in zip(found.facts, found.tokens, strict=True):
        assert row[:GENERAL].tolist() == pytest.approx([OWN[token] / 5, float(token == 0), 0.4])
        for number, text in enumerate(texts):
            share = math.exp(OWN[token] + 5 * row[GENERAL + OF_LEVEL * number])
            assert share == pytest.approx(share_of(text, context, token))


def test_tokens_written_just_now_are_looked_at() -> None:
    """Followers of the last tokens within the new text are candidates, and the end of a text is none."""
    found = gather({}, [0, 1, 3, 0, 1], 5, LIKELIEST, scores, {0})
    assert found is not None
    assert sorted(found.tokens) == [1, 3]
    assert gather({}, [0, 1, 3, 0, 1], 0, LIKELIEST, scores, {0}) is None


def test_levels_may_have_several_indexes() -> None:
    """A text in two pieces says what it says as a whole, but for the matches that cross."""
    text, context = [0, 1, 2, 0, 1, 3, 0, 1, 2, 2, 0, 1], [2, 0, 1]
    whole = gather({"left": (NgramIndex(text),)}, context, 0, LIKELIEST, scores, frozenset())
    parts = gather({"left": (NgramIndex(text[:3]), NgramIndex(text[3:]))}, context, 0, LIKELIEST, scores, frozenset())
    assert whole is not None
    assert parts is not None
    assert sorted(whole.tokens) == sorted(parts.tokens)
