"""Two mistakes near each other: the cases, what is counted, and the page."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from tests.fuzz.broken_blocks import EngineJudge
from tests.fuzz.pairs import COMPONENTS, HEAD, OUTCOMES, Pair, Slip, draw, section, with_section
from tests.fuzz.slips import slips

from dovetail import load_language
from dovetail.comparison.comparison import LanguageComparison

_SLIP = Slip("`,` lost", 1, "", 1, "")


def _pair(text: str, *lines: int) -> Pair:
    first, second = (replace(_SLIP, line=line, reported=line) for line in lines)
    return Pair(1, (first, second), text, tuple(load_language("javascript").errors(text)))


def test_cases_are_programs_with_two_slips_that_are_reported_alone() -> None:
    """Each slip alone is one mistake on a line near the other's; one number gives one case."""
    language = load_language("javascriptreact")
    components = sorted(COMPONENTS.glob("*.jsx"))
    comparison = LanguageComparison(language, EngineJudge(language), components, 3)

    pairs = [pair for number in range(4) if (pair := draw(comparison, [slips()], number)) is not None]

    assert pairs
    for pair in pairs:
        first, second = pair.slips
        assert 0 < second.line - first.line <= 8
        assert all(len(language.errors(slip.text)) == 1 for slip in pair.slips)
        assert not language.accepts(pair.text)
        assert pair.outcome in OUTCOMES


@pytest.mark.parametrize(
    ("text", "lines", "outcome"),
    [
        ("const a = [1 2];\nconst b = [1 2];\n", (1, 2), "both"),
        ("const a = [1 2];\nconst b = [1 2];\nconst c = [1 2];\n", (1, 2), "a third"),
        ("const a = [1 2];\nconst b = [1, 2];\n", (1, 2), "one unnamed"),
        ("const a = [1 2];\nconst b = [1, 2];\nconst c = [1 2];\n", (1, 2), "elsewhere"),
    ],
)
def test_what_is_counted(text: str, lines: tuple[int, int], outcome: str) -> None:
    """Two slips want two reports, each on the line of one of them."""
    assert _pair(text, *lines).outcome == outcome


def test_each_language_has_one_part_of_the_page() -> None:
    """A part that is written again takes the place of the older one."""
    pair = _pair("const a = [1 2];\nconst b = [1 2];\n", 1, 2)

    once = with_section(HEAD, "Some", section("Some", [pair], "old"))
    twice = with_section(
        with_section(once, "Any", section("Any", [pair], "any")), "Some", section("Some", [pair], "new")
    )

    assert re.findall(r"^## (.*)", twice, re.MULTILINE) == ["Any", "Some"]
    assert "`new` writes this part. 1 programs" in twice
    assert "`old`" not in twice
