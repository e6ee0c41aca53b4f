r"""Positions of the protocol (line, column in code units) against offsets in characters.

Lines end at `\n`, `\r\n` and `\r` only, as the protocol says: form feeds, U+2028 and the other characters
at which `str.splitlines` breaks are ordinary characters of their line.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from io import StringIO
from itertools import accumulate
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

Encoding = Literal["utf-8", "utf-16", "utf-32"]
"""The client's unit of columns."""

_BLOCK = 256
"""Characters that are counted in one step."""


class LineIndex:
    """The lines of one text and their offsets; never changed."""

    def __init__(self, text: str, lines: Sequence[str] | None = None) -> None:
        """Index a text; `lines` are its lines as `split` returns them, if they are known."""
        self.lines = split(text) if lines is None else lines

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *accumulate(map(len, self.lines))]

    def offset(self, line: int, column: int, encoding: Encoding) -> int:
        """Return the offset in characters of a position, or of the nearest one if the text has no such position.

        A column past the end of its line is the place before the line's end; a line past the last is the
        end of the text; a column inside a character is the place before that character.
        """
        line, place = locate(self.lines, line, column, encoding)
        return self._starts[line] + place

    def position(self, offset: int, encoding: Encoding) -> tuple[int, int]:
        """Return the line and the column in code units of an offset in characters, which lies in the text."""
        assert 0 <= offset <= self._starts[-1]
        line = min(bisect_right(self._starts, offset), len(self.lines)) - 1
        # Between `\r` and `\n` there is no position: the place before both stands for it.
        content = self.lines[line][: min(offset - self._starts[line], _content(self.lines[line]))]
        return line, _units(content, encoding)


def split(text: str) -> list[str]:
    """Return the lines of a text with their ends; the last has none, and may be empty."""
    lines = list(StringIO(text, newline=""))
    if not lines or lines[-1][-1] in "\r\n":
        lines.append("")
    return lines


def locate(lines: Sequence[str], line: int, column: int, encoding: Encoding) -> tuple[int, int]:
    """Return the line and the characters in it before a position, the nearest one that there is."""
    if line < 0:
        return 0, 0
    if line >= len(lines):
        return len(lines) - 1, len(lines[-1])
    found = lines[line]
    return line, _characters(found, _content(found), max(column, 0), encoding)


def _content(line: str) -> int:
    """Return the number of characters of a line before its line end."""
    if line.endswith("\r\n"):
        return len(line) - 2
    return len(line) - line.endswith(("\r", "\n"))


def _units(content: str, encoding: Encoding) -> int:
    """Return the length of a text in code units, also with lone surrogates, which JSON can hold."""
    if encoding == "utf-32" or content.isascii():
        return len(content)
    if encoding == "utf-16":
        return len(content.encode("utf-16-le", "surrogatepass")) // 2
    return len(content.encode("utf-8", "surrogatepass"))


def _characters(line: str, end: int, units: int, encoding: Encoding) -> int:
    """Return the number of whole characters in the first `units` code units of a line, `end` at most."""
    if encoding == "utf-32" or line.isascii():
        return min(units, end)
    for start in range(0, end, _BLOCK):
        block = line[start : min(start + _BLOCK, end)]
        width = _units(block, encoding)
        if width > units:
            # The place is in this block. Long lines are rare, so a search by characters is quick enough.
            for count, character in enumerate(block):
                units -= _units(character, encoding)
                if units < 0:
                    return start + count
        units -= width
    return end
