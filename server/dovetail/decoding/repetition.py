"""Detection of text that repeats itself without end."""

from __future__ import annotations

_TIMES = 3
_LEAST = 24
"""The fewest bytes of all repeated parts together: `0, 0, 0` is a list, forty more of it are a loop."""

_TAIL = _LEAST // 2
"""Bytes at the end of a repeated text that are also found one part before."""

_LINES = 16
"""The fewest bytes, without blanks at the ends, of lines that nobody writes twice in a row."""

_LONGEST = 400
"""Bytes of the longest part whose repetition is noticed."""


def repetition(text: bytes) -> int | None:
    r"""Return where the second of three or more equal parts at the end of a text begins, or None.

    Two equal parts are enough if they are whole lines that are not short. Parts of one and the same character do not
    count: lines of dashes are made of them, and indentation.

    >>> repetition(b"x = [" + b"first, " * 4)
    12
    >>> repetition(b"total = add(total, 1)\n" * 2)
    22
    """
    end = len(text)
    if end < _LEAST:
        return None
    # Two parts at least, and `_LEAST` bytes in all: the bytes after the first part are half of them or more, and each
    # stands one part before too. So the last `_TAIL` bytes show every part, and in most texts they stand nowhere else.
    tail = text[-_TAIL:]
    nearest = max(0, end - _TAIL - _LONGEST)
    place = text.rfind(tail, nearest, end - 1)
    while place >= 0:
        period = end - _TAIL - place
        part = text[end - period :]
        times = 2 if b"\n" in part and len(part.strip()) >= _LINES else _TIMES
        if text.endswith(part * times) and (len(set(part)) > 1 or part == b"\n"):
            start = end - times * period
            while text.endswith(part, 0, start):
                start -= period
            if end - start >= _LEAST:
                return start + period
        place = text.rfind(tail, nearest, place + _TAIL - 1)
    return None
