"""Nothing is read in a mode that can only be left by spellings that do not come any more."""

from __future__ import annotations

import pytest
from tests.oracles.cpython import TARGET

import dovetail
from dovetail.lexing.modes import NOTHING
from dovetail.suffix.last_closers import LastClosers

PYTHON = dovetail.load_language("python", target=TARGET).machine
MODES = PYTHON.lexer.modes
BRACKET = next(number for number, mode in enumerate(PYTHON.compiled.modes) if mode.name == "bracket")


@pytest.mark.parametrize(("text", "last"), [("a) + b]\n", 6), ("a + b\n", -1), ("'}'", 1), ("", -1)])
def test_an_open_bracket(text: str, last: int) -> None:
    """A bracket of unknown kind may be open up to the last closer, and nothing opened around it any longer."""
    last_closers = LastClosers(PYTHON.lexer, text)
    inside = MODES.push((BRACKET,), NOTHING)

    assert last_closers.of(inside) == last
    assert last_closers.of(MODES.push((0, BRACKET), NOTHING)) == len(text)
    assert last_closers.of(MODES.push((0,), inside)) == last
    assert last_closers.of(MODES.bottom) == len(text)


@pytest.mark.parametrize(
    ("terminal", "spelling"), [("LPAR", "("), ("LAMBDA", "lambda"), ("NAME", None), ("STAR", "*"), ("REAL", None)]
)
def test_terminals_of_one_spelling(terminal: str, spelling: str | None) -> None:
    """Terminals that are always spelled alike are found, and nothing else."""
    scanner = PYTHON.lexer.scanners[MODES.scanner_of[MODES.bottom]]

    assert scanner.only_spelling(PYTHON.compiled.productions.names.index(terminal)) == spelling


def test_modes_nested_deeper_than_calls() -> None:
    """However deep modes are nested, where they may be open is found."""
    stack = MODES.bottom
    for _ in range(5_000):
        stack = MODES.push((BRACKET,), stack)

    assert LastClosers(PYTHON.lexer, "a)b").of(stack) == 1
