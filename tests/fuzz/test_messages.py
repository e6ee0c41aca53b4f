"""The lines that messages name, beside CPython's."""

from __future__ import annotations

import re
from pathlib import Path

from tests.fuzz.messages import message, written


def test_the_same_line_as_cpython() -> None:
    """Of programs broken at one place, nine in ten messages at least name the line that CPython names."""
    found = [one for number in range(1, 140) if (one := message(3, number)) is not None]

    assert len(found) >= 40
    assert sum(one.line == one.our_line for one in found) >= 0.9 * len(found)


def test_the_summary() -> None:
    """The summary counts all cases and shows the messages of both."""
    found = [one for number in range(1, 12) if (one := message(3, number)) is not None]

    text = written(found, 3)

    assert f"{len(found)} programs" in text
    assert all(one.theirs.replace("|", "\\|") in text for one in found)


def test_the_last_long_run() -> None:
    """The run that the repository keeps has 2,000 programs at least and 40 cases, and the same line in 95 %."""
    page = (Path(__file__).parent / "MESSAGES.md").read_text("utf-8")

    programs = r"^([\d,]+) programs of the standard library, .* Both name the same line in ([\d.]+)%\."
    counts = re.search(programs, page, re.MULTILINE)

    assert counts is not None
    assert int(counts[1].replace(",", "")) >= 2000
    assert float(counts[2]) >= 95
    assert page.count("\n| `") == 40
