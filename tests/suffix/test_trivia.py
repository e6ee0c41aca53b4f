"""Trivia are passed over in all modes at once, or not at all."""

from __future__ import annotations

import pytest
from tests.suffix.small import INDENTED

from dovetail.suffix.lexemes import Lexemes
from dovetail.suffix.trivia import Trivia

MODES = INDENTED.lexer.modes
LINE, EITHER = MODES.bottom, MODES.anywhere()


@pytest.mark.parametrize(
    ("text", "stack", "begins", "end"),
    [
        ("  a", LINE, False, 2),
        ("  # a\na", LINE, False, 5),  # outside brackets a line end is a terminal
        ("  # a\na", EITHER, False, 5),  # inside it is none, so the modes differ there
        ("  # a\n\n \na", LINE, True, 9),
        (" \n  a", LINE, True, 2),  # the blanks of a line with content are its column
        ("a", LINE, True, 0),
        ("", LINE, True, 0),
    ],
)
def test_the_end_of_trivia(text: str, stack: int, begins: bool, end: int) -> None:
    """Blanks, comments and lines without content are trivia as far as every mode ignores them."""
    assert Trivia(Lexemes(INDENTED.lexer, text)).past(0, stack, begins=begins) == end


def test_a_long_stretch_is_remembered() -> None:
    """However long a stretch is, few entries are kept, and from each place in it the end is the same."""
    text = "\n" * 10_000 + "a"
    trivia = Trivia(Lexemes(INDENTED.lexer, text))

    assert trivia.past(0, LINE, begins=True) == 10_000
    assert trivia.past(77, LINE, begins=True) == 10_000
    assert len(trivia._known) < 1_000
