"""The automaton of a right context grows with what is new in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.oracles.cpython import TARGET

import dovetail
from dovetail.suffix.builder import SuffixBuilder
from dovetail.suffix.seam import Seam

if TYPE_CHECKING:
    from dovetail.suffix.automaton import SuffixAutomaton


def automaton_of(name: str, right: str) -> SuffixAutomaton:
    """Return the automaton of a right context."""
    machine = dovetail.load_language(name, target=TARGET if name == "python" else None).machine
    return SuffixBuilder(machine.suffix_grammar, Seam(machine.lexer, right)).build()


@pytest.mark.parametrize(
    ("name", "element", "end"),
    [
        ("json", "1, ", "1]"),
        ("python", "1, ", "]\n"),
        ("python", "f(a, [1]), ", ")\n"),
        ("python", "+ 1 ", "\n"),
        ("python", "x = 1\n", ""),
    ],
)
def test_repeated_text_adds_nothing(name: str, element: str, end: str) -> None:
    """A text that goes on repeating itself inside something unknown exposes nothing new."""
    short = automaton_of(name, element * 10 + end)
    long = automaton_of(name, element * 200 + end)

    assert len(long.exposures) == len(short.exposures)


def test_positions_are_let_go() -> None:
    """Positions that are passed are not kept, however long the text is."""
    block = "x = [1, 2]\nif x:\n    y = 'a'\n"
    short = automaton_of("python", block * 10)
    long = automaton_of("python", block * 100)

    assert len(long.seam.lattice.positions) == len(short.seam.lattice.positions)


def test_rows_of_closers() -> None:
    """A row of closing brackets takes as many as are open, and of the right kind."""
    language = dovetail.load_language("json")
    left = "[" * 100

    assert language.quotient(left, "]" * 99, tolerant=False).start.closing() == "]"
    assert language.quotient(left, "]" * 100, tolerant=False).start.accepting
    assert not language.quotient(left, "]" * 100 + "}", tolerant=False).viable
