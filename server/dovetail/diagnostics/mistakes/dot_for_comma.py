"""Dot for comma: the one behind a number in a list, as in `[0. 1]`, which is read as a part of the number.

At the end of a line, what stands below it does not fit, or the line end itself.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_at, line_end, line_start
from dovetail.diagnostics.mistakes.lost_operator import is_comma_likely
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_NUMBER = re.compile(r"(?<![\w.])\d+(?P<dot>\.)\s*\Z")
_BARE = re.compile(r"(?<![\w.])\d+\.(?![\w.])[ \t]*[,)\]}]")
"""A number that ends with a dot."""
_COMMA = ","


def find_dot_for_comma(right: RightSide, text: str, start: int) -> Hint | None:
    """Return the hint for a dot that was meant as the comma before the value at an offset; None for anything else."""
    end = len(text[:start].rstrip())
    found = _NUMBER.search(text, line_start(text, end), start)
    if found is None or not is_comma_likely(right, text, start) or not text[end : end + 1].isspace():
        return None
    dot = found.start("dot")
    if _BARE.search(text, 0, dot) or _BARE.search(text, dot + 1):
        return None  # Where other numbers end with a dot, a comma may be lost behind this one.
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:dot])
    if at is None or not fits(right, at, f"{_COMMA}{text[dot + 1 : line_end(text, content_at(text, end))]}\n"):
        return None
    words = f"`.` does not fit here; perhaps it should be `{_COMMA}`"
    return Hint(dot, words, Meant(dot, dot + 1, _COMMA, is_sure=True))
