"""Lines that a reader has seen: a written line that stands near already, in the text or in the file around the cursor.

Lines are compared within a run of lines at one column: a line that stands in two branches, or under two headers, is no
repetition. Nor is a line whose names were set anew between the two, as in a series of assignments and assertions; nor
rows of numbers and closing brackets. But a header that stands right below itself, and deeper, is one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

_FAR = 8
"""Lines of the text itself that are compared with a line of it."""

_NEAR = 3
"""Lines of the file on each side that are compared with a line of the text."""

_SHORT = 8
"""A line with fewer characters may come twice."""

_NESTED = 12
"""The fewest characters of a line that nobody writes right below itself, and deeper: `<div>` stands in `<div>`."""

_WORD = re.compile(r"[^\W\d_]")
_TARGET = re.compile(r"([\w.\[\]]+(?:\s*,\s*[\w.\[\]]+)*)\s*\W{0,2}(?<![=!<>])=(?!=)")
"""The pattern of the names that the assignment at the beginning of a line sets."""

_LINE = re.compile(r"[^\r\n]+")


class SeenLine(NamedTuple):
    """A line with content."""

    column: int
    content: str
    """Without blanks around it."""
    start: int
    """Its offset in the text that it was found in."""


def find_lines(text: str) -> list[SeenLine]:
    r"""Return the lines of a text that have content.

    >>> find_lines("a\n\n  b ")
    [SeenLine(column=0, content='a', start=0), SeenLine(column=2, content='b', start=3)]
    """
    lines = []
    for match in _LINE.finditer(text):
        line = match[0]
        content = line.strip()
        if content:
            column = len(line.expandtabs(8)) - len(line.expandtabs(8).lstrip())
            lines.append(SeenLine(column, content, match.start()))
    return lines


def first_seen(above: Sequence[SeenLine], written: Sequence[SeenLine], below: Sequence[SeenLine]) -> SeenLine | None:
    """Return the first of the written lines that a reader has seen near it, or None.

    `above` and `below` are the lines of the file around the written ones.
    """
    lines = (*above[-_FAR:], *written, *below[:_NEAR])
    first = min(len(above), _FAR)
    for place, line in enumerate(written, first):
        if not _WORD.search(line.content):
            continue
        if place and _is_nested(lines[place - 1], line):
            return line
        before = range(place - 1, max(-1, place - 1 - _FAR), -1)
        equal = _equal_ones(lines, place, [at for at in before if at >= first or place - at <= _NEAR])
        # The line right below the last one is no matter of this rule: the text may have come to what follows anyway.
        follows = first + len(written)
        behind = range(max(follows, place + 2), len(lines))
        below_it = _equal_ones(lines, place, behind) if _is_flat(lines[place : behind.start]) else []
        if len(equal) + len(below_it) > (len(line.content) < _SHORT):
            # The first of its kind may stay, if it is the text's.
            kind = [*reversed(equal), place] if below_it or min(equal) < first else [*reversed(equal[:-1]), place]
            return lines[next(at for at in kind if at >= first)]
    return None


def _is_nested(above: SeenLine, line: SeenLine) -> bool:
    """Return whether a line is the one right above it, deeper."""
    return line.column > above.column and len(line.content) >= _NESTED and line.content == above.content


def _equal_ones(lines: Sequence[SeenLine], place: int, others: Sequence[int]) -> list[int]:
    """Return which of other lines equal a line, up to the first at another column or one that sets its names."""
    line, equal = lines[place], []
    for at in others:
        other = lines[at]
        if other.column != line.column:
            break
        if other.content == line.content:
            equal.append(at)
        elif _sets_name_of(other.content, line.content):
            break
    return equal


def _is_flat(lines: Sequence[SeenLine]) -> bool:
    return all(line.column == lines[0].column for line in lines)


def _sets_name_of(assignment: str, content: str) -> bool:
    """Return whether a line sets a name that another line has in it."""
    match = _TARGET.match(assignment)
    if match is None:
        return False
    return any(re.search(rf"(?<![\w.]){re.escape(name.strip())}(?!\w)", content) for name in match[1].split(","))
