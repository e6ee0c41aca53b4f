"""The search for the parts of other files that are most like what stands before the cursor.

BM25 (Robertson and Zaragoza, *The Probabilistic Relevance Framework*, 2009) over windows of two blocks. All windows are
about as long, and a word counts once in each, so what is left of it is the sum of the inverse frequencies of the words
that a window shares with the query. The embedded model was trained with parts that were found in the same way.
"""

from __future__ import annotations

import heapq
import math
from typing import TYPE_CHECKING, NamedTuple

from dovetail.project.blocks import words_of
from dovetail.project.secrets import holds_secret

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from dovetail.project.blocks import TextBlock

QUERY_LINES = 10
"""Lines before the cursor that a window should be like."""

_ALIKE = 0.5
"""A window that shares this part of its words with the text around the cursor says nothing new."""

LONGEST = 1_600
"""Characters of a window; longer ones are tables, or were written by a program."""

_MOST_BLOCKS = 6_000
"""Blocks that are searched for one request, those of the first files first."""

_COMMON, _COMMON_SHARE = 4, 0.1
"""A word that more blocks have, by number and by share, tells nothing of where to look, and takes the most time."""

_LOOKED_AT = 2
"""Windows that are looked at for each one that is wanted: some overlap."""

_TRIED = 8
"""Windows of a file that are looked at, where the best ones are not shown."""


class Source:
    """A file that is searched."""

    __slots__ = ("blocks", "defined", "members", "path", "places")

    def __init__(self, path: str, blocks: Sequence[TextBlock]) -> None:
        """Index a file; `path` is its path as it is shown to a model."""
        self.path = path
        self.blocks = blocks
        self.places: dict[str, list[int]] = {}
        """Word → the numbers of the blocks that have it, in their order."""
        self.defined: dict[str, str] = {}
        """Name → its definition, empty without one, as far as it was looked for (`definitions.py`)."""
        self.members: dict[str, Mapping[str, str]] = {}
        """Name of a class, or nothing for the file → its members, as far as they were looked for (`members.py`)."""
        for number, block in enumerate(blocks):
            for word in block.words:
                self.places.setdefault(word, []).append(number)

    def holds(self, text: str) -> bool:
        """Return whether a text stands in the file."""
        return text in "".join(block.text for block in self.blocks)


class Found(NamedTuple):
    """A window that was found."""

    path: str
    text: str
    score: float


class Query(NamedTuple):
    """The words around a cursor."""

    wanted: AbstractSet[str]
    """The words before the cursor, which a window should have."""
    near: AbstractSet[str]
    """Those, and the words after it: what the model sees anyway."""


def query_at(left: str, right: str) -> Query:
    """Return the query for a cursor between two texts."""
    start = len(left)
    for _ in range(QUERY_LINES):
        start = left.rfind("\n", 0, start)
        if start < 0:
            break
    wanted = words_of(left[start + 1 :])
    lines = right.split("\n", QUERY_LINES)[:QUERY_LINES]
    return Query(wanted, wanted | words_of("\n".join(lines)))


def search(query: Query, sources: Sequence[Source], count: int) -> list[Found]:
    """Return the best window of each of at most `count` files, the best first."""
    searched, worth = _searched(query, sources)
    best = [found for source in searched if (found := _best_of(source, worth, query.near)) is not None]
    best.sort(key=lambda found: -found.score)
    return best[:count]


def nearby(query: Query, sources: Sequence[Source], count: int) -> list[Found]:
    """Return at most `count` good windows of all files, the best first, several of one file too; they do not overlap.

    Windows that are much like the text around the cursor are among them: they are not shown to a model but compared
    with what it writes.
    """
    searched, worth = _searched(query, sources)
    ranked = [
        (-score, number, place)
        for number, source in enumerate(searched)
        for place, score in _scores(source, worth).items()
    ]
    taken: set[tuple[int, int]] = set()
    found: list[Found] = []
    for score, number, place in heapq.nsmallest(_LOOKED_AT * count, ranked):
        source = searched[number]
        places = [one for one in range(place, min(place + 2, len(source.blocks))) if (number, one) not in taken]
        taken.update((number, one) for one in places)
        text = "".join(source.blocks[one].text for one in places)
        if text and len(text) <= LONGEST and not holds_secret(text):
            found.append(Found(source.path, text, -score))
        if len(found) == count:
            break
    return found


def _searched(query: Query, sources: Sequence[Source]) -> tuple[list[Source], dict[str, float]]:
    """Return the files that are searched, and what each word of the query is worth in them."""
    searched: list[Source] = []
    total = 0
    for source in sources:
        if total + len(source.blocks) <= _MOST_BLOCKS:
            searched.append(source)
            total += len(source.blocks)
    worth: dict[str, float] = {}
    for word in sorted(query.wanted):  # so that the same scores are the same numbers in every process
        times = sum(len(source.places.get(word, ())) for source in searched)
        if 0 < times <= max(_COMMON, total * _COMMON_SHARE):
            worth[word] = math.log(1 + (total - times + 0.5) / (times + 0.5))
    return searched, worth


def _scores(source: Source, worth: Mapping[str, float]) -> dict[int, float]:
    """Return the scores of the windows of a file with a word of the query, by the number of their first block."""
    scores: dict[int, float] = {}
    for word, value in worth.items():
        before = -1
        for place in source.places.get(word, ()):
            # The window that begins with the block before has the word once, also where both of its blocks have it.
            if place - 1 != before and place:
                scores[place - 1] = scores.get(place - 1, 0.0) + value
            scores[place] = scores.get(place, 0.0) + value
            before = place
    return scores


def _best_of(source: Source, worth: Mapping[str, float], near: AbstractSet[str]) -> Found | None:
    """Return the best window of one file, or None."""
    scores = _scores(source, worth)
    blocks = source.blocks
    for place in heapq.nsmallest(_TRIED, scores, key=lambda place: (-scores[place], place)):
        pair = blocks[place : place + 2]
        words = frozenset[str]().union(*(block.words for block in pair))
        text = "".join(block.text for block in pair)
        if len(words & near) < _ALIKE * len(words) and len(text) <= LONGEST and not holds_secret(text):
            return Found(source.path, text, scores[place])
    return None
