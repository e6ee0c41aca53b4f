"""Omission: a part of a text that a quotient leaves out, and its lines."""

from __future__ import annotations

from typing import NamedTuple


class Omission(NamedTuple):
    """A part of a text that was left out, by offsets in characters."""

    start: int
    end: int
    instead: str = ""
    """The placeholder that was read in its place; empty for none."""
    unread: bool = False
    """True if the part was left out only because it has not been read yet."""


class OmittedHeader(Omission):
    """A part that was left out for the cursor's line, which is not deeper than the header right above it."""

    __slots__ = ()


def before_put_in(part: Omission, end: Omission) -> Omission | None:
    """Return a part of a text with the end of a header put in as one of the text without; None if it holds the end."""
    if part.end <= end.start:
        return part
    more = len(end.instead)
    return part._replace(start=part.start - more, end=part.end - more) if part.start >= end.start + more else None


def without(text: str, offset: int, omissions: tuple[Omission, ...]) -> str:
    """Return the text after an offset without its omissions."""
    kept = []
    for part in omissions:
        kept += [text[offset : part.start], part.instead]
        offset = part.end
    return "".join((*kept, text[offset:]))


def lines_of(text: str, start: int, end: int) -> tuple[int, int]:
    r"""Return the first and the last line, from 1, of a part of a text; the line of `start` twice if it is empty.

    Lines end as the protocol says, at `\n`, `\r\n` and `\r`. Blank lines at the end of the part do not count.

    >>> lines_of("a\nb\r\nc\rd", 2, 6)
    (2, 3)
    """
    held = len(text[start:end].rstrip())
    return _line(text, start), _line(text, start + max(held, 1) - 1)


def what_is_missing(text: str, offset: int, put_in: str) -> str:
    """Return the sentence about what was put in at an offset of a text: above a line, or at its end.

    >>> what_is_missing("if f():", 7, "`pass`")
    'Line 1 is unfinished and was read as if `pass` stood at its end.'
    """
    line = _line(text, offset)
    if not offset or text[offset - 1] in "\n\r":
        return f"Something is missing before line {line}, which was read as if {put_in} stood above it."
    return f"Line {line} is unfinished and was read as if {put_in} stood at its end."


def _line(text: str, offset: int) -> int:
    r"""Return the line of an offset, from 1; between `\r` and `\n` it is the line that they end."""
    return 1 + text.count("\n", 0, offset) + text.count("\r", 0, offset) - text.count("\r\n", 0, offset + 1)
