r"""Positions of the protocol (line, column in code units) against offsets in characters.

Lines end at `\n`, `\r\n` and `\r` only, as the protocol says: form feeds, U+2028 and the other characters
at which `str.splitlines` breaks are ordinary characters of their line.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Literal

Encoding = Literal["utf-8", "utf-16", "utf-32"]
"""The unit in which a client counts columns."""

_LINE_END = re.compile(r"\r\n|\n|\r")


class LineIndex:
    """Where the lines of one text begin; made once for a text, never changed."""

    __slots__ = ("_starts", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [0, *(end.end() for end in _LINE_END.finditer(text))]

    def offset(self, line: int, column: int, encoding: Encoding) -> int:
        """Return the offset in characters of a position, the nearest one where the text has no such position.

        A column past the end of its line is the place before the line's end; a line past the last is the
        end of the text; a column inside a character is the place before that character.
        """
        if line < 0:
            return 0
        if line >= len(self._starts):
            return len(self._text)
        start = self._starts[line]
        content = self._text[start : self._line_end(line)]
        return start + _characters(content, max(column, 0), encoding)

    def position(self, offset: int, encoding: Encoding) -> tuple[int, int]:
        """Return the line and the column in code units of an offset in characters, which lies in the text."""
        assert 0 <= offset <= len(self._text)
        line = bisect_right(self._starts, offset) - 1
        # Between `\r` and `\n` there is no position: the place before both stands for it.
        content = self._text[self._starts[line] : min(offset, self._line_end(line))]
        return line, _units(content, encoding)

    def _line_end(self, line: int) -> int:
        """Return the offset at which the content of a line ends, its line end left out."""
        if line + 1 == len(self._starts):
            return len(self._text)
        end = self._starts[line + 1] - 1
        if self._text[end] == "\n" and end > self._starts[line] and self._text[end - 1] == "\r":
            end -= 1
        return end


def _units(content: str, encoding: Encoding) -> int:
    """Return the length of a text in code units."""
    if encoding == "utf-32" or content.isascii():
        return len(content)
    return sum(_width(character, encoding) for character in content)


def _characters(content: str, units: int, encoding: Encoding) -> int:
    """Return how many whole characters of a text the first `units` code units hold."""
    if encoding == "utf-32" or content.isascii():
        return min(units, len(content))
    for count, character in enumerate(content):
        units -= _width(character, encoding)
        if units < 0:
            return count
    return len(content)


def _width(character: str, encoding: Encoding) -> int:
    """Return the code units of a character; a lone surrogate, which JSON can carry, has a width as well."""
    code = ord(character)
    if encoding == "utf-16":
        return 2 if code > 0xFFFF else 1
    return 1 + (code > 0x7F) + (code > 0x7FF) + (code > 0xFFFF)
