"""Open field: the `{` of a field that is never closed, in a text that was to end on its line, as Python's `f'{name`.

A field may go on below, so the lines there are read as a part of its value.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from dovetail.diagnostics.flaw import MIRRORED
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, content_end, line_end, line_start
from dovetail.diagnostics.reach import fits
from dovetail.lexing.lexemes import lexemes
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.lexing.lexer import Lexer
    from dovetail.quotient.right_side import RightSide

_BRACE = "{"
_ON_ONE_LINE = re.compile(r"\w+([\"'])\Z")
"""The beginning of a text with fields that ends on its line."""
_VALUES = ("", " 0", "0")
"""The values that may be lost with the end of the field."""


def find_open_field(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for a field that is open at a fault which is the end of its text, or stands below; else None.

    With its own end before that of its text, or with the ends of both, and of the brackets around them, at the end of
    the line of its brace, the line of the fault fits.
    """
    if right.lexer.compiled.layout is None:
        return None
    opened = _open_field(right.lexer, text, offset)
    if opened is None:
        return None
    brace, closers = opened
    if text.startswith(closers[1], offset) and offset < line_end(text, brace):
        return _closed_before_quote(right, text, brace, offset)
    end = content_end(text, line_end(text, brace))
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:end])
    stops = (line_end(text, content_after(text, offset)), line_end(text, offset))
    for stop in stops if at is not None and end < offset else ():
        for value in _VALUES:
            if at is not None and fits(right, at, f"{value}{closers}{text[end:stop]}\n"):
                return Hint(brace, f"`{_BRACE}` is never closed", Meant(end, end, f"{value}{closers}", is_sure=True))
    return None


def _closed_before_quote(right: RightSide, text: str, brace: int, offset: int) -> Hint | None:
    """Return the hint for a field with whose end before the quote at an offset the line fits; None if it does not."""
    closer = MIRRORED[_BRACE]
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:offset])
    stops = (line_end(text, content_after(text, line_end(text, offset))), line_end(text, offset))
    if at is None or not any(fits(right, at, f"{closer}{text[offset:stop]}\n") for stop in stops):
        return None
    return Hint(brace, f"`{_BRACE}` is never closed", Meant(offset, offset, closer, is_sure=True))


def _open_field(lexer: Lexer, text: str, offset: int) -> tuple[int, str] | None:
    """Return the brace of the first field open at an offset, with all that closes what its line opened; else None."""
    opened: list[tuple[int, str]] = []
    for start, end, terminal, _, depth in lexemes(lexer, text[:offset]):
        if terminal is None:
            continue
        sign = text[start:end]
        if depth > 0 or (sign in MIRRORED and lexer.compiled.literals[terminal] is not None):
            opened.append((start, sign))
        elif depth < 0 and opened:
            opened.pop()
    for (start, sign), (brace, field) in pairwise(opened):
        if field == _BRACE and _ON_ONE_LINE.match(sign):
            begin, stop = line_start(text, start), line_end(text, start)
            here = [opener for place, opener in opened if begin <= place < stop]
            return brace, "".join(MIRRORED.get(opener, opener[-1]) for opener in reversed(here))
    return None
