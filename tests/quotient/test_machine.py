"""The machine: all tables of one language, and no text."""

from __future__ import annotations

import pytest
from tests.oracles.cpython import TARGET

import dovetail

PYTHON = dovetail.load_language("python", target=TARGET).machine
JSON = dovetail.load_language("json").machine


def test_a_statement_is_the_shortest_line_with_content() -> None:
    """A language of lines has one; it stands by itself, and cannot be indented for no reason."""
    assert PYTHON.statement == "0"
    assert PYTHON.accepts(PYTHON.statement)
    assert not PYTHON.accepts(f" {PYTHON.statement}")


def test_the_top_level_state_lies_under_every_statement() -> None:
    """However many statements come before, the same state lies over the bottom of the stack."""
    stacks = PYTHON.stacks()
    found = set()
    for text in ("x = 1\ny = 2\nz ", "import a\nclass B:\n    pass\nx\nf "):
        read = PYTHON.lexer.lex(PYTHON.lexer.start, text)
        assert read is not None
        (head,) = stacks.shift_all((stacks.bottom,), read[1])
        while head.below[0] is not stacks.bottom:
            (head,) = head.below
        found.add(head.state)

    assert found == {PYTHON.top_level_state}


def test_a_language_without_lines_has_none_of_them() -> None:
    """JSON has no statements, no level above all others, and no brackets that begin a line."""
    assert (JSON.statement, JSON.top_level_state, JSON.openers) == (None, None, ())


@pytest.mark.parametrize(("text", "whole"), [("[1, 2]", True), ("[1, ", False), ("", False), ("[1]]", False)])
def test_a_program_is_read_from_end_to_end(text: str, whole: bool) -> None:
    """Nothing is left out and nothing is mended: a text is a program or it is not."""
    assert JSON.accepts(text) == whole


def test_stacks_belong_to_one_text() -> None:
    """Each text has stacks of its own, which share the tables alone."""
    first, second = PYTHON.stacks(), PYTHON.stacks()

    assert first.bottom is not second.bottom
    assert first.chains is second.chains
