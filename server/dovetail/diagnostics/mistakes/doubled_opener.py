"""Doubled opener: a brace that was written twice at the end of a line, as `return {{`, of which one is closed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.diagnostics.flaw import MIRRORED, closer_of, find_flaw
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, line_end
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide


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
