"""The lexer: characters to terminals, with one lexeme always pending.

Worked example, over numbers and signs: after `1 + 2.` the lexer has passed on `NUMBER PLUS`. The number 2 is pending,
since `2.5` may follow. Its state keeps three things: where the automaton stands (`at`, after `2.`), the last terminal
that the lexeme was (`accepted`, NUMBER after `2`), and the text read since then (`rest`, the dot).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.oracles.cpython import TARGET

import dovetail
from dovetail.automata.dfa import START

if TYPE_CHECKING:
    from pathlib import Path

    from dovetail.lexing.lexer import Emission, LexerState
    from dovetail.quotient.machine import Machine

SUMS = r"""
start: sum
sum: sum "+" item | item
item: NUMBER | "(" sum ")"
NUMBER: /[0-9]+(\.[0-9]+)?/
WS: / +/
%ignore WS
"""
PYTHON = dovetail.load_language("python", target=TARGET).machine


@pytest.fixture(name="sums")
def sums_machine(tmp_path: Path) -> Machine:
    """Return the machine of a small grammar without layout."""
    path = tmp_path / "sums.lark"
    path.write_text(SUMS, encoding="utf-8")
    return dovetail.load_language(path).machine


def names(machine: Machine, emissions: list[Emission]) -> str:
    """Return the names of terminals, an indent with its column."""
    found = machine.compiled.productions.names
    return " ".join(found[terminal] + (f"@{column[0]}" if column else "") for terminal, column in emissions)


def names_of(machine: Machine) -> list[str]:
    """Return the names of a grammar's symbols by number."""
    return machine.compiled.productions.names


def lexed(machine: Machine, text: str) -> tuple[LexerState, str]:
    """Return the state after a text and the names of what it completed."""
    read = machine.lexer.lex(machine.lexer.start, text)
    assert read is not None
    return read[0], names(machine, read[1])


def test_the_last_lexeme_is_pending(sums: Machine) -> None:
    """A lexeme is passed on when the next character shows that it is over, and no sooner."""
    state, passed_on = lexed(sums, "1 + 2.")

    assert passed_on == "NUMBER PLUS"
    assert (state.at == START, state.accepted, state.rest) == (False, names_of(sums).index("NUMBER"), ".")


def test_a_lexeme_that_comes_to_nothing_falls_back(sums: Machine) -> None:
    """`1.` is no number, so it falls back to `1`; the dot that is left begins nothing."""
    number, _ = lexed(sums, "1.5")
    cut_short, _ = lexed(sums, "1.")
    fallen = sums.lexer.fallen_back(number)

    assert fallen is not None
    assert names(sums, fallen[1]) == "NUMBER"
    assert sums.lexer.fallen_back(cut_short) is None


def test_a_rest_is_read_again() -> None:
    """In Python `1e` falls back to the number 1 and a pending `e`, as in `1else`."""
    state, _ = lexed(PYTHON, "1e")
    fallen = PYTHON.lexer.fallen_back(state)

    assert fallen is not None
    assert names(PYTHON, fallen[1]) == "REAL"
    assert fallen[0] == lexed(PYTHON, "x = 1; e")[0]._replace(line=None)


@pytest.mark.parametrize(
    ("text", "terminals"),
    [
        ("if x:\n    y = 1\nz", "IF NAME COLON NEWLINE INDENT@4 NAME EQUAL REAL NEWLINE DEDENT"),
        ("f(1,\n  2)\n# no content\nx", "NAME LPAR REAL COMMA REAL RPAR NEWLINE"),
        ("x = 1 + \\\n  2\n", "NAME EQUAL REAL PLUS REAL"),
        ("\n\n  # nothing yet\n", ""),
    ],
    ids=["blocks", "brackets", "continuation", "blank lines"],
)
def test_layout_becomes_terminals(text: str, terminals: str) -> None:
    """Line ends and columns are terminals where they mean something, and nothing elsewhere."""
    assert lexed(PYTHON, text)[1] == terminals


@pytest.mark.parametrize("text", ["$", "a $ ", "if x:\n    y\n  z", "'a\n"])
def test_what_no_lexeme_begins_with_is_refused(text: str) -> None:
    """A character that no lexeme goes on with, and a column that no open block has, end the reading."""
    assert PYTHON.lexer.lex(PYTHON.lexer.start, text) is None


def test_reading_in_pieces_is_reading_at_once() -> None:
    """However a text is cut in two, the state and the terminals are the same."""
    text = "def f(x):\n    if x:\n        y = '''a\n'''; z = 1_0.e5\n  # c\n\n    \\\n  return f'{x!r:>{y}}'\n"
    start = PYTHON.lexer.start
    whole = PYTHON.lexer.lex(start, text)
    assert whole is not None
    for cut in range(len(text)):
        first = PYTHON.lexer.lex(start, text[:cut])
        assert first is not None
        second = PYTHON.lexer.lex(first[0], text[cut:])
        assert second is not None
        assert whole == (second[0], first[1] + second[1])


@pytest.mark.parametrize("text", ["x", "x = 1", "f(x", "# c", "    # c", "  \\\n", "f'{x", "f'{x}", "\n", "x\n", "(\n"])
def test_the_rule_is_that_of_the_loop(text: str) -> None:
    """`ended_as` leaves what `lex` leaves as soon as a character shows that the lexeme is over."""
    lexer = PYTHON.lexer
    state, _ = lexed(PYTHON, text)
    steps = lexer.scanners[lexer.modes.scanner_of[state.stack]].steps[state.at]
    over = [character for character in "x1\n#(+}' " if steps[character] < 0]
    ended = lexer.ended_as(state, state.accepted)
    assert ended is not None
    for character in over:
        again = lexer.lex(ended[0], character)
        expected = None if again is None else (again[0], ended[1] + again[1])

        assert expected == lexer.lex(state, character)


def test_error_terminals_end_nothing() -> None:
    """An unclosed string is no terminal, though its beginning is one."""
    state, _ = lexed(PYTHON, "'''abc")

    assert PYTHON.lexer.ended_as(state, state.accepted) is None
    assert PYTHON.lexer.finish(state) is None


def test_the_end_of_a_text_ends_its_line_and_its_blocks() -> None:
    """The last line and the open blocks are closed at the end of a text."""
    state, _ = lexed(PYTHON, "if x:\n    y")
    final = PYTHON.lexer.finish(state)

    assert final is not None
    assert names(PYTHON, final) == "NAME NEWLINE DEDENT $END"
