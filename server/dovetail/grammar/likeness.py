"""Likeness of lexical modes: which behave alike, and which could be taken for one another at a cursor.

The modes that are open where a right context begins are not known to its lexings. What its terminals show of them the
grammar compares with the left text: how many modes are open, and which terminals opened them. Two modes could be taken
for one another if they may lie at the same depth, inside the same openers. `specialisation` tells those apart.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.grammar.mode import Mode

Pair = tuple[int, int]


def behaviours(modes: Sequence[Mode], layout_mode: int) -> list[int]:
    """Return a number for each mode; modes with the same number read every text alike, up to the end of the mode."""
    kinds = _numbered(
        [
            (mode.terminals, mode.ignored, mode.pop, *map(frozenset, (mode.push, mode.switch)), number == layout_mode)
            for number, mode in enumerate(modes)
        ]
    )
    while True:
        finer = _numbered(
            [
                (
                    kinds[number],
                    tuple(
                        (terminal, kinds[mode.push[terminal]], kinds[mode.back.get(terminal, number)])
                        for terminal in sorted(mode.push)
                    ),
                    tuple((terminal, kinds[mode.switch[terminal]]) for terminal in sorted(mode.switch)),
                )
                for number, mode in enumerate(modes)
            ]
        )
        if finer == kinds:
            return kinds
        kinds = finer


def _numbered(keys: Sequence[object]) -> list[int]:
    numbers: dict[object, int] = {}
    return [numbers.setdefault(key, len(numbers)) for key in keys]


def level(modes: Sequence[Mode], number: int) -> frozenset[int]:
    """Return a mode and all modes that may take its place, by `switch` or by `back`."""
    found, work = {number}, [number]
    while work:
        mode = modes[work.pop()]
        fresh = {*mode.switch.values(), *mode.back.values()} - found
        found |= fresh
        work += fresh
    return frozenset(found)


def similar_places(modes: Sequence[Mode]) -> set[Pair]:
    """Return the pairs of modes that may lie at the same depth inside the same openers."""
    levels = [level(modes, number) for number in range(len(modes))]
    found: set[Pair] = set()
    work = [(0, 0)]
    begun: set[Pair] = set()
    while work:
        first, second = work.pop()
        for one, other in product(levels[first], levels[second]):
            if (one, other) in found:
                continue
            found.add((one, other))
            # Modes that the grammar tells apart make all that is open inside them differ.
            if other in modes[one].apart or one in modes[other].apart:
                continue
            for opener in modes[one].push.keys() & modes[other].push.keys():
                inside = modes[one].push[opener], modes[other].push[opener]
                if inside not in begun:
                    begun.add(inside)
                    work.append(inside)
    return found


def confusable(modes: Sequence[Mode], layout_mode: int) -> set[Pair]:
    """Return the pairs of modes at similar places that do not behave alike and are not declared to be told apart."""
    kinds = behaviours(modes, layout_mode)
    return {
        (one, other)
        for one, other in similar_places(modes)
        if kinds[one] != kinds[other] and other not in modes[one].apart and one not in modes[other].apart
    }


def groups(modes: Sequence[Mode], layout_mode: int) -> list[int]:
    """Return a number for each mode such that modes of one number have the same terminals and are not confusable."""
    # A right context is entered by the automaton that reads the lexeme at the cursor. So modes that only the left side
    # tells apart need automata of their own, though these be equal.
    apart = confusable(modes, layout_mode)
    members: list[list[int]] = []
    found = []
    for number, mode in enumerate(modes):
        for group, others in enumerate(members):
            if mode.terminals == modes[others[0]].terminals and all((number, other) not in apart for other in others):
                others.append(number)
                found.append(group)
                break
        else:
            found.append(len(members))
            members.append([number])
    return found
