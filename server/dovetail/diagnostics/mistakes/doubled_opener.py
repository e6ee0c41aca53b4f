"""Doubled opener: a brace that was written twice at the end of a line, as `return {{`, of which one is closed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.flaw import MIRRORED, closer_of, find_flaw
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, line_column, line_end, line_start
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_LAST = re.compile(r"(\{)[ \t]*(\{)[ \t]*(?=[\r\n])")
_FAR_ABOVE = 4_000
"""The most characters above a fault in which a line may end with two braces."""


def find_doubled_opener(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the bracket at an offset, behind the same one, if the text fits without it; None otherwise.

    Without it all brackets around it are closed, as far as the next flaw.
    """
    sign = text[offset : offset + 1]
    if sign not in MIRRORED or text[offset - 1 : offset] != sign:
        return None
    flaw = find_flaw(right.lexer, text)
    made = text[:offset] + " " + text[offset + 1 :]
    closer = closer_of(right.lexer, made, offset - 1)
    if flaw is None or closer is None:
        return None
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:offset])
    if at is None or not fits(right, at, f"{text[offset + 1 : line_end(text, content_after(text, offset))]}\n"):
        return None
    return Hint(offset, f"`{sign}` is one too many", Meant(offset, offset + 1, " ", is_sure=True))


def find_doubled_opener_above(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the second of two braces at the end of a line above a fault; None if there is none.

    The line that closes the second one stands in the column of theirs, so it is that of the first one. Without the
    second one the line of the fault fits.
    """
    begin = line_start(text, max(offset - _FAR_ABOVE, 0))
    for found in reversed(list(_LAST.finditer(text, begin, line_start(text, offset)))):
        first, second = found.start(1), found.start(2)
        closer = closer_of(right.lexer, text, second)
        if closer is None or line_column(text, closer) != line_column(text, first):
            continue
        made = f"{text[:second]} {text[second + 1 :]}"
        at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:second])
        if closer_of(right.lexer, made, first) != closer or at is None:
            continue
        if fits(right, at, f" {text[second + 1 : line_end(text, content_after(text, offset))]}\n"):
            return Hint(second, "`{` is one too many", Meant(second, second + 1, " ", is_sure=True))
    return None
