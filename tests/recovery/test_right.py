"""The right text: the lines after the cursor that are skipped, by example."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from dovetail.recovery.checkpoints import Checkpoints
from dovetail.recovery.placeholders import Placeholders
from dovetail.recovery.right import omissions_after

if TYPE_CHECKING:
    from dovetail import Language


def kept_after(language: Language, left: str, right: str) -> list[str]:
    """Return the ways to keep a right text, in the order in which they are tried."""
    text, offset = left + right, len(left)
    reader = next(Checkpoints(language.machine, Placeholders(language.machine)).read(text, offset))
    found = []
    for omissions in omissions_after(reader, text, offset):
        kept = text
        for start, end, instead, _ in reversed(omissions):
            kept = kept[:start] + instead + kept[end:]
        found.append(kept[offset:])
    return found


def test_a_line_that_does_not_fit_is_skipped(python: Language) -> None:
    """The cursor's line as it stands, or as a whole statement, is followed by the same text."""
    assert kept_after(python, "x = ", "1\ny = )\nz = 2\n") == ["1\nz = 2\n"]


def test_the_line_of_the_cursor_may_be_the_header_of_the_block_below_it(python: Language) -> None:
    """A deeper line below is kept as the block of the cursor's line first, and under a placeholder last."""
    ways = kept_after(python, "if x", "\n    y = 1\nz = = 2\n")

    assert ways[0] == "\n    y = 1\n"
    assert ways[-1] == "\nif _:\n    y = 1\n"


def test_a_bracket_around_the_cursor_goes_on_below_it(python: Language) -> None:
    """Inside a bracket, lines that do not fit are skipped up to the one that closes it."""
    assert kept_after(python, "x = [1, ", "\n    2 3,\n    4,\n]\ny = 1\n")[0] == "\n    4,\n]\ny = 1\n"


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_lines_below_end_as_lines_above_do(python: Language, line_end: str) -> None:
    """Lines are skipped whatever their line end is."""
    left, right = "x = 1\ny = ", "2\nz = )\nw = 3\n"

    kept = kept_after(python, left.replace("\n", line_end), right.replace("\n", line_end))

    assert kept == [f"2{line_end}w = 3{line_end}"]


def test_an_element_is_skipped_in_a_language_without_statements(json: Language) -> None:
    """With it goes what closes the bracket, which is put in again."""
    assert kept_after(json, '{"a": ', "1\n,, 2}\n") == ["1\n}"]
