"""The place where a text stops being the beginning of a program."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest
from tests.fuzz.cases import make_case
from tests.fuzz.mutations import mutated

if TYPE_CHECKING:
    from dovetail import Language


def plain_offset(language: Language, text: str) -> int | None:
    """Return the offset of a fault, found one character after the other."""
    state = language.quotient("", "").start
    for offset, character in enumerate(text):
        after = state.advance(character)
        if after is None:
            return offset
        state = after
    return None if state.accepting else len(text)


def found_offset(language: Language, text: str) -> int | None:
    fault = language.error(text)
    return None if fault is None else fault.offset


@pytest.mark.parametrize("number", range(30))
def test_halving_finds_what_reading_finds(python: Language, number: int) -> None:
    """In broken files the fault is the one that is met when each character is judged in turn."""
    random = Random(number)
    case = make_case(11, number, mutate=True, largest=900)
    text = case.left + mutated(random, case.middle) + case.right

    assert found_offset(python, text) == plain_offset(python, text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "x = (1,\n",
        "x = 1)\n",
        "x = '''" + "a\n" * 400,
        "x = 'a" + "a" * 700 + "\n",
        "if x:\npass\n",
        "if x:\n    y\n  z\n",
        "x = 0b\n",
        "x = 0b2\n",
        "\f\tx\n        y\n",
        "x = \\",
        "x = \\ \n",
        "$" * 600,
        " " * 600 + "x",
        "(" * 300 + ")" * 299,
        "x = f'{y",
        "x = f'{y!z}'",
        "\r\nx\ry\r\n  z",
        "x = 1 # comment",
    ],
)
def test_small_faults(python: Language, text: str) -> None:
    """Unfinished and wrong lexemes, columns and ends are found where reading finds them."""
    assert found_offset(python, text) == plain_offset(python, text)


@pytest.mark.parametrize("offset", [0, 1, 254, 255, 256, 257, 511, 512, 513, 600])
def test_faults_between_pieces(json: Language, offset: int) -> None:
    """A fault is found wherever it lies among the pieces in which a text is read."""
    text = "[" + "1," * 400
    text = text[:offset] + "}" + text[offset:]

    fault = json.error(text)

    assert fault is not None
    assert fault.offset == offset


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1\r\nif x:\npass\n", "line 3, column 1: 'p' does not fit here; expected an indented block"),
        ("x = (1 2)", "line 1, column 8: '2' does not fit here; expected `)`, "),
        ("print((1, 2)", "line 1, column 13: the end of the text does not fit here; expected `)`, "),
        ("x = 2 * for y\n", "line 1, column 12: `for` cannot end here; expected name"),
        ("x = 'abc\n", "line 1, column 9: `'abc` cannot end here; expected string"),
        ("x = " + "'" * 3 + "a" * 400, "line 1, column 408: `…" + "a" * 30 + "` cannot end here; expected string"),
        ("try:\n    x\ny\n", "line 3, column 1: 'y' does not fit here; expected `except`, `finally`"),
    ],
)
def test_messages(python: Language, text: str, message: str) -> None:
    """A fault says its place, what misfits, and what was expected in its column, most wanted first."""
    assert str(python.error(text)).startswith(message)
