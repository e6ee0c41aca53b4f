"""The remembered verdicts on the rest of a text are those of reading it again."""

from __future__ import annotations

from random import Random

import pytest
from tests.fuzz.sources import passage
from tests.oracles.cpython import TARGET, parses
from tests.suffix.small import PAIR

import dovetail
from dovetail.suffix.builder import SuffixBuilder
from dovetail.suffix.top_level import TopLevelSuffixes

PYTHON = dovetail.load_language("python", target=TARGET)
MACHINE = PYTHON.machine
AFTER_STATEMENTS = next(
    state
    for state in MACHINE.suffix_grammar.top_level.states
    if MACHINE.compiled.productions.names[MACHINE.suffix_grammar.entering[state]] not in ("file", "$END")
)
"""The state of a file after some statements."""


def fresh() -> TopLevelSuffixes:
    """Return what remembers nothing yet."""
    return TopLevelSuffixes(MACHINE.compiled, MACHINE.chains)


def broken(random: Random, text: str) -> str:
    """Return a text with one character more or less."""
    at = random.randrange(len(text))
    return text[:at] + random.choice(["(", ")", "'", '"""', ":", "\n", "", "    "]) + text[at + 1 :]


@pytest.mark.parametrize("seed", range(40))
def test_as_the_interpreter(seed: int) -> None:
    """From each line at column zero the rest parses if CPython says so, in whatever order it is asked for."""
    random = Random(seed)
    text = passage(random, 1_500)[1]
    if seed % 2:
        text = broken(random, text)
    lines = [0] + [at + 1 for at, character in enumerate(text[:-1]) if character == "\n" and text[at + 1].isalpha()]
    # A line inside a string or bracket is a line at column zero for who reads from there.
    random.shuffle(lines)
    remembering = fresh()

    for offset in lines:
        verdict = remembering.parses(MACHINE.lexer, text, offset, AFTER_STATEMENTS)
        assert verdict == fresh().parses(MACHINE.lexer, text, offset, AFTER_STATEMENTS)
        assert verdict == parses("pass\n" + text[offset:])


def test_an_edit_above_keeps_what_is_below(monkeypatch: pytest.MonkeyPatch) -> None:
    """A text that ends like one that was read is read only up to the first line that both have."""
    below = "def f(x):\n    return x\n" * 50
    remembering = fresh()
    assert remembering.parses(MACHINE.lexer, below, 0, AFTER_STATEMENTS)
    read: list[str] = []
    plain = type(MACHINE.lexer).lex
    monkeypatch.setattr(
        type(MACHINE.lexer), "lex", lambda self, state, text: read.append(text) or plain(self, state, text)
    )

    assert remembering.parses(MACHINE.lexer, "x = 1\n" + below, 0, AFTER_STATEMENTS)
    assert sum(map(len, read)) < 100
    assert not remembering.parses(MACHINE.lexer, "x = \n" + below, 0, AFTER_STATEMENTS)
    assert remembering.parses(MACHINE.lexer, below, 0, AFTER_STATEMENTS)


def test_only_texts_of_late_are_remembered() -> None:
    """Few texts are kept, however many are read."""
    remembering = fresh()
    for number in range(50):
        remembering.parses(MACHINE.lexer, f"x = {number}\n", 0, AFTER_STATEMENTS)

    assert len(remembering._kept) < 10


def test_the_automaton_ends_at_column_zero() -> None:
    """A right context is parsed from an unknown stack only up to a line at column zero where all blocks have ended."""
    statements = "def f(x):\n    return x\n" * 20
    quotient = PYTHON.quotient("if x:\n    y = (", "1)\n" + statements)

    assert quotient.viable
    assert max(position.offset for position in quotient.recognizer.automaton.lookaheads) <= len(statements) / 10


def test_the_end_of_a_line_begins_no_statement() -> None:
    """The text is not cut where a line end at column zero reduces what began above: a line end is no line."""
    assert PAIR.quotient("b", "\na\n", tolerant=False).viable


@pytest.mark.parametrize(
    ("left", "right", "viable"),
    [
        ("if x:\n    y\n", "else:\n    z\n", True),
        ("x\n", "else:\n    z\n", True),  # the middle may be an `if`
        ("@f\n", "def g():\n    z\n", True),
        ("@f\n", "x = 1\n", True),  # the middle may be a function
        ("@f", "\nx = 1\n", True),
        ("if x: y\n", "z = 1\nw = )\n", False),
        ("x = (\n", "y = 1\nz = 2\n", True),
        ("'''\n", "y = 1\n'''\nz = 2\n", True),
        ("'''\n", "y = 1\n'''\nz = 2 2\n", False),
        ("class A:\n    x = 1\n", "    y = 2\nz = 3\n", True),
        ("class A:\n    x = 1\n", "z = 3\nw = 1\n  y = 2\n", False),
        ("x = 1\\\n", "\ny = 1\n", True),
    ],
)
def test_column_zero(left: str, right: str, viable: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The text goes on being parsed if a line at column zero is no boundary, and the verdict is the plain one."""
    found = PYTHON.quotient(left, right, tolerant=False)
    monkeypatch.setattr(SuffixBuilder, "_by_top_level", lambda *_: False)
    plain = PYTHON.quotient(left, right, tolerant=False)

    assert (found.viable, found.start.accepting) == (plain.viable, plain.start.accepting)
    assert found.viable == viable
