"""Terminals that follow decide which states are worth an exposure."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest
from tests.oracles.cpython import TARGET
from tests.suffix.contexts import JAVASCRIPT, JSON, PYTHON, contexts
from tests.suffix.small import automaton_of

import dovetail
from dovetail.lexing.modes import NOTHING
from dovetail.suffix.grammar import SuffixGrammar
from dovetail.suffix.merging import ExposureMerger
from dovetail.suffix.trimming import trim

if TYPE_CHECKING:
    from dovetail.quotient.machine import Machine


def exposed(machine: Machine, right: str) -> set[object]:
    """Return everything that tells the exposures of a right context apart."""
    found: set[object] = set()
    for at in automaton_of(machine, right).exposures:
        position, modes = at.lookahead.position, []
        # Mode stacks and blocks are numbered in the order in which they are met, so what they hold is compared.
        stack, block = position.stack, position.known
        while stack >= 0 and stack != NOTHING:
            tops, stack = machine.lexer.modes.entries[stack]
            modes.append(tops)
        columns = []
        while block >= 0:
            column, block = machine.lexer.blocks.entries[block]
            columns.append(column)
        place = (position.order, *modes, *columns, position.around, position.column, position.dedented)
        found.add((place, at.lookahead.terminal, at.state, at.line, at.final))
    return found


@pytest.mark.parametrize(("name", "pieces"), [("python", PYTHON), ("javascript", JAVASCRIPT)])
def test_only_dead_ends_are_left_out(name: str, pieces: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The automaton is the same without an outlook, which makes more exposures that are trimmed."""
    machine = dovetail.load_language(name, target=TARGET if name == "python" else None).machine
    made: list[int] = []
    monkeypatch.setattr(
        "dovetail.suffix.builder.trim",
        lambda lookaheads: made.append(sum(len(each.exposures) for each in lookaheads)) or trim(lookaheads),
    )
    # What is left out may have kept an exposure apart from an older one that it repeats.
    monkeypatch.setattr(ExposureMerger, "merge", lambda *_: None)
    rights = [right for _, _, right in contexts(pieces, Random(name), 25)]

    ahead = [exposed(machine, right) for right in rights]
    count = sum(made)
    made.clear()
    outlook = SuffixGrammar.outlook
    monkeypatch.setattr(SuffixGrammar, "outlook", lambda self, terminal, _: outlook(self, terminal, None))
    machine = dovetail.load_language(name, target=TARGET if name == "python" else None).machine

    assert [exposed(machine, right) for right in rights] == ahead
    assert count < sum(made)


@pytest.mark.parametrize(("name", "pieces"), [("json", JSON), ("javascript", JAVASCRIPT)])
def test_all_is_reached_from_the_entries(name: str, pieces: list[str]) -> None:
    """The exposures that an automaton keeps are led to from those under the first terminals of its text."""
    machine = dovetail.load_language(name).machine
    for _, _, right in contexts(pieces, Random(name), 25):
        automaton = automaton_of(machine, right)
        reached = dict.fromkeys(automaton.entry_exposures())
        work = list(reached)
        for exposure in work:  # It grows.
            for target in (*exposure.edges, *(target for each in exposure.reductions for target in each.targets)):
                if target not in reached:
                    reached[target] = None
                    work.append(target)

        assert set(reached) == set(automaton.exposures)
