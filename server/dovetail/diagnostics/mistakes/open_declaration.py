"""Open declaration: one at the margin whose brace is never closed, above another one at the margin.

The second one is read as a part of the first, as a function among the members of a `struct`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.diagnostics.brace_columns import unclosed_brace
from dovetail.diagnostics.flaw import closer_of, find_flaw
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, line_column, line_end, line_start
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.machine import Machine
    from dovetail.quotient.right_side import RightSide

_OPENER, _CLOSER = "{", "}\n"


def find_open_declaration(machine: Machine, right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the brace of a declaration with whose end above the line of a fault that line fits.

    Both begin at the margin. None if there is none, or if it is closed further down.
    """
    start = line_start(text, offset)
    if not machine.brackets.has_blocks or not text[start : start + 1].isalpha():
        return None
    opened = find_flaw(right.lexer, text[:start])
    if opened is None or not opened.is_open or text[opened.offset] != _OPENER or line_column(text, opened.offset) != 0:
        return None
    if closer_of(right.lexer, text, opened.offset) is not None:
        return None
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:start])
    stops = (line_end(text, content_after(text, offset)), line_end(text, offset))
    if at is None or not any(fits(right, at, f"{_CLOSER}{text[start:stop]}\n") for stop in stops):
        return None
    brace = unclosed_brace(right.lexer, text[:start], opened.offset)
    return Hint(brace, f"`{_OPENER}` is never closed", Meant(start, start, _CLOSER, is_sure=True))
