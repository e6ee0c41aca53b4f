"""Half a type: the one behind the parameters of a function that is not written to its end, as `f(): string | {`.

The braces of the block are read as those of a type then, so the text stops fitting at a statement inside.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.flaw import brackets_of
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, line_end
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_BRACE = "{"
_LAST = re.compile(r"\{[ \t]*(?=[\r\n]|\Z)")
_SIGN = re.compile(r"([|&<])[ \t]*\Z")
_ENDS = (("x ", "a type"), ("x> ", "a type and `>`"))
"""The parts that may be lost before the brace, with words."""


def find_half_type(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for a brace around a fault at an offset before which a type is lost; None if none explains it.

    With a name there, the line of the fault fits as one of a block, and perhaps the next one.
    """
    opened = brackets_of(right.lexer, text[:offset]).opened
    if not opened or opened[-1][1] != _BRACE:
        return None
    brace = opened[-1][0]
    sign = _SIGN.search(text, 0, brace)
    if sign is None or not _LAST.match(text, brace):
        return None
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:brace])
    if at is None:
        return None
    stops = (line_end(text, content_after(text, offset)), line_end(text, offset))
    for end, name in _ENDS:
        if any(fits(right, at, f"{end}{text[brace:stop]}\n") for stop in stops):
            return Hint(brace, f"expected {name} after `{sign[1]}`", Meant(brace, brace, end, is_sure=True))
    return None
