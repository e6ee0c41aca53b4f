"""Half a member: a line that ends with the sign before a member's name, so that the next line gives the name.

Where line ends mean nothing, `value = self.` above `local other` is read on: the name is `local`, and what follows it
does not fit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.engine.hint import Hint, Meant
from dovetail.engine.line_places import line_end, line_start
from dovetail.engine.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_SIGN = "."


def find_half_member(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the line above a fault at an offset if it lacks a member's name; None otherwise.

    With a name there the line of the fault fits.
    """
    end = len(text[: line_start(text, offset)].rstrip())
    if not text[:end].endswith(_SIGN):
        return None
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:end])
    if at is None or not fits(right, at, f"x{text[end : line_end(text, offset)]}\n"):
        return None
    return Hint(end - 1, f"expected a name after `{_SIGN}`", Meant(end, end, "x", is_sure=True))
