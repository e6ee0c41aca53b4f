"""Lost match: a part that stands in a block of such parts alone, above which the header is lost.

As `case` without `match`: one report for the first part, and none for the others.
"""

from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING

from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, content_at, line_column, line_end, line_start
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_WORD = re.compile(r"[^\W\d]\w*")
_MOST_LINES = 200
"""The most lines that the block may have."""


def find_lost_match(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for a line at a fault that fits below the header of a block where no other statement may stand.

    The line after it has to fit too. None where columns mean nothing.
    """
    compiled = right.lexer.compiled
    start = line_start(text, offset)
    word = None if compiled.layout is None else _WORD.match(text, content_at(text, start))
    if word is None or word.group() not in compiled.literals or offset >= len(text):
        return None
    part = text[start : line_end(text, content_after(text, word.start()))]
    blanks = text[start : word.start()]
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:start])
    if at is None:
        return None
    openers = [literal for literal in compiled.literals if literal is not None and literal.isalpha()]
    for outer, opener in product(_columns(text, start, word.start()), openers):
        header = f"{outer}{opener} 0:\n"
        if fits(right, at, f"{header}{part}\n") and not fits(right, at, f"{header}{blanks}0\n"):
            words = f"`{word.group()}` has no `{opener}`"
            return Hint(word.start(), words, Meant(start, start, header, is_sure=True))
    return None


def _columns(text: str, start: int, begin: int) -> list[str]:
    """Return the blanks that the lost header of a line may have: those of the line above, or of one below the block.

    Below a header, any fewer blanks than those of the line do.
    """
    width = line_column(text, begin)
    above = len(text[:start].rstrip())
    below = begin
    for _ in range(_MOST_LINES):
        below = content_after(text, below)
        if line_column(text, below) < width:
            break
    places = [line_start(text, place) for place in (above, below)]
    found = [text[place : content_at(text, place)] for place in places if line_column(text, place) < width]
    return list(dict.fromkeys([*found, text[start : start + (begin - start) // 2]]))
