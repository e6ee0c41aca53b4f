"""Classes of states over an unknown stack."""

from __future__ import annotations

from tests.suffix.small import automaton_of

import dovetail

MACHINE = dovetail.load_language("javascript").machine
GRAMMAR = MACHINE.suffix_grammar


def test_states_of_a_class_do_the_same() -> None:
    """States of a class are entered by one symbol, shift nothing, and reduce as many symbols to the same one."""
    automaton = automaton_of(MACHINE, "), b];\nf(`${a}`)\n")
    several = [exposure for exposure in automaton.exposures if len(exposure.states) > 1]

    assert several
    for exposure in several:
        terminal = exposure.lookahead.terminal
        choices = [GRAMMAR.actions[state][terminal] for state in exposure.states]
        assert {GRAMMAR.entering[state] for state in exposure.states} == {exposure.symbol}
        assert max(map(max, choices)) < 0
        assert len({frozenset((GRAMMAR.lefts[~p], len(GRAMMAR.rights[~p])) for p in each) for each in choices}) == 1


def test_a_state_is_in_one_class() -> None:
    """No two exposures of one lookahead and line stand for the same state."""
    automaton = automaton_of(MACHINE, "a, b) => { return [1, 2] })\n")
    places = [
        (id(exposure.lookahead), exposure.line, state) for exposure in automaton.exposures for state in exposure.states
    ]

    assert len(places) == len(set(places))
