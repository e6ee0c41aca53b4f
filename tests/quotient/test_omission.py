"""The lines of an omission against the lines that `io` finds."""

from __future__ import annotations

from io import StringIO
from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st

from dovetail.quotient.omission import lines_of


@given(st.lists(st.sampled_from(["a", "\n", "\r\n", "\r", " ", "\f", "\u2028"]), max_size=12), st.data())
def test_lines_are_those_of_io(pieces: list[str], data: st.DataObject) -> None:
    """The first line holds the beginning of a part, the last its last character that is no blank."""
    text = "".join(pieces)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    held = [offset for offset in range(start, end) if not text[offset].isspace()]

    assert lines_of(text, start, end) == (_line(text, start), _line(text, max([start, *held])))


def _line(text: str, offset: int) -> int:
    ends = accumulate(len(line) for line in StringIO(text, newline="") if line.endswith(("\n", "\r")))
    return 1 + sum(end <= offset for end in ends)


def test_a_part_that_ends_with_its_line_has_no_line_after_it() -> None:
    """Neither the end of its last line nor blank lines below add a line; the text's end need not be a line end."""
    text = "a\r\nb\r\n\r\nc"

    assert lines_of(text, 0, text.index("c")) == (1, 2)
    assert lines_of(text, text.index("b"), len(text)) == (2, 4)
    assert lines_of(text, len(text), len(text)) == (4, 4)
    assert lines_of(text, text.index("c") - 2, text.index("c")) == (3, 3)
