"""Outcomes: what becomes of a lexeme that stands at a place in some state of its automaton, over the text after it."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dovetail.lexing.scanner import Scanner

CLEAN, FALLBACK = -1, -2
OPEN = 1 << 30
"""Outcomes from this number on stand for a lexeme that reads up to the end of a text that is not whole."""
_ENDED, _UNFINISHED = (CLEAN, 0), (FALLBACK, 0)
_TOGETHER = 3  # States advance together over so many characters. After them few are left.
_MOST_BEGINNINGS = 1_000  # of texts, remembered for each automaton

Outcome = tuple[int, int]
"""(terminal, offset of its end), or (CLEAN, 0), or (FALLBACK, 0), or (a number from OPEN on, length of the text)."""


def find_outcomes(
    scanner: Scanner,
    text: str,
    stretches: dict[tuple[int, int], int],
    open_ends: dict[Outcome, tuple[int, Outcome]] | None,
) -> tuple[list[Outcome], dict[Outcome, list[int]]]:
    """Return state → outcome, and outcome → states without the many states that the first character ends.

    `open_ends`: None for a whole text; otherwise it gets each outcome from OPEN on, with the state at the end of
    the text and the outcome if the lexeme does not go on there.

    All states advance together over the first characters, grouped by the state that they come to. The groups
    that are left then go on one by one.
    """
    outcomes = [_ENDED if terminal >= 0 else _UNFINISHED for terminal in scanner.accepts]
    found: dict[Outcome, list[int]] = defaultdict(list)
    if not text:
        return outcomes, found
    beginning = text[:_TOGETHER]
    offset = len(beginning)
    known = scanner.advances.get(beginning)
    if known is None:
        known = _advance_together(scanner, beginning)
        if len(scanner.advances) < _MOST_BEGINNINGS:
            scanner.advances[beginning] = known
    groups, ended = known
    for last, members in ended.items():
        found[last] += members
    ends: dict[int, Outcome] = {}
    for (state, last), members in groups.items():
        standing = -1 if open_ends is None else scanner.standing(state, text, offset)
        if open_ends is not None and standing >= 0:
            if state not in ends:
                ends[state] = scanner.finish(state, text, offset, stretches)
            shorter = ends[state] if ends[state][0] >= 0 else last
            number = (OPEN + len(open_ends), len(text))
            open_ends[number] = standing, shorter
            found[number] += members
            continue
        # Groups of one state differ in their last terminal only. The text from here on is read once for all of
        # them.
        if state not in ends:
            ends[state] = scanner.finish(state, text, offset, stretches)
        found[ends[state] if ends[state][0] >= 0 else last] += members
    for outcome, members in found.items():
        for member in members:
            outcomes[member] = outcome
    return outcomes, found


def _advance_together(
    scanner: Scanner, beginning: str
) -> tuple[dict[tuple[int, Outcome], list[int]], dict[Outcome, list[int]]]:
    """Return the states after some characters with the states that came there, and outcomes of those that ended."""
    accepts = scanner.accepts
    ended: dict[Outcome, list[int]] = defaultdict(list)
    groups: dict[tuple[int, Outcome], list[int]] = defaultdict(list)
    for target, may_end, members in scanner.partition(beginning[0]):
        # A lexeme that is no terminal with the first character may have been one before it, exactly at the cursor.
        last = (accepts[target], 1) if accepts[target] >= 0 else _ENDED if may_end else _UNFINISHED
        groups[target, last] += members
    for offset, character in enumerate(beginning[1:], 2):
        advanced: dict[tuple[int, Outcome], list[int]] = defaultdict(list)
        for (state, last), members in groups.items():
            target = scanner.steps[state][character]
            if target < 0:
                ended[last] += members
                continue
            if accepts[target] >= 0:
                last = (accepts[target], offset)
            advanced[target, last] += members
        groups = advanced
    return groups, ended
