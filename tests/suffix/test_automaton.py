"""The automaton of a right context accepts the stacks from which the right context parses."""

from __future__ import annotations

import dataclasses

import pytest
from tests.suffix.small import NESTED, automaton_of, stacks_after

from dovetail.suffix.intersection import Intersection

NAMES = NESTED.compiled.productions.names


def test_the_example() -> None:
    """Before `))` there are three exposures: of a bracket, of what lies inside one, and of the whole text."""
    bracket, inner, whole = automaton_of(NESTED, "))").exposures

    assert [NAMES[exposure.symbol] for exposure in (bracket, inner, whole)] == [NAMES[bracket.symbol], "start", "start"]
    assert [exposure.lookahead.position.offset for exposure in (bracket, inner, whole)] == [0, 1, 2]
    assert [exposure.final for exposure in (bracket, inner, whole)] == [False, False, True]
    assert [[reduction.count for reduction in exposure.reductions] for exposure in (bracket, inner)] == [[2], [1]]
    assert bracket.reductions[0].lookahead is inner.lookahead
    assert inner.reductions[0].lookahead is whole.lookahead


@pytest.mark.parametrize("count", range(5))
@pytest.mark.parametrize("right", ["", ")", "))", ")))"])
def test_as_many_brackets_as_are_closed(count: int, right: str) -> None:
    """A stack is accepted if it has as many open brackets as the right context closes, and no other."""
    automaton = automaton_of(NESTED, right)
    stacks = NESTED.stacks()
    heads = stacks_after(NESTED, stacks, "(" * count + "x")
    intersection = Intersection(automaton, stacks, NESTED.lexer.tab)
    accepted = any(
        intersection.accepts(lookahead, stacks.shift(heads, lookahead.terminal))
        for position in automaton.seam.entries
        for lookahead in automaton.lookaheads.get(position, ())
    )

    assert accepted == (count == len(right))


def test_only_what_leads_to_acceptance_is_kept() -> None:
    """A right context that no left text can complete has an automaton without exposures."""
    assert automaton_of(NESTED, ")(").exposures == ()


def test_a_value() -> None:
    """An automaton cannot be assigned to, and the same one with other entries leaves it as it was."""
    automaton = automaton_of(NESTED, ")")
    other = automaton.entered_by(automaton_of(NESTED, ")").seam)

    assert other.exposures is automaton.exposures
    assert other.seam is not automaton.seam
    with pytest.raises(dataclasses.FrozenInstanceError):
        automaton.exposures = ()
