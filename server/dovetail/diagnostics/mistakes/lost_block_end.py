"""Lost end of a block: its brace, above a line on which another brace closes the block around it, as `} catch` does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.diagnostics.flaw import brackets_of
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_at, line_column, line_end, line_start
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_OPENER, _CLOSER = "{", "}"


def find_lost_block_end(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the brace that is never closed above the line of a lexeme at an offset; None for none.

    A brace begins that line and closes one of a line that is deeper; with another brace before it, it closes one of a
    line at its own column, and the line fits.
    """
    start = line_start(text, offset)
    if text[start:offset].strip() != _CLOSER:
        return None
    column = line_column(text, content_at(text, start))
    lines = [
        (place, line_column(text, content_at(text, line_start(text, place))))
        for place, sign in brackets_of(right.lexer, text[:start]).opened
        if sign == _OPENER
    ]
    if len(lines) < 2 or lines[-1][1] <= column or lines[-2][1] != column:
        return None
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:start])
    if at is None or not fits(right, at, f"{_CLOSER}\n{text[start : line_end(text, offset)]}\n"):
        return None
    opener = lines[-1][0]
    return Hint(opener, f"`{_OPENER}` is never closed", Meant(start, start, f"{_CLOSER}\n", is_sure=True))
