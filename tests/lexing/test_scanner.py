"""Lexemes that are remembered or read by a pattern are those of the automaton."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest
from tests.oracles.cpython import TARGET
from tests.suffix.contexts import JSON, PYTHON

import dovetail
from dovetail.automata.dfa import START

if TYPE_CHECKING:
    from dovetail.lexing.scanner import Scanner


def longest(scanner: Scanner, text: str, offset: int) -> tuple[int, int]:
    """Return the longest lexeme at an offset, read by single steps."""
    state, found = START, (-1, offset)
    for at in range(offset, len(text)):
        state = scanner.steps[state][text[at]]
        if state < 0:
            break
        if scanner.accepts[state] >= 0:
            found = scanner.accepts[state], at + 1
    return found


@pytest.mark.parametrize("name", ["python", "json"])
def test_lexemes_at_every_offset(name: str) -> None:
    """The lexeme at an offset is that of the automaton, the first time and when it was met before."""
    language = dovetail.load_language(name, target=TARGET if name == "python" else None)
    random = Random(name)
    pieces = [*(PYTHON if name == "python" else JSON), "é", "a_1", "0x1f", "1e", "...", "**=", "  ", "\ud800", "rb'"]
    texts = ["".join(random.choice(pieces) for _ in range(12)) for _ in range(60)]

    for scanner in language.machine.lexer.scanners:
        for text in texts * 2:
            for offset in range(len(text) + 1):
                assert scanner.longest(text, offset) == longest(scanner, text, offset)


@pytest.mark.parametrize("name", ["python", "json"])
def test_patterns_of_runs(name: str) -> None:
    """The pattern of a state matches only characters that leave the state as it is."""
    language = dovetail.load_language(name, target=TARGET if name == "python" else None)
    runs = 0

    for scanner in language.machine.lexer.scanners:
        characters = [*map(chr, range(0x180)), *scanner.automaton.samples]
        for state, steps in enumerate(scanner.steps):
            pattern = scanner.run(state)
            for character in characters if pattern is not None else ():
                if pattern.match(character).end():  # type: ignore[union-attr]
                    runs += 1
                    assert steps[character] == state

    assert runs
