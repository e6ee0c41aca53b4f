"""Dot for comma: the one behind a number in a list, as in `[0. 1]`, which is read as a part of the number."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import line_start, rest_of_line
from dovetail.diagnostics.mistakes.lost_operator import is_comma_likely
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_NUMBER = re.compile(r"(?<![\w.])\d+(?P<dot>\.)[ \t]+\Z")
_COMMA = ","


def find_dot_for_comma(right: RightSide, text: str, start: int) -> Hint | None:
    """Return the hint for a dot that was meant as the comma before the value at an offset; None for anything else."""
    found = _NUMBER.search(text, line_start(text, start), start)
    if found is None or not is_comma_likely(right, text, start):
        return None
    dot = found.start("dot")
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:dot])
    if at is None or not fits(right, at, f"{_COMMA}{rest_of_line(text, dot + 1)}\n"):
        return None
    words = f"`.` does not fit here; perhaps `.` should be `{_COMMA}`"
    return Hint(dot, words, Meant(dot, dot + 1, _COMMA, is_sure=True))
