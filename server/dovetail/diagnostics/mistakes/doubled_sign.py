"""Doubled sign: one that is written twice within a lexeme or around a type, as `1..5`, `<//p>` and `List<<string>>`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import line_end, line_start, line_start_above
from dovetail.diagnostics.reach import find_reach, fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_DOUBLED = (
    (re.compile(r"(?<![\w.])(?<!\bin )(\d\w*)\.{2,}(\d\w*)"), r"\1.\2"),
    (re.compile(r"<//([\w.]*)>"), r"</\1>"),
    (re.compile(r"<<([\w.\[\], ]+)>>"), r"<\1>"),
)
"""Forms as they are written, each with the form that is meant."""


def find_doubled_sign(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the first doubled sign on the line of a fault or on the one above.

    None if there is none, or if what stands behind it does not fit without it either.
    """
    end = line_end(text, offset)
    begin = line_start_above(text, line_start(text, offset))
    for pattern, meant in _DOUBLED:
        for found in pattern.finditer(text, begin, end):
            at = Configuration((right.stacks.bottom,), right.lexer.start)
            before = at.read(right.lexer, right.stacks, text[: found.start()])
            single, rest = found.expand(meant), text[found.end() : end]
            if before is None or found.start() > offset or fits(right, before, f"{found.group()}{rest}\n"):
                continue
            if find_reach(right, before, f"{single}{rest}\n") > len(single):
                words = f"`{found.group()}` does not fit here; write `{single}`"
                return Hint(found.start(), words, Meant(*found.span(), single, is_sure=True))
    return None
