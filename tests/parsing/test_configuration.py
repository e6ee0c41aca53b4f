"""A configuration: parse stacks and lexer state after a text.

Worked example: after `f(1e` the stacks have seen `f (`, and `1e` is pending. It may end as nothing, but
it may fall back:
then the stacks have seen `f ( 1`, and `e` is pending.
"""

from __future__ import annotations

import pytest
from tests.oracles.cpython import TARGET

import dovetail
from dovetail.parsing.configuration import Configuration

PYTHON = dovetail.load_language("python", target=TARGET).machine
LEXER = PYTHON.lexer
STACKS = PYTHON.stacks()
START = Configuration((STACKS.bottom,), LEXER.start)


def after(text: str) -> Configuration:
    """Return the configuration after a text that begins some program."""
    found = START.read(LEXER, STACKS, text)
    assert found is not None
    return found


def test_reading_in_pieces_is_reading_at_once() -> None:
    """The configuration depends on the text alone, so it serves as a key."""
    text = "def f(x):\n    return {x: [1, 'a'], **y}\n"
    for cut in range(len(text)):
        assert after(text[:cut]).read(LEXER, STACKS, text[cut:]) == after(text)


@pytest.mark.parametrize("text", ["x = )y", "a $", "if x:\n    y\n  z"])
def test_what_does_not_go_on_is_none(text: str) -> None:
    """None says that no program begins with the text: by its lexemes, its terminals or its columns."""
    assert START.read(LEXER, STACKS, text) is None


def test_a_pending_lexeme_may_end_as_a_terminal() -> None:
    """A name ends as a name; what is read next is read as after a blank."""
    pending = after("f(x")
    ended = pending.ended_as(LEXER, STACKS, pending.lexer.accepted)

    assert ended is not None
    assert ended.read(LEXER, STACKS, ")") == pending.read(LEXER, STACKS, ")")


def test_a_pending_lexeme_falls_back() -> None:
    """`1e` falls back to `1` and `e`, so that `1else` can follow."""
    pending = after("x = y if z == 1e")
    fallen = pending.fallen_back(LEXER, STACKS)

    assert fallen is not None
    assert fallen.read(LEXER, STACKS, "lse") == pending.read(LEXER, STACKS, "lse")


@pytest.mark.parametrize(
    ("text", "whole"),
    [("", True), ("x = 1", True), ("if x:\n    y", True), ("x = ", False), ("f(x", False), ("'''", False)],
)
def test_finished_means_a_whole_program(text: str, whole: bool) -> None:
    """A text is a program if it may end where it does: with its last line and its blocks closed there."""
    assert after(text).finished(LEXER, STACKS) == PYTHON.accepts(text) == whole


@pytest.mark.parametrize(("text", "may"), [("x = 1", True), ("x = 1 i", True), ("x = 1 y", False), ("x = 1 # y", True)])
def test_a_pending_lexeme_has_to_come_to_something(text: str, may: bool) -> None:
    """After a number `i` may become `if` or `in`; `y` comes to a name alone, which fits nothing there."""
    assert after(text).may_go_on(LEXER, STACKS) == may
