"""One mistake and its reports in other languages: the cases, and the bar that the last long runs hold."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.fuzz.block_reports import draw, mistakes
from tests.fuzz.broken_blocks import EngineJudge

from dovetail import load_language
from dovetail.comparison.comparison import LanguageComparison

PAGES = sorted(Path(__file__).parent.glob("*/REPORTS.md"))


def test_cases_of_elements() -> None:
    """A case of each kind is a program with a mistake that is reported; one number gives one case."""
    language = load_language("typescriptreact")
    corpus = sorted((Path(__file__).parents[1] / "end_to_end" / "typed").glob("*.tsx"))
    comparison = LanguageComparison(language, EngineJudge(language), corpus, 3)
    kinds = mistakes("typescriptreact")

    cases = [case for number in range(len(kinds)) if (case := draw(comparison, kinds, number)) is not None]

    assert {"a keyword misspelt", "the slash of an end lost"} <= {case.kind for case in cases}
    assert all(case.faults and not language.accepts(case.text) for case in cases)
    assert cases[-1] == draw(comparison, kinds, cases[-1].number)


def test_only_languages_with_elements_have_their_mistakes() -> None:
    """In Go no tag is lost."""
    assert "the end of an element lost" not in mistakes("go")
    assert "the end of an element lost" in mistakes("javascriptreact")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_the_last_long_run(page: Path) -> None:
    """A run has 300 programs at least, of which at most 60 of 1,000 get several reports."""
    counts = re.search(
        r"^([\d,]+) programs .* (\d+) of 1,000 get more than one report", page.read_text("utf-8"), re.MULTILINE
    )

    assert counts is not None
    assert int(counts[1].replace(",", "")) >= 300
    assert int(counts[2]) <= 60
