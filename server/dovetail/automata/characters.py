"""Sets of characters: sorted, disjoint, closed ranges of code points."""

from __future__ import annotations

import sys
from bisect import bisect_right
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Ranges = tuple[tuple[int, int], ...]
"""(first, last) code points, ascending, never touching."""

LAST = sys.maxunicode
EMPTY: Ranges = ()
# Surrogates are no characters: no encoded text can hold one.
EVERY: Ranges = ((0, 0xD7FF), (0xE000, LAST))


def union(*sets: Iterable[tuple[int, int]]) -> Ranges:
    """Return the characters that are in any of the sets (whose ranges may be in any order)."""
    merged: list[tuple[int, int]] = []
    for first, last in sorted(pair for ranges in sets for pair in ranges):
        if merged and first <= merged[-1][1] + 1:
            if last > merged[-1][1]:
                merged[-1] = (merged[-1][0], last)
        else:
            merged.append((first, last))
    return tuple(merged)


def complement(ranges: Ranges) -> Ranges:
    """Return the characters that are not in the set."""
    gaps: list[tuple[int, int]] = []
    start = 0
    for first, last in union(ranges, ((0xD800, 0xDFFF),)):
        if start < first:
            gaps.append((start, first - 1))
        start = last + 1
    if start <= LAST:
        gaps.append((start, LAST))
    return tuple(gaps)


def intersection(one: Ranges, other: Ranges) -> Ranges:
    """Return the characters that are in both sets."""
    return complement(union(complement(one), complement(other)))


def contains(ranges: Ranges, code: int) -> bool:
    """Return whether a code point is in the set."""
    index = bisect_right(ranges, (code, LAST + 1))
    return index > 0 and ranges[index - 1][1] >= code


def fold_case(ranges: Ranges) -> Ranges:
    """Return the set with both cases of every ASCII letter in it."""
    lower = [(first + 32, last + 32) for first, last in intersection(ranges, ((65, 90),))]
    upper = [(first - 32, last - 32) for first, last in intersection(ranges, ((97, 122),))]
    return union(ranges, lower, upper)


def literal(character: str) -> Ranges:
    """Return the set of one character."""
    return ((ord(character), ord(character)),)


def _where(holds: Callable[[str], bool]) -> Ranges:
    found = [code for code in range(LAST + 1) if holds(chr(code))]
    starts = [found[0], *(b for a, b in pairwise(found) if b != a + 1)]
    ends = [*(a for a, b in pairwise(found) if b != a + 1), found[-1]]
    return tuple(zip(starts, ends, strict=True))


@cache
def unicode_property(name: str) -> Ranges | None:
    """Return the characters of a Unicode property that the dialect knows, or None.

    Python's own identifiers are XID with `_` counted as a start; the property has it not.
    """
    if name == "XID_Start":
        return intersection(_where(str.isidentifier), complement(literal("_")))
    if name == "XID_Continue":
        return _where(lambda character: ("a" + character).isidentifier())
    return None


class Classes:
    """The coarsest partition of all characters that no given set cuts through."""

    __slots__ = ("count", "ranges")

    def __init__(self, sets: Iterable[Ranges]) -> None:
        """Make the partition; characters in none of the sets share class 0 with each other."""
        distinct = sorted(set(sets))
        edges = sorted({0, *(edge for ranges in distinct for first, last in ranges for edge in (first, last + 1))})
        edges = [edge for edge in edges if edge <= LAST]
        members: dict[int, list[int]] = {edge: [] for edge in edges}
        position = {edge: index for index, edge in enumerate(edges)}
        for number, ranges in enumerate(distinct):
            for first, last in ranges:
                end = position.get(last + 1, len(edges))
                for index in range(position[first], end):
                    members[edges[index]].append(number)
        ids: dict[tuple[int, ...], int] = {(): 0}
        numbers = [ids.setdefault(tuple(members[edge]), len(ids)) for edge in edges]
        self.count = len(ids)
        spans: list[list[tuple[int, int]]] = [[] for _ in range(self.count)]
        for index, edge in enumerate(edges):
            end = edges[index + 1] - 1 if index + 1 < len(edges) else LAST
            spans[numbers[index]].append((edge, end))
        self.ranges: list[Ranges] = [union(span) for span in spans]
        """Class → its characters."""

    def within(self, ranges: Ranges) -> list[int]:
        """Return the classes that make up one of the given sets."""
        return [number for number, span in enumerate(self.ranges) if span and contains(ranges, span[0][0])]
