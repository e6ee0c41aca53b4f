"""Sets of characters as sorted, disjoint, closed ranges of code points.

>>> union(literal("c"), literal("a"), literal("b"))
((97, 99),)
>>> contains(complement(((97, 99),)), ord("d"))
True
"""

from __future__ import annotations

import sys
from bisect import bisect_right
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

Ranges = tuple[tuple[int, int], ...]
"""Pairs (first, last) of code points, ascending; between two of them at least one code point is missing."""

LAST = sys.maxunicode
EMPTY: Ranges = ()
# Surrogates are not characters: no encoded text can hold one, so no set holds them.
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
    """Return the set with both cases of each ASCII letter that it holds.

    >>> fold_case(literal("x"))
    ((88, 88), (120, 120))
    """
    lower = [(first + 32, last + 32) for first, last in intersection(ranges, ((65, 90),))]
    upper = [(first - 32, last - 32) for first, last in intersection(ranges, ((97, 122),))]
    return union(ranges, lower, upper)


def literal(character: str) -> Ranges:
    """Return the set of one character."""
    return ((ord(character), ord(character)),)


class Classes:
    """The coarsest partition of all characters in which each given set is a union of parts.

    An automaton needs one transition for a class, not one for each of a million characters.

    >>> digits, letters = ((48, 57),), ((97, 122),)
    >>> classes = Classes([digits, union(digits, letters)])
    >>> classes.count  # digits, letters, everything else
    3
    """

    __slots__ = ("count", "ranges")

    def __init__(self, sets: Iterable[Ranges]) -> None:
        """Make the partition; the characters in none of the sets are class 0."""
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
        """Return the classes that together are one of the given sets."""
        return [number for number, span in enumerate(self.ranges) if span and contains(ranges, span[0][0])]
