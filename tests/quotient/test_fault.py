"""The place where a text stops being the beginning of a program."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest
from tests.fuzz.cases import make_case
from tests.fuzz.mutations import mutated

if TYPE_CHECKING:
    from dovetail import Language


def plain_fault(language: Language, text: str) -> tuple[int, tuple[str, ...]] | None:
    """Return offset and expectations of a fault, found one character after the other."""
    state = language.quotient("", "").start
    for offset, character in enumerate(text):
        after = state.advance(character)
        if after is None:
            return offset, tuple(sorted(state.expected()))
        state = after
    return None if state.accepting else (len(text), tuple(sorted(state.expected())))


def found_fault(language: Language, text: str) -> tuple[int, tuple[str, ...]] | None:
    fault = language.error(text)
    return None if fault is None else (fault.offset, tuple(sorted(fault.expected)))


@pytest.mark.parametrize("number", range(30))
def test_halving_finds_what_reading_finds(python: Language, number: int) -> None:
    """In broken files the fault is the one that is met when each character is judged in turn."""
    random = Random(number)
    case = make_case(11, number, mutate=True, largest=900)
    text = case.left + mutated(random, case.middle) + case.right

    assert found_fault(python, text) == plain_fault(python, text)


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
    assert found_fault(python, text) == plain_fault(python, text)


@pytest.mark.parametrize("offset", [0, 1, 254, 255, 256, 257, 511, 512, 513, 600])
def test_faults_between_pieces(json: Language, offset: int) -> None:
    """A fault is found wherever it lies among the pieces in which a text is read."""
    text = "[" + "1," * 400
    text = text[:offset] + "}" + text[offset:]

    fault = json.error(text)

    assert fault is not None
    assert fault.offset == offset


def test_a_message(python: Language) -> None:
    """A fault says its line and column, what stands there, and what was expected, most wanted first."""
    assert str(python.error("x = 1\r\nif x:\npass\n")) == (
        "line 3, column 1: 'p' does not fit here; expected an indented block"
    )
    assert str(python.error("print((1, 2)")).startswith(
        "line 1, column 13: the end of the text does not fit here; expected `)`, "
    )
