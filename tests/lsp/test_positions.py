"""The line index: positions of the protocol against offsets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.lsp import reference

from dovetail.lsp.positions import Encoding, LineIndex

ENCODINGS: tuple[Encoding, ...] = ("utf-8", "utf-16", "utf-32")
# Everything at which some notion of a line ends, and characters of one to four bytes and of two code units.
TEXTS = st.text(st.sampled_from("ab\n\r\f\v\x1c\x85\u2028\u2029é€😀"), max_size=40)


@given(text=TEXTS, encoding=st.sampled_from(ENCODINGS), data=st.data())
def test_every_offset_has_its_position(text: str, encoding: Encoding, data: st.DataObject) -> None:
    """An offset has the position that counting characters gives, and that position leads back to it."""
    offset = data.draw(st.integers(0, len(text)))
    if reference.splits_line_end(text, offset):
        offset -= 1
    lines = LineIndex(text)

    position = lines.position(offset, encoding)

    assert position == reference.position(text, offset, encoding)
    assert lines.offset(*position, encoding) == offset


@given(text=TEXTS, encoding=st.sampled_from(ENCODINGS), line=st.integers(-1, 50), column=st.integers(-1, 200))
def test_any_position_gives_an_offset_in_the_text_and_on_its_line(
    text: str, encoding: Encoding, line: int, column: int
) -> None:
    """A position that the text does not have gives the nearest offset, never one on a later line."""
    lines = LineIndex(text)

    offset = lines.offset(line, column, encoding)

    found_line, found_column = lines.position(offset, encoding)
    assert 0 <= offset <= len(text)
    assert found_line == max(0, min(line, text.count("\n") + text.count("\r") - text.count("\r\n")))
    assert line < 0 or found_line < line or found_column <= max(column, 0)


@pytest.mark.parametrize(
    ("text", "position", "offset"),
    [
        ("ab", (0, 9), 2),
        ("ab\ncd", (1, 9), 5),
        ("ab\r\ncd", (0, 9), 2),
        ("ab\rcd", (1, 0), 3),
        ("ab\ncd", (7, 0), 5),
        ("", (0, 0), 0),
        ("a = 1\n\fb = 2\nc = 3\n", (2, 0), 13),
        ("a\u2028b\nc", (1, 0), 4),
    ],
)
def test_positions_past_an_end_are_clamped(text: str, position: tuple[int, int], offset: int) -> None:
    """A column past its line is before the line end, a line past the text is the end of the text."""
    assert LineIndex(text).offset(*position, "utf-16") == offset


@pytest.mark.parametrize(("encoding", "units"), [("utf-8", 4), ("utf-16", 2), ("utf-32", 1)])
def test_a_column_inside_a_character_is_before_it(encoding: Encoding, units: int) -> None:
    """Every column before the last unit of a character is the place before that character."""
    lines = LineIndex("😀!")

    offsets = [lines.offset(0, column, encoding) for column in range(units + 2)]

    assert offsets == [0] * units + [1, 2]


def test_a_lone_surrogate_counts_as_one_unit_of_utf_16() -> None:
    """Half a surrogate pair, which JSON can carry, does not disturb the columns after it."""
    assert LineIndex("\ud83d=1").offset(0, 2, "utf-16") == 2
