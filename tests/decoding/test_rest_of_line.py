"""The rest of the cursor's line stays in its place, whatever a model writes."""

from __future__ import annotations

import ast
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.decoding.scripted_proposer import ScriptedProposer, at_random

import dovetail
from dovetail.decoding.decoder import Decoder, complete
from dovetail.decoding.limits import Limits, Shape
from dovetail.decoding.request import Request

PROGRAM = '''\
def total(cart, rate):
    """Return it."""
    if not cart:
        return {"sum": 0, "text": f"none of {cart!r}"}
    prices = [item["price"] * rate for item in cart]  # all
    return {
        "sum": sum(prices),
    }
'''

BROKEN = "def lost(\n    x = [1, 2\n\nclass C:\n    def f(self:\n        return f'{x\n"

EXTRA = [b"\n", b"\n    ", b"    ", b"#", b'"""', b'")', b"}", b"return", b" = ", b"):\n", b"if x:\n", b"', '"]


@cache
def language() -> dovetail.Language:
    return dovetail.load_language("python", target="3.12")


@given(st.integers(0, len(PROGRAM)), st.integers(0, 1000), st.booleans(), st.booleans())
def test_a_model_that_knows_nothing(place: int, seed: int, broken_above: bool, broken_below: bool) -> None:
    """Nothing is offered that has a line end, or blanks for a line's beginning, where the line goes on.

    That holds in documents that are broken elsewhere, too; the others parse with what is offered.
    """
    left = (BROKEN if broken_above else "") + PROGRAM[:place]
    right = PROGRAM[place:] + (BROKEN if broken_below else "")
    proposer = ScriptedProposer(EXTRA, at_random(seed))

    text = complete(proposer, lambda: language().quotient(left, right), left, right, Limits(max_tokens=12)).text

    if text is None:
        return
    line, rest = left.rpartition("\n")[2], right.partition("\n")[0]
    if rest.strip():
        assert "\n" not in text
        assert line.strip() or not text[0].isspace()
    if not broken_above and not broken_below:
        ast.parse(left + text + right)


@pytest.mark.parametrize("shape", [Shape.AUTO, Shape.FREE])
def test_experiments_cut_anywhere(shape: Shape) -> None:
    """Only the free shape, in which experiments complete cuts of any length, may move the rest of the line."""
    left, right = "def f(a):\n    ", "return a\n"
    middle = "a = 1\n    "
    proposer = ScriptedProposer([middle.encode()], lambda proposer, text: [proposer.end if text else 256])

    text = complete(
        proposer, lambda: language().quotient(left, right), left, right, Limits(max_tokens=12, shape=shape)
    ).text

    assert text == (middle if shape is Shape.FREE else None)


@pytest.mark.parametrize(
    ("left", "right", "typing", "text"),
    [
        ("total = sum(", ", 1)\n", False, "a"),
        ("total = sum(", ", 1)\n", True, None),
        ("total = ", " y = a\n", False, None),
        ("    ", "y = a\n", False, None),
    ],
)
def test_by_hand_in_brackets_a_text_stays_on_the_line(left: str, right: str, typing: bool, text: str | None) -> None:
    """For who asked within brackets the next choice of a model counts, which would only go on with another line."""
    proposer = ScriptedProposer(
        [b"\n    ", b"a"], lambda own, so_far: [own.end] if so_far else [own.token(b"\n    "), own.token(b"a")]
    )
    left = f"def f(a):\n    return a\n\n{left}"
    request = Request(left, right, lambda: language().quotient(left, right), Limits(max_tokens=12), typing=typing)

    assert Decoder(proposer).complete(request).text == text
