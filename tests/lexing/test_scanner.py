"""Lexemes that are remembered or read by a pattern are those of the automaton."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TYPE_CHECKING

import pytest
from tests.oracles.cpython import TARGET
from tests.suffix.contexts import JSON, PYTHON

import dovetail
from dovetail.automata.dfa import START
from dovetail.grammar.library import languages

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

    for scanner in language.machine.lexer.scanners.every():
        for text in texts * 2:
            for offset in range(len(text) + 1):
                assert scanner.longest(text, offset) == longest(scanner, text, offset)


@pytest.mark.parametrize("name", sorted(languages()))
def test_what_a_lexeme_may_become(name: str) -> None:
    """A lexeme may end as the terminals of all states that its own leads to, whichever state is asked for first."""
    random = Random(name)
    for scanner in dovetail.load_language(name).machine.lexer.scanners.every():
        states = list(range(len(scanner.accepts)))
        random.shuffle(states)
        for state in states:
            ends = {scanner.accepts[target] for target in scanner.reachable(state)}
            assert scanner.becomes(state) == ends - {-1}


def two_texts(scanner: Scanner, terminal: int) -> list[str]:
    """Return up to two texts of a terminal, found by writing texts that may still become it, two for each state."""
    automaton, found = scanner.automaton, []
    times: Counter[int] = Counter()
    work = [(START, "")]
    for state, text in work:
        if scanner.accepts[state] == terminal:
            found.append(text)
        for index, first in enumerate(automaton.edges):
            target = automaton.rows[state][automaton.edge_classes[index]]
            if target < 0 or terminal not in scanner.becomes(target):
                continue
            for character in (first, first + 1):
                if times[target] < 2 and automaton.class_of(chr(character)) == automaton.edge_classes[index]:
                    times[target] += 1
                    work.append((target, text + chr(character)))
    return found[:2]


@pytest.mark.parametrize("name", sorted(languages()))
def test_only_spellings(name: str) -> None:
    """A terminal has a spelling where the scanner reads exactly one text as it."""
    scanners = dovetail.load_language(name).machine.lexer.scanners.every()
    for scanner in [scanners[0], min(scanners, key=lambda each: len(each.accepts))]:
        for terminal in sorted(scanner.becomes(START)):
            texts = two_texts(scanner, terminal)
            assert scanner.only_spelling(terminal) == (texts[0] if len(texts) == 1 else None)


@pytest.mark.parametrize("name", ["python", "json"])
def test_patterns_of_runs(name: str) -> None:
    """The pattern of a state matches only characters that leave the state as it is."""
    language = dovetail.load_language(name, target=TARGET if name == "python" else None)
    runs = 0

    for scanner in language.machine.lexer.scanners.every():
        characters = [*map(chr, range(0x180)), *scanner.automaton.samples]
        for state, steps in enumerate(scanner.steps):
            pattern = scanner.run(state)
            for character in characters if pattern is not None else ():
                if pattern.match(character).end():  # type: ignore[union-attr]
                    runs += 1
                    assert steps[character] == state

    assert runs
