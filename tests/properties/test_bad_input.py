"""Answers to any text that an editor may hold: a verdict and never an exception."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from tests.strategies import unruly_texts

if TYPE_CHECKING:
    from dovetail import Language

SETTINGS = settings(
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
PIECES: list[str | bytes] = ["", "x", "\0", "\ud800", "\n", '"', b"\xff", b"\xc3", b"\0", b""]


def probe(language: Language, left: str, right: str) -> None:
    """Ask everything that can be asked about two texts."""
    assert language.accepts(left + right) in {True, False}
    language.error(left + right)
    for tolerant in (True, False):
        quotient = language.quotient(left, right, tolerant=tolerant)
        assert quotient.viable in {True, False}
        if not quotient.viable:
            continue
        for piece in PIECES:
            state = quotient.start.advance(piece)
            if state is not None:
                assert state.accepting in {True, False}
                state.closing()
                state.expected()
    document = language.document(left + right)
    document.quotient(len(left))
    document.edit(0, len(left), right)
    document.quotient(len(right))


@SETTINGS
@given(left=unruly_texts(), right=unruly_texts())
def test_unruly_python(python: Language, left: str, right: str) -> None:
    """Python with anything on both sides of the cursor gets a verdict."""
    probe(python, left, right)


@SETTINGS
@given(left=unruly_texts(), right=unruly_texts())
def test_unruly_json(json: Language, left: str, right: str) -> None:
    """JSON with anything on both sides of the cursor gets a verdict."""
    probe(json, left, right)


@pytest.mark.parametrize("text", ["", "\0", "\ud800", "\ufeff", "\r", "\x0c", " ", "\t", "\\", "#", "é"])
def test_smallest_texts(python: Language, json: Language, text: str) -> None:
    """A text of one character, or none, gets a verdict with the cursor at both of its ends."""
    for language in (python, json):
        probe(language, text, "")
        probe(language, "", text)


def test_texts_with_what_no_program_holds(python: Language) -> None:
    """Null bytes and lone surrogates are in no program, so nothing fits beside them."""
    for wrong in ("\0", "\ud800"):
        assert not python.accepts(f"x = 1{wrong}\n")
        assert not python.quotient(f"x = 1{wrong}\n", "", tolerant=False).viable
        assert not python.quotient("", f"x = 1{wrong}\n", tolerant=False).viable
        assert python.quotient("", "").start.advance(wrong) is None


MEGABYTE = 1_000_000
LONG_LINES = {
    "a list": "x = [" + "1, " * (MEGABYTE // 3) + "]\n",
    "a string": "x = '" + "a" * MEGABYTE + "'\n",
    "a comment": "#" + "x" * MEGABYTE,
    "an open quote": "'" + "x" * MEGABYTE,
    "a sum": "x = " + "+".join(["1"] * (MEGABYTE // 2)),
}


@pytest.mark.parametrize("name", LONG_LINES)
def test_a_megabyte_on_one_line(python: Language, name: str) -> None:
    """A line of a megabyte before the cursor gets a verdict."""
    text = LONG_LINES[name]

    assert python.accepts(text) == (name != "an open quote")
    assert python.quotient(text, "").viable


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name == "a string" else pytest.mark.long) for name in LONG_LINES],
)
def test_a_megabyte_on_one_line_around_the_cursor(python: Language, name: str) -> None:
    """A line of a megabyte with the cursor in its middle gets a verdict."""
    half = len(LONG_LINES[name]) // 2

    assert python.quotient(LONG_LINES[name][:half], LONG_LINES[name][half:], tolerant=False).viable


@pytest.mark.parametrize(("opener", "closer"), ["()", "[]", "{}"], ids="".join)
def test_deep_brackets(python: Language, opener: str, closer: str) -> None:
    """Many open brackets before the cursor and many closers after it get the right closing."""
    left = python.quotient(opener * 150, "", tolerant=False).start.closing()
    both = python.quotient(opener * 12, closer * 11 + "\n", tolerant=False).start.closing()

    assert left is not None
    assert left.endswith(closer * 150)
    assert both == closer
