"""The comparison of broken documents: where it breaks them, and what it counts."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest
from tests.fuzz.broken import MOST, WAYS, broken_elsewhere, draw
from tests.fuzz.broken_blocks import BARS, main
from tests.fuzz.broken_counts import NEAR, Case, Counts, Mistake, Verdict

if TYPE_CHECKING:
    from pathlib import Path

LINES = "".join(f"x{number} = [{number}]\n" for number in range(60))


@pytest.mark.parametrize("way", WAYS)
def test_a_near_mistake_is_within_ten_lines_of_the_cursor(way: str) -> None:
    """Lines further away, and that of the cursor, stay as they are; distances say so."""
    for seed in range(40):
        left, right, mistakes = broken_elsewhere(Random(seed), LINES + "y = ", "1\n" + LINES, way, NEAR)

        # Lines that are lost let the next mistake be made one line further away.
        assert left.startswith(LINES[: LINES.index(f"x{60 - NEAR - MOST}")])
        assert left.endswith("\ny = ")
        assert right.startswith("1\n")
        assert right.endswith(LINES[LINES.index(f"x{NEAR + MOST}") :])
        assert mistakes
        assert all(1 <= mistake.distance <= NEAR for mistake in mistakes)


def test_mistakes_anywhere_are_mostly_far_in_a_long_text() -> None:
    """All lines of both sides may be broken."""
    mistakes = [mistake for seed in range(40) for mistake in broken_elsewhere(Random(seed), LINES, LINES, "persons")[2]]

    assert sum(mistake.distance > NEAR for mistake in mistakes) > len(mistakes) / 2


def test_the_report_of_another_language(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It has the language's title, says what is good, and names no file that only Python's report has."""
    (tmp_path / "list.json").write_text(
        "[\n" + "".join(f"    [{number}, true],\n" for number in range(20)) + "    1\n]\n"
    )
    main(["json", "--corpus", str(tmp_path), "--ending", ".json", "--cases", "2"])

    printed = " ".join(capsys.readouterr().out.split())
    assert " JSON: 2 cases each, seed 1, broken by persons. " in printed
    assert BARS in printed
    assert "BROKEN_FAILURES.md" not in printed


def test_the_same_numbers_draw_the_same_case() -> None:
    """A case can be drawn again from its seed and its number, and where it is broken is a choice of its own."""
    assert draw(1, 2, "persons") == draw(1, 2, "persons")
    assert all(mistake.distance <= NEAR for number in range(10) for mistake in draw(1, number, "persons", "near")[3])


def test_both_senses_of_following_are_counted_apart() -> None:
    """By the number of mistakes and their distance; what only fits is not accepted."""
    near, far = Mistake("a word lost", 1), Mistake("a word lost", NEAR + 1)
    counts, more = Counts(), Counts()
    counts.add(0, Case("", "", "", (near,)), Verdict("fits as it is", fits=True, accepted=True))
    counts.add(1, Case("", "", "", (near,)), Verdict("nothing fits"))
    more.add(2, Case("", "", "", (near, far)), Verdict("fits with parts left out", fits=True))
    counts.join(more)
    lines = counts.lines()

    assert "- something can be suggested: 66.67%" in lines
    assert "- mistakes within 10 lines of the cursor: 75%" in lines
    assert "| all | 3 | 66.7% | 33.3% |" in lines
    assert "| 1 place, all near | 2 | 50.0% | 50.0% |" in lines
    assert "| 2 places, one or more further away | 1 | 100.0% | 0.0% |" in lines
    assert "| only a word lost | 2 | 50.0% | 50.0% |" in lines
