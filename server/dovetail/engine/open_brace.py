"""Open brace: the one before a value, or a comment, in an element, which lacks the brace behind it.

That stands at the end of its line, or before a closing tag. The elements below it are then read as a part of the
value, and only one of them fits.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.engine.flaw import closer_of
from dovetail.engine.hint import Hint, Meant
from dovetail.engine.line_places import content_after, line_column, line_end, line_start
from dovetail.engine.reach import fits
from dovetail.engine.tags import is_in_content
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_OPENER, _CLOSER = "{", "}"
_BRACE_OF_LINE = re.compile(r"\{[^{}\r\n]*(?=[\r\n])")
_BRACE_BEFORE_TAG = re.compile(r"\{[^{}<>\r\n]*(?=</)")
_MOST_BEFORE = 2000
"""The most characters before a fault at which the brace may stand."""
_MOST_BRACES = 5
"""The most braces before a fault that are tried."""


def find_open_brace(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for a brace before a fault, in an element, with whose end the text fits.

    A closing tag follows it, or an element or a brace on the next line, no deeper than it. None if there is none.
    """
    if not right.lexer.compiled.mistakes.elements:
        return None
    beside = next(_BRACE_BEFORE_TAG.finditer(text, line_start(text, offset), line_end(text, offset)), None)
    if beside is not None and beside.end() <= offset:
        hint = _closed(right, text, beside.start(), beside.end(), offset)
        if hint is not None:
            return hint
    braces = list(_BRACE_OF_LINE.finditer(text, max(offset - _MOST_BEFORE, 0), offset))
    for found in braces[: -_MOST_BRACES - 1 : -1]:
        brace, below = found.start(), content_after(text, found.start())
        if below > offset or not text.startswith(("<", _OPENER), below):
            continue
        if line_column(text, below) > line_column(text, brace):
            continue
        closer = closer_of(right.lexer, text, brace)
        if closer is not None and line_column(text, closer) >= line_column(text, brace):
            continue
        hint = _closed(right, text, brace, brace + max(len(found.group().rstrip()), 1), offset)
        if hint is not None:
            return hint
    return None


def _closed(right: RightSide, text: str, brace: int, end: int, offset: int) -> Hint | None:
    """Return the hint for a brace with whose end at an offset the text fits beyond a fault; None if it does not."""
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:brace])
    if at is None or not is_in_content(right, at):
        return None
    stops = (line_end(text, content_after(text, offset)), line_end(text, offset))
    if not any(fits(right, at, f"{text[brace:end]}{_CLOSER}{text[end:stop]}") for stop in stops):
        return None
    return Hint(brace, f"`{_OPENER}` is never closed", Meant(end, end, _CLOSER, is_sure=True))
