"""The advice of a report, followed: the cases, the outcomes, and the bar that the last long runs hold."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.fuzz.advice import OUTCOMES, draw, follow
from tests.fuzz.broken_blocks import EngineJudge
from tests.fuzz.slips import slips

from dovetail import load_language
from dovetail.comparison.comparison import LanguageComparison

PAGES = sorted(Path(__file__).parent.glob("*/ADVICE.md"))


def test_cases_are_programs_with_one_slip() -> None:
    """A case of each kind that the files give occasion for is refused; one number gives one case."""
    language = load_language("typescriptreact")
    corpus = sorted((Path(__file__).parents[1] / "end_to_end" / "typed").glob("*.tsx"))
    comparison = LanguageComparison(language, EngineJudge(language), corpus, 3)

    cases = [case for number in range(0, len(slips()), 7) if (case := draw(comparison, number)) is not None]

    assert cases
    assert all(case.faults and case.outcome in OUTCOMES and not language.accepts(case.slipped) for case in cases)
    assert all(case.outcome == "none" or case.followed is not None for case in cases)


@pytest.mark.parametrize(
    ("text", "followed"),
    [
        ("const f = use((a, b) : {\n a();\n});\n", "const f = use((a, b) => {\n a();\n});\n"),
        ("const a = f(1;);\n", "const a = f(1 );\n"),
        ("const a = [1 2];\n", "const a = [1 , 2];\n"),
        ("retrun f(1);\n", "return f(1);\n"),
        ("async functoin f() {}\n", "async function f() {}\n"),
        ("if (a  b) {\n}\n", None),
    ],
)
def test_advice_is_followed(text: str, followed: str | None) -> None:
    """The advice of a message is done at its place; a list of what is expected says nothing to do."""
    [fault] = load_language("javascript").errors(text)

    found = follow(text, fault)

    assert (found if found is None else re.sub(" +", " ", found)) == followed


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_the_last_long_run(page: Path) -> None:
    """Of 400 programs at least, a tenth at most gets advice for another program, and 60 of 1,000 several reports."""
    text = page.read_text("utf-8")
    programs = re.search(r"^([\d,]+) programs with one slip each", text, re.MULTILINE)
    several = re.search(r"\. (\d+) of 1,000 get more than one report", text)
    others = re.search(rf"^\| {OUTCOMES[1]} \| (\d+) \|", text, re.MULTILINE)

    assert programs is not None
    assert several is not None
    assert int(several[1]) <= 60
    assert others is not None
    count = int(programs[1].replace(",", ""))
    assert count >= 400
    assert int(others[1]) * 10 <= count
