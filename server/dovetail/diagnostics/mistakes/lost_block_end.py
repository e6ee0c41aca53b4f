"""Lost end of a block: its brace, above a line that goes on with the statement, as `} catch` and `catch` do."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.flaw import brackets_of
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_at, line_column, line_end, line_start
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_OPENER, _CLOSER = "{", "}"
_WORD = re.compile(r"[a-z]+\b")


def find_lost_block_end(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the brace that is never closed above the line of a lexeme at an offset; None for none.

    Either a brace begins that line and closes one of a line that is deeper, or a word that begins no statement begins
    it, in the column of the line of the brace. With another brace before it the line fits.
    """
    start = line_start(text, offset)
    before = text[start:offset].strip()
    begun = Configuration((right.stacks.bottom,), right.lexer.start)
    if before not in ("", _CLOSER) or (not before and not _begins_no_statement(right, begun, text, offset)):
        return None
    column = line_column(text, content_at(text, start))
    lines = [
        (place, line_column(text, content_at(text, line_start(text, place))))
        for place, sign in brackets_of(right.lexer, text[:start]).opened
        if sign == _OPENER
    ]
    if before and (len(lines) < 2 or lines[-1][1] <= column or lines[-2][1] != column):
        return None
    if not before and (not lines or lines[-1][1] != column):
        return None
    at = begun.read(right.lexer, right.stacks, text[:start])
    line = text[start : line_end(text, offset)]
    if at is None or not fits(right, at, f"{_CLOSER}\n{line}\n"):
        return None
    opener = lines[-1][0]
    return Hint(opener, f"`{_OPENER}` is never closed", Meant(start, start, f"{_CLOSER}\n", is_sure=True))


def _begins_no_statement(right: RightSide, begun: Configuration, text: str, offset: int) -> bool:
    """Return whether the word at an offset is one of the language that begins no statement, as `catch`.

    `begun`: the configuration at the beginning of a text.
    """
    word = _WORD.match(text, offset)
    is_known = word is not None and word.group() in right.lexer.compiled.literals
    return word is not None and is_known and not fits(right, begun, f"{word.group()} ")
