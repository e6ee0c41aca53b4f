"""Minimisation keeps the language of an automaton and leaves no two states that read alike."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import overload

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.automata.test_dfa import PATTERNS

from dovetail.automata.dfa import build_automaton
from dovetail.automata.minimisation import DEAD, START, minimise
from dovetail.automata.patterns import parse_pattern

Parts = tuple[list[list[int]], list[int]]


def by_rounds(rows: list[list[int]], accepts: list[int]) -> Parts:
    """Return the smallest automaton by Moore's algorithm: split all blocks by where they lead until none splits."""
    block = [accept + 1 for accept in accepts]
    block[START] = -1
    count = 0
    while True:
        names: dict[tuple[int, ...], int] = {}
        refined = [
            names.setdefault((block[state], *(block[to] if to != DEAD else -2 for to in row)), len(names))
            for state, row in enumerate(rows)
        ]
        if len(names) == count:
            break
        count, block = len(names), refined
    numbers = {block[START]: 0}
    order = [START]
    merged = []
    for state in order:
        row = []
        for target in rows[state]:
            if target != DEAD and block[target] not in numbers:
                numbers[block[target]] = len(order)
                order.append(target)
            row.append(numbers[block[target]] if target != DEAD else DEAD)
        merged.append(row)
    return merged, [accepts[state] for state in order]


def random_automaton(random: Random) -> Parts:
    """Return an automaton of up to 30 states in which each state leads to acceptance."""
    count, width = random.randint(1, 30), random.randint(1, 4)
    rows = [[random.choice([DEAD, *range(count)]) for _ in range(width)] for _ in range(count)]
    accepts = [random.choice([-1, 0, 1]) for _ in range(count)]
    accepts[START] = -1
    alive = {state for state in range(count) if accepts[state] >= 0}
    for _ in range(count):
        alive |= {state for state, row in enumerate(rows) if alive.intersection(row)}
    return [[target if target in alive else DEAD for target in row] for row in rows], accepts


@pytest.mark.parametrize("seed", range(300))
def test_it_is_the_automaton_that_moore_finds(seed: int) -> None:
    """The states, their order and what they accept are those of the plain algorithm, for any automaton."""
    rows, accepts = random_automaton(Random(seed))

    assert minimise(rows, accepts) == by_rounds(rows, accepts)


@settings(max_examples=200, deadline=None)
@given(st.lists(PATTERNS, min_size=1, max_size=3))
def test_an_automaton_of_patterns_is_the_smallest(patterns: list[str]) -> None:
    """Nothing more can be merged in what is built from patterns."""
    automaton = build_automaton({number: parse_pattern(pattern) for number, pattern in enumerate(patterns)})

    assert by_rounds(automaton.rows, automaton.accepts) == (automaton.rows, automaton.accepts)


@settings(max_examples=100, deadline=None)
@given(PATTERNS)
def test_patterns_of_one_language_give_one_automaton(pattern: str) -> None:
    """A pattern, and the same written in a roundabout way, are one automaton to the last number."""
    plain = build_automaton({0: parse_pattern(pattern)})
    roundabout = build_automaton({0: parse_pattern(f"(?:{pattern}|{pattern})(?:(?:{pattern}){{0}})?")})

    assert roundabout == plain


class _Row(Sequence[int]):
    """A row that counts how often it is read."""

    read = 0

    def __init__(self, row: list[int]) -> None:
        self.row = row

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> list[int]: ...
    def __getitem__(self, index: int | slice) -> int | list[int]:
        _Row.read += 1
        return self.row[index]

    def __len__(self) -> int:
        return len(self.row)


@pytest.mark.parametrize("length", [200, 2_000])
def test_a_long_chain_is_not_read_over_and_over(length: int) -> None:
    """`a{1,n}` takes a bounded number of readings of each transition, not n of them."""
    rows: list[Sequence[int]] = [_Row([state + 1 if state < length else DEAD]) for state in range(length + 1)]
    _Row.read = 0
    merged, _ = minimise(rows, [-1, *[0] * length])

    assert len(merged) == length + 1
    assert _Row.read <= 5 * length
