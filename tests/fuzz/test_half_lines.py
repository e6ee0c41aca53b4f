"""Half-written lines: the texts, what is counted, and the bar that the last run holds."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.fuzz.half_lines import LANGUAGES, CheckedHalfLine, HalfLine, cases_of, judged, page

from dovetail import load_language

PAGE = Path(__file__).parent / "HALF_LINES.md"


@pytest.mark.parametrize("name", LANGUAGES)
def test_the_program_around_is_whole(name: str) -> None:
    """Without its half-written line, a text is a program with each follower; with it, the lines count as they lie."""
    language = load_language(name)
    cases = list(cases_of(name))
    of_programs: dict[str, list[HalfLine]] = {}
    for case in cases:
        of_programs.setdefault(case.text.split("\n")[0], []).append(case)

    for among in of_programs.values():
        first = among[0].half
        followers = [case for case in among if case.half == first]
        for case in followers:
            lines = case.text.split("\n")
            without = "\n".join([*lines[: case.first - 1], *lines[case.first :]])
            assert lines[case.first - 1].strip() == first
            assert language.accepts(without), without
        assert len(among) == len({case.half for case in among}) * len(followers)


def test_a_program_is_left_out_and_a_report_counted() -> None:
    """A half that goes on below is a program; one report at the next line is near, one further below is not."""
    language = load_language("lua")
    cases = {(case.half, case.below): case for case in cases_of("lua")}

    [begun] = judged(language, [cases["x =", "foo(a)"], cases["x = a and", "return a"]])
    [fault] = begun.faults

    assert (begun.case.half, begun.single, begun.near) == ("x = a and", True, True)
    assert fault.reported.line in (begun.case.first, begun.case.last)
    elsewhere = CheckedHalfLine(cases["f(", ""], begun.faults * 2)
    assert not elsewhere.single
    assert "| Lua | 2 | 50.0% | 100.0% | `██████████░░░░░░░░░░` |" in page({"lua": [begun, elsewhere]}, {"lua": "Lua"})


def test_the_last_run() -> None:
    """For each language the page shows 98 of 100 texts at least with one report, and as many with it near."""
    rows = re.findall(r"^\| ([^|]+) \| (\d+) \| ([\d.]+)% \| ([\d.]+)% \|", PAGE.read_text("utf-8"), re.MULTILINE)

    assert len(rows) == len(LANGUAGES)
    assert all(int(texts) >= 100 and min(float(one), float(near)) >= 98 for _, texts, one, near in rows)
