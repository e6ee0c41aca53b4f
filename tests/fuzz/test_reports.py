"""One mistake and its reports: the counts, and the bar that the last long run holds."""

from __future__ import annotations

import re
from pathlib import Path

from tests.fuzz.one_mistake import shown
from tests.fuzz.reports import MISTAKES, draw, draw_two, written


def test_cases_of_all_kinds() -> None:
    """A case is a program with a mistake that is reported, and the page counts it."""
    cases = [case for number in range(2 * len(MISTAKES)) if (case := draw(4, number, packages=False)) is not None]
    page = written(cases, 4)

    assert len({case.kind for case in cases}) >= len(MISTAKES) - 2
    assert all(case.faults for case in cases)
    assert f"{len(cases)} programs with one mistake each" in page
    assert all(str(case.faults[0]) in shown(case) for case in cases)


def test_two_mistakes() -> None:
    """The page tells how many programs with two mistakes get the reports of both."""
    pairs = [pair for number in range(60) if (pair := draw_two(4, number, packages=False)) is not None]
    cases = [case for number in range(4) if (case := draw(4, number, packages=False)) is not None]

    page = written(cases, 4, pairs)

    complete = sum(pair.is_complete() for pair in pairs)
    assert complete >= 0.6 * len(pairs) > 0
    assert f"Of {len(pairs)} programs with two mistakes" in page
    assert f"{complete / len(pairs):.1%} get the reports" in page


def test_the_last_long_run() -> None:
    """The run that the repository keeps has 1,000 programs at least; at most 20 of 1,000 get several reports.

    Nearly all programs with two mistakes get the reports of both.
    """
    page = (Path(__file__).parent / "REPORTS.md").read_text("utf-8")

    counts = re.search(r"^([\d,]+) programs .* (\d+) of 1,000 get more than one report", page, re.MULTILINE)

    assert counts is not None
    assert int(counts[1].replace(",", "")) >= 1000
    assert int(counts[2]) <= 20
    pairs = re.search(r"^Of (\d+) programs with two mistakes, .* ([\d.]+)% get the reports", page, re.MULTILINE)
    assert pairs is not None
    assert int(pairs[1]) >= 300
    assert float(pairs[2]) >= 97
