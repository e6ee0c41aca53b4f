"""The evidence of n-grams for the next token: what each level of texts says of each candidate.

For each level the probability of a candidate is worked out as in prediction by partial matching (Cleary and Witten,
1984) with absolute discounting: what followed the longest match goes before what followed shorter ones, and the model
stands below the shortest. That probability, the lengths and the numbers of places are the facts on which the weights
decide (`cache_weights.py`).
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dovetail.decoding.ngram_index import BEST, LONGEST, ORDERS, Followers, NgramIndex, Rows, bounds, count_match

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from numpy.typing import NDArray

LEVELS = ("left", "right", "open", "workspace")
"""The levels: the text before the cursor, the text after it, open documents, and other files."""

GENERAL, OF_LEVEL = 3, 6
"""The facts of a candidate beside those of the levels, and those of each level."""

COUNT = GENERAL + OF_LEVEL * len(LEVELS)
"""The facts of a candidate."""

OF_MODEL = 8
"""The likeliest tokens of the model that are candidates."""

_OF_LEVEL = BEST
"""The candidates that a level proposes at most, those after the longest matches first."""

_DISCOUNT = 0.5
"""Taken from each count, for what a shorter match or the model says."""

_OF_CHANGE, _OF_CLASSES, _OF_PLACES = 5.0, 5.0, 3.0
"""Natural logarithms of probabilities, numbers of classes and logarithms of numbers are divided by these, so that all
facts are about as large."""

_LEAST = -70.0
"""The least natural logarithm of a probability of which more than its size is known."""


class Evidence(NamedTuple):
    """The candidates for the next token and the facts about them."""

    tokens: list[int]
    own: NDArray[np.float64]
    """Their natural log-probabilities by the model, (candidates)."""
    facts: NDArray[np.float64]
    """(candidates, `COUNT`)."""


def gather(
    levels: Mapping[str, Sequence[NgramIndex]],
    context: Sequence[int],
    fed: int,
    likeliest: Sequence[tuple[int, float]],
    scores: Callable[[Sequence[int]], Sequence[float]],
    ends: AbstractSet[int],
) -> Evidence | None:
    """Return the evidence for what follows a text; None where no level knows its last token.

    `context`: the last tokens of the text. `fed`: how many of them the levels do not hold, because they were written
    just now. `likeliest`: the model's likeliest tokens, the best first, with their natural log-probabilities, which
    `scores` returns for any tokens. `ends`: the tokens that end a text; no level holds them.
    """
    if not context or context[-1] < 0:
        return None
    wanted = bounds(context)
    found: list[_Level] = []
    proposed: dict[int, None] = {}
    for number, name in enumerate(LEVELS):
        rows: Rows = {}
        after = [index.look_up(context, wanted, rows) for index in levels.get(name, ())]
        places = sum(each.places for each in after)
        if not number and fed:
            _look_back(context, fed, rows)
        best = sorted(rows, key=lambda token: rows[token][::-1], reverse=True)[:_OF_LEVEL]
        if len(best) < _OF_LEVEL:
            others: Counter[int] = Counter()
            for each in after:
                others.update({token: each.counts[token] for token in each.best if token not in rows})
            best += heapq.nsmallest(_OF_LEVEL - len(best), others, key=lambda token: (-others[token], token))
        proposed.update(dict.fromkeys(best))
        found.append(_level(rows, after, places))
    if not proposed:
        return None
    own = {token: score for token, score in likeliest if token not in ends}
    new = [token for token in proposed if token not in own and token not in ends]
    own.update(zip(new, scores(new), strict=True))
    first, chance = likeliest[0][0], math.exp(likeliest[0][1])
    facts = [
        [
            score / _OF_CHANGE,
            float(token == first),
            chance,
            *chain.from_iterable(one.facts(token, score) for one in found),
        ]
        for token, score in own.items()
    ]
    return Evidence(list(own), np.array(list(own.values())), np.array(facts))


class _Level(NamedTuple):
    """The evidence of one level."""

    rows: Rows
    """Token → how often it followed a match of each class of lengths, or of a longer one."""
    after: Sequence[Followers]
    """The followers of the last token alone, text by text."""
    classes: list[tuple[int, int, int]]
    """The classes with a match, the shortest first: their number, their places, and the different tokens after them."""
    unseen: list[float]
    """The facts about a token that followed no match."""

    def facts(self, token: int, own: float) -> list[float]:
        """Return the facts about a candidate, of which the model has said a natural log-probability."""
        row, alone = self.rows.get(token), 0
        for each in self.after:
            alone += each.counts.get(token, 0)
        if row is None and not alone:
            return self.unseen
        share = chance = math.exp(max(own, _LEAST))
        mine = count = 0
        for number, places, distinct in self.classes:
            count = alone if not number else 0 if row is None else row[number]
            share *= _DISCOUNT * distinct
            if count:
                share += count - _DISCOUNT
                mine += 1
            share /= places
        [_, longest, _, _, total, single] = self.unseen
        change = math.log(share / chance) / _OF_CHANGE
        return [change, longest, mine / _OF_CLASSES, count / self.classes[-1][1], total, single]


_SILENT = [0.0] * OF_LEVEL


def _level(rows: Rows, after: Sequence[Followers], places: int) -> _Level:
    """Return a level; the counts of the rows become those of a class and all longer ones."""
    counts, distinct = [0] * len(ORDERS), [0] * len(ORDERS)
    counts[0], distinct[0] = places, sum(len(each.counts) for each in after)
    for row in rows.values():
        count = 0
        for number in range(len(ORDERS) - 1, 0, -1):
            count += row[number]
            if count:
                row[number] = count
                counts[number] += count
                distinct[number] += 1
    classes = [(number, *both) for number, both in enumerate(zip(counts, distinct, strict=True)) if both[0]]
    if not classes:
        return _Level(rows, after, classes, _SILENT)
    left = math.fsum(math.log(_DISCOUNT * different / total) for _, total, different in classes)
    _, total, different = classes[-1]
    longest, size = len(classes) / _OF_CLASSES, math.log1p(total) / _OF_PLACES
    return _Level(rows, after, classes, [left / _OF_CHANGE, longest, 0.0, 0.0, size, float(different == 1)])


def _look_back(context: Sequence[int], fed: int, rows: Rows) -> None:
    """Count the places of the last two tokens among those that were written just now."""
    before, last = context[-2:] if len(context) > 1 else (-1, context[-1])
    most = min(LONGEST, len(context))
    for place in range(max(2, len(context) - fed), len(context)):
        if context[place - 1] == last and context[place - 2] == before:
            count_match(context, place, context, most, rows)
