"""Lexemes that can still end where they were last a terminal."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import TYPE_CHECKING

import pytest
from tests.languages import shared_language

from dovetail.automata.dfa import DEAD, START

if TYPE_CHECKING:
    from dovetail.lexing.lexer import Lexer


def _parts(lexer: Lexer, automaton: int, state: int, other: int, begun: int, texts: list[str]) -> bool:
    """Return whether one of some texts parts the two lexemes, read by single steps."""
    whole, part = lexer.scanners[automaton], lexer.scanners[other]
    for text in texts:
        at, behind = state, begun
        for character in text:
            if part.accepts[behind] >= 0:
                return whole.comes_to_nothing[state]
            at, behind = whole.steps[at][character], part.steps[behind][character]
            if behind == DEAD or (at != DEAD and whole.accepts[at] >= 0):
                break
            if at == DEAD:
                return True
    return False


@pytest.mark.parametrize("name", ["python", "json", "lua", "javascript", "typescriptreact"])
def test_lexemes_that_a_short_text_parts_may_part(name: str) -> None:
    """All pairs of states of some lexemes, with all texts of two of the characters that stand for the others."""
    lexer = shared_language(name).machine.lexer
    random = Random(name)
    found = 0
    for _ in range(150):
        automaton, other = (random.randrange(len(lexer.scanners)) for _ in range(2))
        whole, part = lexer.scanners[automaton], lexer.scanners[other]
        state, begun = (random.randrange(1, len(each.accepts)) for each in (whole, part))
        kinds = [each for each in whole.automaton.samples if each]
        samples = random.sample(kinds, min(12, len(kinds)))
        texts = ["".join(letters) for letters in product(samples, repeat=2)]
        if _parts(lexer, automaton, state, other, begun, texts):
            found += 1
            assert lexer.fallbacks.may_fall_back(automaton, state, other, begun)
    assert found > 10


@pytest.mark.parametrize(
    ("language", "word", "rest", "may"),
    [
        ("javascript", "default", "\\u", False),
        ("javascript", "default", "\\u{6", False),
        ("typescript", "export type", "\\u00", False),
        ("javascript", "1", "e", True),
        ("javascript", "a", "?", True),
    ],
)
def test_a_name_that_goes_on_is_no_word_before_another(language: str, word: str, rest: str, may: bool) -> None:
    """A text that makes a name of the rest makes a longer one of the word with it."""
    lexer = shared_language(language).machine.lexer
    before, after = (lexer.lex(lexer.start, text) for text in (word, word + rest))
    assert before is not None
    assert after is not None
    fallen = lexer.fallen_back(after[0]._replace(accepted=before[0].accepted, rest=rest))

    parts = fallen is not None and lexer.fallbacks.may_fall_back(
        lexer.modes.scanner_of[after[0].stack], after[0].at, lexer.modes.scanner_of[fallen[0].stack], fallen[0].at
    )

    assert parts is may


@pytest.mark.parametrize("name", ["python", "typescriptreact"])
def test_a_lexeme_parts_from_nothing_where_it_comes_to_nothing(name: str) -> None:
    """A lexeme is alone where none is begun behind it."""
    lexer = shared_language(name).machine.lexer
    for number, scanner in enumerate(lexer.scanners.every()):
        for state, comes_to_nothing in enumerate(scanner.comes_to_nothing):
            assert lexer.fallbacks.may_fall_back(number, state, number, START) is comes_to_nothing
