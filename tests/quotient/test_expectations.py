"""The expected terminals at a place are those that come there in programs, and all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.fuzz.cases import make_case

from dovetail import load_language
from dovetail.automata.dfa import START

if TYPE_CHECKING:
    from tests.fuzz.cases import Case

    from dovetail import Language, Quotient

PLACES = [
    ("", ""),
    ("x = ", ""),
    ("x = 'ab", ""),
    ("x = 'a", "b'\n"),
    ("x = ", "b']\n"),
    ("fo", ""),
    ("x = foo", "\ny = 2\n"),
    ("for x in y", ":\n  pass\n"),
    ("for x in ", "y:\n  pass\n"),
    ("def f():\n    x = (1, ", ")\n    return x\n"),
    ("x = 0 if b == 1e", "lse 2\n"),
    ("from ..", " import x\n"),
    ("x = 1 <", "= 2\n"),
    ("x = [1, 2", ""),
    ("(x # a comment", ""),
    ("x # a comment", "\n"),
    ("# a comment", ""),
    ("x = \\\n", "1\n"),
    ("if x:\n", ""),
    ("if x:\n", "    y = 2\n"),
    ("if x:\n    y\n", "z\n"),
    ("try:\n    x\n", "\ny\n"),
    ("try:\n    x\n  ", ""),
    ("class A:\n    def f(self):\n        pass\n    ", "def g(self): pass\n"),
    ("f'a", "b'\n"),
    ("f'{x", "}'\n"),
    ("f'{x:", "}'\n"),
    ("x = f'{", "}' + y\n"),
    ('x = """a', ""),
    ("@x", "\ndef f(): pass\n"),
]

ENDS = ("", " ", "\n", '"', "'", "{x}")
"""Text that ends a lexeme, of whatever kind, so that a closing does not make another of it."""

CASES = [make_case(9, number, mutate=False, largest=300) for number in range(6)]


def begun_and_ended(language: Language, text: str, offset: int) -> tuple[int, int]:
    """Return how many terminals of a program begin before an offset and how many end by it."""
    lexer = language.machine.lexer
    read = lexer.lex(lexer.start, text[:offset])
    assert read is not None
    state, emissions = read
    while state.at != START:
        terminal, end = lexer.scanners[lexer.modes.scanner_of[state.stack]].finish(state.at, text, offset)
        if end > offset:
            way = lexer.modes.transitions(state.stack, terminal)[0]
            counts = way.is_seen(blank=state.line is not None)
            return len(emissions) + counts, len(emissions)
        again = lexer.fallen_back(state)
        assert again is not None
        state = again[0]
        emissions += again[1]
    return len(emissions), len(emissions)


def next_terminal(language: Language, left: str, middle: str, right: str) -> int | None:
    """Return the first terminal of a program of which something lies in a middle, or None."""
    text = left + middle + right
    at_start = begun_and_ended(language, text, len(left))
    at_end = begun_and_ended(language, text, len(left) + len(middle))
    if at_end[0] <= at_start[1]:
        return None
    lexer = language.machine.lexer
    whole = lexer.lex(lexer.start, text)
    assert whole is not None
    if at_start[1] < len(whole[1]):
        return whole[1][at_start[1]][0]
    rest = lexer.finish(whole[0])
    assert rest is not None
    return rest[0][0]


def came(language: Language, quotient: Quotient, left: str, right: str, middle: str) -> int | None:
    """Return the terminal that a middle, closed to a program, brings; None if nothing becomes of it."""
    state = quotient.start.advance(middle)
    closing = state.closing() if state is not None else None
    return None if closing is None else next_terminal(language, left, middle + closing, right)


def check_place(language: Language, left: str, right: str) -> None:
    """Compare what is expected at a place with what comes when everything that has a spelling is tried there."""
    quotient = language.quotient(left, right)
    expected = {expectation.terminal: expectation for expectation in quotient.expectations()}

    for expectation in expected.values():
        assert quotient.start.advance(expectation.text) is not None, expectation
        brought = (came(language, quotient, left, right, expectation.text + end) for end in ENDS)
        assert expectation.terminal in brought, expectation
    for word in sorted({*language.machine.spelling.texts, "xx", "1.5", "'x'"} - {""}):
        for separator in ("", " ", "\n"):
            for end in ("", " "):
                terminal = came(language, quotient, left, right, separator + word + end)
                assert terminal is None or terminal in expected, (separator + word + end, terminal)


@pytest.mark.parametrize(("left", "right"), PLACES)
def test_expected_is_what_may_come(python: Language, left: str, right: str) -> None:
    """Every terminal that is expected can come, by the text that is given, and none that can come is missing."""
    check_place(python, left, right)


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_expected_at_random_places(python: Language, case: Case) -> None:
    """At random cuts of real files, too, exactly what can come is expected."""
    check_place(python, case.left, case.right)


@pytest.mark.parametrize(
    ("left", "right"),
    [("", ""), ("[1", "]"), ('{"a', ""), ("{", "}"), ('{"a": ', '"}'), ("[-", ""), ("[1.", ""), ("[t", "]")],
)
def test_expected_in_json(json: Language, left: str, right: str) -> None:
    """In a language without layout exactly what can come is expected."""
    check_place(json, left, right)


def names(language: Language, left: str, right: str = "") -> tuple[str, ...]:
    return language.quotient(left, right).start.expected()


def test_a_string_in_progress(python: Language) -> None:
    """In the middle of a string nothing but the string itself may come."""
    assert names(python, "x = 'ab") == ("string",)


def test_a_name_in_progress(python: Language) -> None:
    """A name in progress may go on, become a keyword, or be over."""
    found = names(python, "x = Non")

    assert found[0] == "augmented" or "name" in found
    assert {"name", "`None`", "`+`", "the end of the line"} <= set(found)
    assert "string" not in found


def test_after_a_comment(python: Language) -> None:
    """After a comment only the line's end may come."""
    assert names(python, "x # a") == ("the end of the line",)


def test_a_block_is_due(python: Language) -> None:
    """After a header nothing but an indented block may come."""
    assert names(python, "if x:\n") == ("an indented block",)


def test_a_block_may_end(python: Language) -> None:
    """In a block what leaves it is one expectation, shown by a text that does."""
    quotient = python.quotient("try:\n    x\n", "")
    found = {expectation.name: expectation.text for expectation in quotient.expectations()}

    assert found["the end of the block"] == "except"
    assert found["`pass`"] == "    pass"


def test_only_what_the_mode_knows(python: Language) -> None:
    """Inside an f-string its text, its end and its fields may come, and no terminal of another mode."""
    found = names(python, "f'ab", "'")

    assert "`{`" in found
    assert "name" not in found


@pytest.mark.parametrize("name", ["javascript", "typescript"])
@pytest.mark.parametrize(
    ("left", "is_expected"),
    [
        ("const a = ", False),
        ("class A { f() {} }\nconst a = ", False),
        ("function f() { return a.", False),
        ("class A { ", True),
        ("class A {\n  f() {\n    return ", True),
        ("const A = class { b = () => { return this.", True),
    ],
)
def test_only_what_stands_there(name: str, left: str, is_expected: bool) -> None:
    """A private name is expected in classes alone, though the grammar lets it stand elsewhere."""
    assert ("private name" in names(load_language(name), left)) == is_expected
