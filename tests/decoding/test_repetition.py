"""Text that repeats itself."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dovetail.decoding.repetition import repetition


def slowly(text: bytes) -> int | None:
    """Return what `repetition` promises, by looking at every period."""
    for period in range(1, len(text) // 2 + 1):
        part = text[-period:]
        enough = 2 if b"\n" in part and len(part.strip()) >= 16 else 3
        count = 0
        while text.endswith(part * (count + 1)):
            count += 1
        if count >= enough and count * period >= 24 and (len(set(part)) > 1 or part == b"\n"):
            return len(text) - count * period + period
    return None


@given(st.text("ab \n-", max_size=12), st.text("ab \n-", min_size=1, max_size=24), st.integers(1, 30))
def test_the_second_of_three_equal_parts_is_found(before: str, part: str, count: int) -> None:
    """Equal parts at the end are found if they are enough and long enough together, the shortest period first."""
    text = (before + part * count).encode()

    assert repetition(text) == slowly(text)


def test_of_lines_two_are_enough() -> None:
    """A statement that comes again at once is a loop; a short one need not be."""
    line = b"    total = add(total, 1)\n"

    assert repetition(b"if x:\n" + line * 2) == len(b"if x:\n" + line)
    assert repetition(b"        )\n" * 2) is None
    assert repetition(b"total = add(total, 1); " * 2) is None


def test_drawn_lines_and_indentation_are_no_repetition() -> None:
    """A run of one character is none, except empty lines."""
    assert repetition(b"# " + b"-" * 60) is None
    assert repetition(b" " * 60) is None
    assert repetition(b"x" + b"\n" * 30) == 2
    assert repetition(b"") is None
