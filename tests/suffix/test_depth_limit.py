"""Nothing is begun, and nothing is accepted, that would need more open blocks than the language allows."""

from __future__ import annotations

import pytest
from tests.oracles.cpython import TARGET

import dovetail

PYTHON = dovetail.load_language("python", target=TARGET)
MOST = 99
"""The blocks that CPython's tokenizer lets be open at a time."""


def headers(count: int) -> str:
    """Return headers of as many blocks, each inside the one before, and the blanks of the innermost."""
    return "".join(" " * depth + "if x:\n" for depth in range(count)) + " " * count


@pytest.mark.parametrize("header", ["if x:\n", "if x: y\n{blanks}else:\n", "class A:\n", "try:\n"])
def test_no_header_without_room_for_its_block(header: str) -> None:
    """In the deepest block that is allowed a header may not end its line; one block further out it may."""
    inside = PYTHON.quotient(headers(MOST), "", tolerant=False).start
    outside = PYTHON.quotient(headers(MOST - 1), "", tolerant=False).start
    after = outside.advance(header.format(blanks=" " * (MOST - 1)))

    assert inside.advance(header.format(blanks=" " * MOST)) is None
    assert inside.advance("if x: y\n") is not None
    assert after is not None
    assert after.closing() is not None


@pytest.mark.parametrize("room", range(4))
def test_blocks_of_the_right_context_count(room: int) -> None:
    """A right context with blocks of its own is accepted where the language has room for them, and only there."""
    left = headers(MOST - room)
    blanks = " " * (MOST - room)
    right = f"if a:\n{blanks} if b:\n{blanks}  y\n"
    start = PYTHON.quotient(left, right, tolerant=False).start

    assert start.accepting == PYTHON.accepts(left + right) == (room >= 2)


def test_blocks_that_the_middle_opens_count() -> None:
    """The middle may not open a block for the right context where there is no room for one."""
    right = "\n" + " " * (MOST + 9) + "y\nz\n"
    inside = PYTHON.quotient(headers(MOST), right, tolerant=False).start
    outside = PYTHON.quotient(headers(MOST - 1), right, tolerant=False).start

    assert inside.advance("if x:") is not None  # `\` joins the next line to this one
    assert inside.accepts("if x:") == PYTHON.accepts(headers(MOST) + "if x:" + right) is False
    assert outside.accepts("if x:") == PYTHON.accepts(headers(MOST - 1) + "if x:" + right) is True
