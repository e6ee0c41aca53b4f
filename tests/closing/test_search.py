"""The search finds the shortest closing, the blanks of its lines included."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from tests.languages import shared_language

import dovetail

LINES = dovetail.load_language(Path(__file__).parent / "lines.lark")
PIECES = ["a", "b", "k", "l", ":", "\n", "\n ", "\n  ", "\n    "]


@pytest.mark.parametrize("width", [1, 2, 3, 8])
def test_a_line_costs_its_blanks(width: int) -> None:
    """In a deep block the text of one line is shorter, and in a flat one that of two lines."""
    blanks = " " * width
    closing = LINES.quotient(f"b:\n{blanks}", f"z\n{blanks}a\n", tolerant=False).start.closing()

    assert closing == (f"k\n{blanks}" if width < 2 else "klll")


@pytest.mark.parametrize("left", ["", "b:\n  ", "b:\n  b:\n    ", "b:\n    k", "b:\n  a\n  b"])
@pytest.mark.parametrize("right", ["z\n", "\n", "a\n", ":\n     a\n", "z\n  a\n"])
def test_no_text_is_shorter(left: str, right: str) -> None:
    """No shorter text of some pieces makes a program."""
    start = LINES.quotient(left, right, tolerant=False).start
    texts = sorted({"".join(pieces) for length in range(5) for pieces in product(PIECES, repeat=length)}, key=len)
    shortest = next((text for text in texts if LINES.accepts(left + text + right)), None)
    closing = start.closing()

    assert shortest is None or (closing is not None and len(closing) <= len(shortest))
    assert closing is None or LINES.accepts(left + closing + right)


def test_a_way_that_nothing_can_spell_hides_no_other() -> None:
    """Of two brackets with one sign only one can be read behind the angle bracket, and it closes the type."""
    language = shared_language("typescript")
    quotient = language.quotient("", "}\n>", tolerant=False)
    closing = quotient.start.closing()

    assert quotient.viable
    assert closing is not None
    assert language.accepts(closing + "}\n>")


@pytest.mark.parametrize("around", ["{ ", "namespace A { ", "declare module 'a' {\n", "function f() { if (a) { "])
@pytest.mark.parametrize("begun", ["(q", "a;  (q", "a: {};  (q:", "(q)"])
def test_a_sign_of_another_mode_hides_none_inside_of_others(around: str, begun: str) -> None:
    """Of two braces with one sign only one ends the interface, and what comes after either is the same."""
    language = shared_language("typescript")
    left = f"{around}interface B {{ {begun}"
    closing = language.quotient(left, "", tolerant=False).start.closing()

    assert closing is not None
    assert language.accepts(left + closing)


def test_a_blank_is_tried_where_nothing_is_sure_to_keep_signs_apart() -> None:
    """Behind `<` a blank may begin type parameters, and a comment without it makes the sign of a closing tag."""
    language = shared_language("typescriptreact")
    left, right = "x = (\n <A/>", "b}\n c\n d={e}\n />\n);\n"
    closing = language.quotient(left, right, tolerant=False).start.closing()

    assert closing is not None
    assert language.accepts(left + closing + right)


@pytest.mark.parametrize("name", ["javascript", "typescript"])
@pytest.mark.parametrize(
    "left", ["for(l", "for (var", "for (a = 1;", "for (;;", "if (a) {\n  for (let [b", "import *", "import*/*"]
)
def test_an_unfinished_statement_at_the_end_is_closed(name: str, left: str) -> None:
    """In the header of a loop the semicolon is a terminal of its own; a name with a blank may begin a label."""
    closing = shared_language(name).quotient(left, "", tolerant=False).start.closing()

    assert closing is not None
    assert shared_language(name).accepts(left + closing)


@pytest.mark.parametrize("name", ["javascriptreact", "typescriptreact"])
@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("function f() {\n", "{a}\n</b>\n);\n}\n"),
        ("f(", "/b>\n</c>)\n"),
        ("f(", "/b>\n<a/>\n</c>)\n"),
        ("a = ", "{a}</b>"),
        ("", "{a}\n</b>"),
    ],
)
def test_a_lexeme_that_might_go_on_is_closed_all_the_same(name: str, left: str, right: str) -> None:
    """No blank keeps `<` and a name apart from the type parameters that they might begin."""
    language = dovetail.load_language(name)
    quotient = language.quotient(left, right, tolerant=False)
    closing = quotient.start.closing()

    assert quotient.viable
    assert closing is not None
    assert language.accepts(left + closing + right)
