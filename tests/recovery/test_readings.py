"""Documents that are broken somewhere else: what is left out, and that the rest with a closing is a program."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.fuzz.broken import draw, judge, kept
from tests.oracles.cpython import parses

if TYPE_CHECKING:
    from dovetail import Language

CASES = sorted((Path(__file__).resolve().parents[1] / "cases" / "broken").glob("*.txt"))
CURSOR = "‸"
KEPT = "\n=== kept\n"


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_what_is_kept_of_a_broken_document(python: Language, path: Path) -> None:
    """A case is a document with its cursor, and that document as it is kept, in which something fits."""
    document, wanted = path.read_text(encoding="utf-8").split(KEPT)
    left, right = document.split(CURSOR)
    quotient = python.quotient(left, right)
    closing = quotient.start.closing()
    before, after = kept(quotient, left, right)

    assert quotient.viable
    assert before + CURSOR + after == wanted
    assert closing is not None
    assert parses(before + closing + after)
    assert not python.quotient(left, right, tolerant=False).viable


@pytest.mark.parametrize("line_end", ["\r\n", "\r"])
@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_the_same_is_kept_whatever_ends_the_lines(python: Language, path: Path, line_end: str) -> None:
    r"""A file with other line ends is repaired as the same file with `\n`."""
    document, wanted = path.read_text(encoding="utf-8").split(KEPT)
    left, right = document.replace("\n", line_end).split(CURSOR)
    before, after = kept(python.quotient(left, right), left, right)

    assert re.sub("\r\n?", "\n", before + CURSOR + after) == wanted


@pytest.mark.parametrize("number", range(60))
def test_a_document_broken_elsewhere(number: int) -> None:
    """Intact, the tolerant answer is the strict one; broken, what fits makes a program of what is kept."""
    assert judge(draw(20261120, number)).wrong is None


def test_a_text_that_is_nothing_of_the_language_is_given_up(python: Language) -> None:
    """After many lines that do not fit nothing is offered, and the time that takes has a bound."""
    left = "Once upon a time there were two texts.\n" * 5_000

    assert not python.quotient(left + "x = ", "\n").viable


@pytest.mark.parametrize("gap", ["\n", "\n\n", "\n        \n", "\n# c\n", "\r\n\r\n", "\r\n  # c\r\n"])
def test_a_header_is_one_whatever_stands_before_its_block(python: Language, gap: str) -> None:
    """Blank lines and comments before the block below the cursor's line, of any kind, change nothing."""
    left = "class A:\n    def f(self):\n        if a "
    right = f"b:{gap}            y = 1\n            z = 2\n        w = = 1\n"

    quotient = python.quotient(left, right)

    assert [(left + right)[span.start : span.end] for span in quotient.ignored] == ["        w = = 1\n"]
    assert quotient.start.closing() == "."


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("def f():\nx", "\n"),
        ("try:\n    x\ny", "\n"),
        ("@d\nx", "\n"),
        ("def g():\n    try:\n        a()\n    pri", "\n\ndef h(): pass\n"),
        ("    a,\n    b]", "\n"),
        ("x = )\ny", "\n"),
        ("class A:\n\tdef f(self):\n\t\ta, b]", "\n\t\tz = 2\n"),
    ],
)
def test_a_word_is_mended_for_as_soon_as_it_is_begun(python: Language, left: str, right: str) -> None:
    """The cursor's line has the same left out before its first lexeme is over as after it."""
    begun, over = python.quotient(left, right), python.quotient(f"{left} ", right)

    assert begun.viable
    assert begun.ignored == over.ignored != ()


@pytest.mark.parametrize("lines", [1, 30, 3_000])
@pytest.mark.parametrize("openers", [1, 40])
def test_what_is_in_a_bracket_that_nothing_closes_goes_with_it(python: Language, openers: int, lines: int) -> None:
    """It is one place where text is left out, however long it is and however many brackets there are."""
    broken = "x = [\n" + "(\n" * (openers - 1) + "    a,\n" * lines

    quotient = python.quotient(broken + "def f():\n    x", "\n")

    assert [(span.start, span.end) for span in quotient.ignored] == [(0, len(broken))]


def test_nothing_is_left_out_of_the_line_of_the_cursor(python: Language) -> None:
    """A line that is broken before the cursor itself gets no suggestion."""
    assert not python.quotient("x = = ", "\ny = 1\n").viable
    assert not python.quotient("x = 1\ny = ) ", "\n").viable
