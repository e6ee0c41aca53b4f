"""Each state of a lexeme at the cursor has one outcome in the right context: straddle, clean or fallback."""

from __future__ import annotations

import pytest
from tests.suffix.small import ARITHMETIC, INDENTED

from dovetail.lexing.modes import NOTHING
from dovetail.suffix.outcomes import CLEAN
from dovetail.suffix.seam import AFTER_CONTENT, EITHER, ON_BLANK, Seam

NAMES = ARITHMETIC.compiled.productions.names


def outcome(pending: str, right: str) -> tuple[str | int, int]:
    """Return how a lexeme at the cursor meets a right context, its terminal by name."""
    read = ARITHMETIC.lexer.lex(ARITHMETIC.lexer.start, pending)
    assert read is not None
    automaton = ARITHMETIC.lexer.modes.scanner_of[read[0].stack]
    terminal, end = Seam(ARITHMETIC.lexer, right).outcomes[automaton][read[0].at]
    return (NAMES[terminal] if terminal >= 0 else terminal), end


@pytest.mark.parametrize(
    ("pending", "right", "expected"),
    [
        ("1", "2 + 3", ("NUMBER", 1)),
        ("1", "23", ("NUMBER", 2)),
        ("1", " + 3", (CLEAN, 0)),
        ("1", "+ 3", (CLEAN, 0)),
        ("1", "", (CLEAN, 0)),
        (" ", "  + 3", ("BLANKS", 2)),
        ("(", "1)", (CLEAN, 0)),
    ],
)
def test_outcomes(pending: str, right: str, expected: tuple[str | int, int]) -> None:
    """A number goes on over digits, blanks over blanks, and a bracket over nothing."""
    assert outcome(pending, right) == expected


def test_the_entry_of_a_straddle() -> None:
    """A lexeme that the grammar sees has one entry before it; one that it ignores has the positions after it."""
    seam = Seam(ARITHMETIC.lexer, "2 + 3")
    (number,) = [straddle for straddles in seam.straddles.values() for straddle in straddles if straddle.emitted]
    blank = Seam(ARITHMETIC.lexer, " + 3")
    (ignored,) = [straddle for straddles in blank.straddles.values() for straddle in straddles]

    assert (NAMES[number.terminal], number.line) == ("NUMBER", EITHER)
    assert [position.terminal for position in number.positions] == [number.terminal]
    assert (NAMES[ignored.terminal], ignored.emitted) == ("BLANKS", False)
    assert [position.offset for position in ignored.positions] == [1]


@pytest.mark.parametrize(("right", "shared"), [("a\n", True), ("  a\n", False)])
def test_both_sides_of_a_line(right: str, shared: bool) -> None:
    """A line of layout is entered after content and on a blank line; without blanks of its own at one position."""
    seam = Seam(INDENTED.lexer, right)
    first = {position: lines for position, lines in seam.entries.items() if position.offset == right.index("a")}
    after_content = {position for position, lines in first.items() if AFTER_CONTENT in lines}
    on_blank = {position for position, lines in first.items() if ON_BLANK in lines}

    assert after_content
    assert on_blank
    assert (after_content == on_blank) == shared


def test_a_comment_that_swallows_the_line() -> None:
    """Without the lexemes that swallow the rest of the line, a comment before the cursor has no entry."""
    seam = Seam(INDENTED.lexer, "a\na\n")
    kept = seam.keeping_rest_of_line()
    comment = INDENTED.compiled.productions.names.index("COMMENT")
    layout = INDENTED.lexer.modes.scanner_of[INDENTED.lexer.modes.push((0,), NOTHING)]

    assert kept is not seam
    assert {terminal for terminal, _ in kept.refused} == {comment}
    assert any(terminal == comment for terminal, _ in seam.outcomes[layout])
    assert Seam(INDENTED.lexer, "\na\n").keeping_rest_of_line().refused == frozenset()
