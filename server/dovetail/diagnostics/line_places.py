r"""Places of lines: where the lines of a text begin and end, with the line ends `\n`, `\r\n` and `\r`."""

from __future__ import annotations

import re
from itertools import islice

MOST_LINES = 60
"""The most lines at whose ends a bracket or a long string may have been closed."""

_MOST_ABOVE = 3
"""The most lines above a fault at whose ends the bracket of a block may be lost."""
_TAB = 8
_REST = re.compile(r"[^\n\r]{0,200}")
_CONTENT = re.compile(r"\S")
_LINE_END = re.compile(r"(?<![ \t])[ \t]*(?=\r\n|(?<!\r)\n|\r|\Z)")


def line_ends(text: str, start: int, stop: int) -> list[int]:
    """Return the offsets at which the lines from one offset to another end, without the blanks at their ends."""
    found = (match.start() for match in _LINE_END.finditer(text, start, stop))
    return list(islice(found, MOST_LINES))


def line_ends_above(text: str, offset: int) -> list[int]:
    """Return the offsets at which the lines with content right above an offset end, the nearest first."""
    found: list[int] = []
    while len(found) < _MOST_ABOVE:
        end = len(text[: line_start(text, offset)].rstrip())
        if end == 0:
            break
        found.append(end)
        offset = end
    return found


def content_after(text: str, offset: int) -> int:
    """Return the offset of the next line after an offset that is not blank, or of the end of the text."""
    match = _CONTENT.search(text, line_end(text, offset))
    return len(text) if match is None else match.start()


def content_at(text: str, offset: int) -> int:
    """Return the offset of the first content at or after an offset, or of the end of the text."""
    match = _CONTENT.search(text, offset)
    return len(text) if match is None else match.start()


def line_end(text: str, offset: int) -> int:
    """Return the offset of the line end at or after an offset, or of the end of the text."""
    return min((end for sign in "\r\n" if (end := text.find(sign, offset)) >= 0), default=len(text))


def content_end(text: str, offset: int) -> int:
    r"""Return the offset at which the content of a line ends whose line end is at an offset, else the offset itself.

    >>> content_end("a  \r\nb", 4), content_end("a b", 2)
    (1, 2)
    """
    if text[offset : offset + 1] not in ("\r", "\n"):
        return offset
    return len(text[:offset].rstrip(" \t")) if text[offset - 1 : offset] != "\r" else content_end(text, offset - 1)


def line_start(text: str, offset: int) -> int:
    r"""Return the offset at which the line of an offset begins.

    >>> line_start("a\r\nbc", 4)
    3
    """
    return max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1


def line_start_above(text: str, start: int) -> int:
    r"""Return the offset at which the line above one begins that begins at an offset; 0 above the first.

    >>> line_start_above("a\r\nb\r\nc", 6)
    3
    """
    return line_start(text, max(0, start - 1 - text.startswith("\r\n", start - 2))) if start else 0


def rest_of_line(text: str, offset: int) -> str:
    """Return what follows an offset on its line; of a long one the beginning."""
    rest = _REST.match(text, offset)
    assert rest is not None, "the pattern matches the empty text"
    return rest.group()


def line_column(text: str, offset: int) -> int:
    r"""Return the width of the blanks before the first content of the line of an offset.

    >>> line_column("a\n\tb = c", 6)
    8
    """
    line = text[line_start(text, offset) : offset + 1]
    return len(line[: len(line) - len(line.lstrip())].expandtabs(_TAB))


def goes_deeper(text: str, offset: int) -> bool:
    r"""Return whether the next line is deeper than that of an offset, which leaves no bracket open.

    It goes on with a value then: the elements of a list are in one column.

    >>> goes_deeper("a.b\n  c", 3), goes_deeper("f(a\n  c)", 3)
    (True, False)
    """
    start = line_start(text, offset)
    if line_column(text, content_after(text, offset)) <= line_column(text, content_at(text, start)):
        return False
    line = text[start:offset]
    return all(line.count(opener) <= line.count(closer) for opener, closer in ("()", "[]", "{}"))
