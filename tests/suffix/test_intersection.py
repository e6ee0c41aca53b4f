"""The two answers about stacks and the automaton of a right context are those of trying every middle."""

from __future__ import annotations

from itertools import product

import pytest
from tests.suffix.small import ARITHMETIC, INDENTED, automaton_of, stacks_after

from dovetail.suffix.intersection import Intersection

MIDDLES = ["".join(pieces) for length in range(6) for pieces in product("1+*()", repeat=length)]


@pytest.mark.parametrize("left", ["1+", "(", "(1*", "((", "(1)+", "((1+(", "1*(1+"])
@pytest.mark.parametrize("right", [")", "+1", "*(1)", "))", ")+1)", "", "(1"])
def test_as_every_middle_says(left: str, right: str) -> None:
    """A stack is viable if some middle makes a program of it and the right context."""
    stacks = ARITHMETIC.stacks()
    intersection = Intersection(automaton_of(ARITHMETIC, right), stacks, ARITHMETIC.lexer.tab)
    viable = intersection.viable(stacks_after(ARITHMETIC, stacks, left))

    assert viable == any(ARITHMETIC.accepts(left + middle + right) for middle in MIDDLES)


@pytest.mark.parametrize("left", ["(", "b:\n  (", "b:\n  b:\n    (", "b:\n  b:\n    a\n  ("])
@pytest.mark.parametrize("right", [")\n", ")\na\n", ")\n  a\n", ")\n a\n", ")\n    a\n  a\n", ")\n    a\na\n"])
def test_columns(left: str, right: str) -> None:
    """Dedents of the right context have to meet the columns of the left, as they lie on its stack."""
    stacks = INDENTED.stacks()
    automaton = automaton_of(INDENTED, right)
    intersection = Intersection(automaton, stacks, INDENTED.lexer.tab)
    heads = stacks_after(INDENTED, stacks, left)
    accepted = any(
        intersection.accepts(lookahead, stacks.shift(heads, lookahead.terminal))
        for positions in automaton.seam.clean.values()
        for position in positions
        for lookahead in automaton.lookaheads.get(position, ())
    )

    assert accepted == INDENTED.accepts(left + right)


def test_answers_are_remembered() -> None:
    """A stack that was asked for is not searched from again."""
    stacks = ARITHMETIC.stacks()
    intersection = Intersection(automaton_of(ARITHMETIC, ")"), stacks, ARITHMETIC.lexer.tab)
    heads = stacks_after(ARITHMETIC, stacks, "(1+")
    assert intersection.viable(heads)
    count = stacks.size

    assert intersection.viable(heads)
    assert stacks.size == count
