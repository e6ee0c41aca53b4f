"""Texts that nobody writes: an answer, and work that grows no faster than the text does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.hostile.counting import growth, lines_executed
from tests.hostile.texts import DEEP, JSON, PYTHON

if TYPE_CHECKING:
    from dovetail import Language

LINEAR = 2.6
"""Twice the text, twice the work, and something for how unevenly it comes."""
PIECES = 150


def answered(language: Language, left: str, right: str) -> None:
    """Ask whether something fits, and what."""
    quotient = language.quotient(left, right, tolerant=False)

    assert quotient.viable
    assert quotient.start.closing() is not None


@pytest.mark.parametrize("name", PYTHON)
def test_work_grows_as_a_python_text_does(python: Language, name: str) -> None:
    """Twice as much of it is no more than about twice the work."""
    assert growth(lambda n: answered(python, *PYTHON[name](n)), PIECES) < LINEAR


@pytest.mark.parametrize("pieces", [PIECES, pytest.param(4 * PIECES, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", JSON)
def test_work_grows_as_a_json_text_does(json: Language, name: str, pieces: int) -> None:
    """Also in depth, which JSON does not bound."""
    assert growth(lambda n: answered(json, *JSON[name](n)), pieces) < LINEAR


@pytest.mark.parametrize("name", DEEP)
def test_ten_thousand_levels_have_a_verdict(python: Language, name: str) -> None:
    """Text deeper than the language goes is refused where it becomes so, and left out where that helps."""
    levels = 2_000 if name.startswith("levels") else 10_000  # levels are columns: that many take their square

    for depth in (60, 250, levels):
        quotient = python.quotient(*DEEP[name](depth))
        closing = quotient.start.closing()

        assert quotient.viable == (closing is not None)
        assert not quotient.viable or quotient.start.accepts(closing or "")


@pytest.mark.parametrize("name", [name for name in JSON if "open" in name or "closer" in name or "around" in name])
def test_ten_thousand_brackets_that_nothing_forbids_are_closed(json: Language, name: str) -> None:
    """JSON has no depth that is too deep."""
    quotient = json.quotient(*JSON[name](10_000))
    closing = quotient.start.closing()

    assert closing is not None
    assert quotient.start.accepts(closing)


def test_the_measure_tells_linear_from_quadratic() -> None:
    """Growth is 2 for work that is as the size, and 4 for work that is as its square."""
    from dovetail.lexing import indentation

    def linear(size: int) -> None:
        for _ in range(size):
            indentation.widen((0, 0), " ", 8)

    def quadratic(size: int) -> None:
        for _ in range(size):
            linear(size)

    assert growth(linear, 20) == pytest.approx(2)
    assert growth(quadratic, 5) == pytest.approx(4)
    assert lines_executed(lambda: linear(7)) == 7 * lines_executed(lambda: linear(1))
