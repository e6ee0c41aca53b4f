"""The index of a text's n-grams against a search of the whole text."""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from dovetail.decoding.ngram_index import BOUNDARY, ORDERS, NgramIndex, Rows, bounds

TOKENS = st.lists(st.integers(0, 3) | st.just(BOUNDARY), max_size=60)
CONTEXT = st.lists(st.integers(0, 4), min_size=1, max_size=20)


def searched(text: list[int], context: list[int]) -> Rows:
    """Return what followed the last tokens of a context, two of them at least, by the class of each match."""
    found: Rows = {}
    places: dict[int, tuple[int, int]] = {}
    for place in range(1, len(text)):
        length = 0
        while length < min(16, place, len(context)) and text[place - 1 - length] == context[-1 - length]:
            length += 1
        if length >= 2 and text[place] != BOUNDARY:
            places[place] = text[place], bisect_right(ORDERS, length) - 1
    for token, of_class in list(places.values())[-64:]:
        found.setdefault(token, [0] * len(ORDERS))[of_class] += 1
    return found


@given(TOKENS, CONTEXT)
def test_matches(text: list[int], context: list[int]) -> None:
    """Followers of the last two tokens or more are counted in the class of the longest match of each place."""
    rows: Rows = {}
    index = NgramIndex(text)
    after = index.look_up(context, bounds(context), rows)
    assert rows == searched(text, context)
    pairs = itertools.pairwise(text)
    expected = Counter(two for one, two in pairs if one == context[-1] and two != BOUNDARY)
    assert (after.counts, after.places) == (expected, expected.total())
    assert [expected[token] for token in after.best] == sorted(expected.values(), reverse=True)[:6]


def test_the_last_places_count() -> None:
    """Of many places the last 64 are compared; of the last token alone all places count, each time."""
    index = NgramIndex([1, 2, 3] * 80 + [1, 2, 4])
    for _ in range(2):
        rows: Rows = {}
        assert index.look_up([1, 2], bounds([1, 2]), rows).counts == {3: 80, 4: 1}
        assert {token: sum(row) for token, row in rows.items()} == {3: 63, 4: 1}
