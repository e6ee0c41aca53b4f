r"""Line ends of a text: `\n`, `\r\n` and a lone `\r`, as editors and Python count them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# Not `str.splitlines`: it also breaks at form feeds and at U+2028, where no line of a program ends.
_LINE_END = re.compile(r"\r\n?|\n")


def line_ends(text: str, start: int, end: int) -> Iterator[int]:
    r"""Yield the offsets after each line end between two offsets.

    A `\r` right before `end` does not count if a `\n` follows it.

    >>> list(line_ends("a\r\nb\rc\n", 0, 7))
    [3, 5, 7]
    >>> list(line_ends("a\r\nb", 0, 2))
    []
    """
    # Every key typed asks, and nearly always for a part of one line.
    if text.find("\n", start, end) < 0 and text.find("\r", start, end) < 0:
        return
    for match in _LINE_END.finditer(text, start, end):
        if match.end() == end and text.startswith("\r\n", end - 1):
            return
        yield match.end()


def line_start(text: str, offset: int) -> int:
    r"""Return where the line begins that an offset is in.

    >>> line_start("a\rbc", 3)
    2
    """
    # The second character of a line end still belongs to the line that it ends.
    before = offset - 1 if text.startswith("\r\n", offset - 1) else offset
    newline = text.rfind("\n", 0, before)
    return max(newline, text.rfind("\r", newline + 1, before)) + 1


def line_end(text: str, offset: int) -> int:
    r"""Return the offset after the line end of the line that an offset is in; the length of the text on its last line.

    >>> line_end("a\rbc", 0)
    2
    >>> line_end("a\rbc", 2)
    4
    """
    match = _LINE_END.search(text, offset)
    return len(text) if match is None else match.end()
