"""The depth that Python allows, as CPython counts it: 200 brackets and 99 blocks, on both sides of a cut."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest
from tests.languages import shared_language
from tests.oracles.cpython import TARGET

if TYPE_CHECKING:
    import dovetail


@pytest.fixture(name="language", scope="module")
def _language() -> dovetail.Language:
    return shared_language("python", TARGET)


def parses(text: str) -> bool:
    """Return whether the running interpreter takes a text; the oracle of other tests leaves limits aside."""
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def nested(opener: str, closer: str, count: int) -> tuple[str, str]:
    """Return brackets up to the innermost place, and the rest."""
    return "x = " + opener * count, "1" + closer * count + "\n"


def blocks(count: int) -> tuple[str, str]:
    """Return blocks up to the innermost line, and lines of each of them after it."""
    before = "".join(" " * level + "if x:\n" for level in range(count))
    return before, " " * count + "y\n" + "".join(" " * level + "z\n" for level in reversed(range(count)))


@pytest.mark.parametrize(("opener", "closer"), [("(", ")"), ("[", "]"), ("{0:", "}"), ("f(", ")")])
@pytest.mark.parametrize("count", [199, 200, 201, 260])
def test_brackets(language: dovetail.Language, opener: str, closer: str, count: int) -> None:
    """More than two hundred are refused, wherever the text is cut."""
    left, right = nested(opener, closer, count)

    assert parses(left + right) == (count <= 200) == language.accepts(left + right)
    assert language.quotient(left, right, tolerant=False).start.accepting == (count <= 200)
    assert language.quotient("x = ", left[4:] + right, tolerant=False).start.accepting == (count <= 200)


@pytest.mark.parametrize("count", [98, 99, 100, 130])
def test_blocks(language: dovetail.Language, count: int) -> None:
    """A hundredth block is refused, wherever the text is cut."""
    left, right = blocks(count)

    assert parses(left + right) == (count <= 99) == language.accepts(left + right)
    assert language.quotient(left, right, tolerant=False).start.accepting == (count <= 99)
    assert language.quotient("", left + right, tolerant=False).start.accepting == (count <= 99)


def test_what_would_be_too_deep_is_refused_as_it_is_written(language: dovetail.Language) -> None:
    """At the limit no further bracket fits, and one that was closed makes room for another."""
    state = language.quotient("x = " + "(" * 200, "").start

    assert state.advance("(") is None
    assert state.advance("1)[") is not None
    assert state.advance("1)[[") is None


def test_a_text_that_ends_more_than_may_be_open_is_the_end_of_none(language: dovetail.Language) -> None:
    """More closers than may be open fit nothing, and neither do more blocks that end."""
    closers = [language.quotient("", "\n" + ")" * count + "\n", tolerant=False) for count in (200, 201)]
    ends = [language.quotient("", "\n" + blocks(count)[1], tolerant=False) for count in (100, 101)]

    # (A backslash before the first of the lines makes it part of the one before, so that it ends no block.)
    assert [quotient.viable for quotient in (*closers, *ends)] == [True, False, True, False]
    for quotient in (closers[0], ends[0]):
        closing = quotient.start.closing()
        assert closing is not None
        assert quotient.start.accepts(closing)
