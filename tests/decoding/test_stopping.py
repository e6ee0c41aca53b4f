"""The rule that the rest of the line is not swallowed, with the real engine."""

from __future__ import annotations

import ast

import pytest
from tests.decoding.scripted_proposer import ScriptedProposer, writes

import dovetail
from dovetail.decoding.decoder import complete
from dovetail.decoding.limits import Limits
from dovetail.decoding.stopping import Stopping


@pytest.fixture(name="language", scope="module")
def _language() -> dovetail.Language:
    return dovetail.load_language("python", target="3.11")


def completed(language: dovetail.Language, left: str, right: str, *pieces: bytes) -> str | None:
    """Return what comes of a model that wants to write the pieces and to end."""
    proposer = ScriptedProposer(sorted(set(pieces)), writes(*pieces))
    limits = Limits(max_tokens=30)
    return complete(proposer, lambda: language.quotient(left, right), left, right, limits).text


@pytest.mark.parametrize(
    ("left", "right", "guarded"),
    [
        ("x = f(", "a)\n", True),
        ("x = f(", "\na)\n", False),
        ("x = f(", " \t\r\n)\n", False),
        ("x = f(", "", False),
        ("# here", " goes on\n", False),
        ("x = 'here", " goes on'\n", False),
        ('"""here', ' goes on\n"""\n', False),
        ("", "x y z\n", False),
    ],
)
def test_where_the_rule_has_a_say(
    language: dovetail.Language, left: str, right: str, guarded: bool
) -> None:
    """The line goes on, the cursor is in the code, and something else than a comment connects the two sides."""
    assert Stopping(language.quotient(left, right).start, right).guarded == guarded


def test_a_swallowed_line_is_no_place_to_stop(language: dovetail.Language) -> None:
    """A program that has the rest of the line in a comment is none to stop at; the same one without is."""
    right = "+ 1\n"
    start = language.quotient("x = ", right).start
    stopping = Stopping(start, right)
    plain, commented = start.advance("y"), start.advance("y #")

    assert plain is not None
    assert commented is not None
    assert (plain.accepting, stopping.may_stop(plain)) == (True, True)
    assert (commented.accepting, stopping.may_stop(commented)) == (True, False)


def test_the_bracket_is_not_left_by_a_comment(language: dovetail.Language) -> None:
    """A model that would close the bracket and comment the rest out is not let."""
    left, right = "x = sum(a * ", "for a in b)\ny\n"

    text = completed(language, left, right, b"a", b")", b"#", b" ")

    assert text is not None
    assert any(isinstance(node, ast.GeneratorExp) for node in ast.walk(ast.parse(left + text + right)))


def test_comments_of_their_own_lines_are_welcome(language: dovetail.Language) -> None:
    """Before the rest of a line a comment is let through that ends with a line of its own."""
    pieces = (b"# why", b"\n", b"    ", b"y", b" = 1", b"\n", b"    ")

    text = completed(language, "def f(x):\n    ", "return x\n", *pieces)

    assert text == b"".join(pieces).decode()
