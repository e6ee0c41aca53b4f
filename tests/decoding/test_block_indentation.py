"""Lines are indented as the file is where brackets make blocks, and what closes a block has a line of its own."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import dovetail
from dovetail.decoding.block_indentation import BlockIndentation, find_block_indentation

BLOCKS = Path(__file__).parents[1] / "exhaustive" / "blocks.lark"
LEFT = "fn f(a) {\n  if a {\n    x = 1;\n  }\n  "
RIGHT = "\n}\n"


@cache
def language() -> dovetail.Language:
    """Return the language."""
    return dovetail.load_language(BLOCKS)


def indentation(left: str, right: str) -> BlockIndentation:
    """Return the indentation at a cursor."""
    return find_block_indentation(left, right, language().quotient(left, right))


@pytest.mark.parametrize(
    ("before", "blanks", "after", "fits"),
    [
        ("if a {", "\n    ", "x", True),
        ("if a {", "\n  ", "x", False),
        ("if a {", "\n      ", "x", False),
        ("if a {", "\n\t", "x", False),
        ("if a { x = 1;", "\n  ", "}", True),
        ("if a { x = 1;", "\n    ", "}", False),
        ("if a { x = 1;", "\n", "}", False),
        ("x = 1;", "\n  ", "y", True),
        ("x = 1;", "\n      ", "y", False),
        ("x =", "\n    ", "y", True),
        ("x = [", "\n        ", "y", True),
        ("switch a {", "\n  ", "case", True),
        ("switch a {", "\n    ", "case", True),
        ("do x = 1;", "\n  ", "end", True),
        ("do x = 1;", "\n    ", "end", False),
    ],
)
def test_a_line_is_indented_by_its_blocks(before: str, blanks: str, after: str, fits: bool) -> None:
    """A line inside a new block is one level deeper, its end as deep as its header; other lines may go on."""
    start = language().quotient(LEFT, RIGHT).start
    middle = start.advance(before + blanks)
    end = None if middle is None else middle.advance(after)
    assert middle is not None
    assert end is not None
    written = len((before + blanks).encode())

    assert indentation(LEFT, RIGHT).fits((before + blanks + after).encode(), middle, end, written=written) == fits


@pytest.mark.parametrize(("left", "due"), [(LEFT, 2), (LEFT[:-2], 2), (LEFT + "  ", 4), ("x = 1;\nif a {\n  ", 2)])
def test_the_line_of_the_cursor_is_the_measure(left: str, due: int) -> None:
    """A line in as many blocks is as deep as the cursor's, or as the file has it where that is not begun."""
    found = indentation(left, "\n  y = 1;\n}\n")

    assert found.due(found.blocks) == due


@pytest.mark.parametrize(
    ("begun", "fits"),
    [
        ("x = 1;\n\t", True), ("x = 1;\n  ", False), ("x = 1;\n  \t", False), ("x = 1;\n\t ", False),
        ("x = [\n\t  ", True), ("x = [\n  \t", False),
    ],
)  # fmt: skip
def test_where_tabs_indent_blanks_only_align_what_stands_in_brackets(begun: str, fits: bool) -> None:
    """No blank stands before a tab, and none at all before a statement."""
    left = "fn f(a) {\n\t"
    start = language().quotient(left, "\n}\n").start
    state = start.advance(begun)
    assert state is not None

    assert indentation(left, "\n}\n").fits(begun.encode(), start, state, written=0) == fits


@pytest.mark.parametrize(("blanks", "due"), [("\t", 16), ("  ", 4), ("   ", 6), ("", None)])
def test_where_no_other_line_is_indented_the_line_of_the_cursor_shows_the_level(blanks: str, due: int | None) -> None:
    """In a new file the blanks that an editor gives a line are those of its block, and the next lines follow them."""
    found = indentation(f"fn f(a) {{\n{blanks}", "\n}\n")

    assert (found.unit is None) == (due is None)
    assert due is None or found.due(2) == due


@pytest.mark.parametrize(
    ("text", "laid_out"), [("\n    if a { x = 1;", "\n    }\n}"), ("\n\tif a { x = 1;", "\n\t}\n}"), (" x = 1;", "}")]
)
def test_a_text_whose_lines_are_the_only_indented_ones_is_closed_like_them(text: str, laid_out: str) -> None:
    """The lines of the text show the level where the file does not; one line stays one."""
    left = "fn f(a) {"
    state = language().quotient(left, "").start.advance(text)
    assert state is not None

    closing = "}}" if "if" in text else "}"
    assert indentation(left, "").lay_out(state, closing, text) == laid_out


@pytest.mark.parametrize(
    ("begun", "closing", "laid_out"),
    [
        ("if a { x = 1", ";}", ";\n  }"),
        ("if a { if b { x = 1;", "}}", "\n    }\n  }"),
        ("if a {", "}", "}"),
        ("if a {\n    ", "}", "}"),
        ("do x = 1;", "end", "\n  end"),
        ("x = [1", "];", "];"),
    ],
)
def test_the_end_of_a_block_has_a_line_of_its_own(begun: str, closing: str, laid_out: str) -> None:
    """A closing is spread over lines where it closes blocks, and still closes."""
    state = language().quotient(LEFT, RIGHT).start.advance(begun)
    assert state is not None

    assert indentation(LEFT, RIGHT).lay_out(state, closing) == laid_out
    assert state.accepts(laid_out)


def test_the_end_of_a_block_behind_the_bracket_of_the_cursor_has_a_line_of_its_own() -> None:
    """A text that closes the bracket that it began in is closed as any other."""
    left, right = "fn f(a) {\n  if a {\n    x = [1", "\n}\n"
    state = language().quotient(left, right).start.advance("];")
    assert state is not None

    assert indentation(left, right).lay_out(state, "}") == "\n  }"
