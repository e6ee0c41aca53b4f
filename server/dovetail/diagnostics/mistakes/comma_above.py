"""Comma above: a comma that is lost at the end of a line, with which the next line fits as it stands.

Where line ends in brackets mean nothing, `"a": "x"` above `"b": "y"` is read on: the value is both strings, and only
the colon behind them does not fit. With the comma all of the line fits, and so the mistake is on the line above.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.flaw import MIRRORED, closer_of, find_flaw
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_at, line_end, line_start
from dovetail.diagnostics.mistakes.lost_dot import is_of_chain
from dovetail.diagnostics.mistakes.missing import are_compared
from dovetail.diagnostics.reach import fits
from dovetail.lexing.lexemes import last_lexeme
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_LAST_WORD = re.compile(r"\w*\Z")


def find_comma_above_bracket(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the line above a fault at an offset if a comma is lost at its end; None otherwise.

    The line of the fault begins with a bracket, as that of a computed key does: so it was read on as an index of the
    value above. It has to fit behind the comma, up to its end, in a bracket that is closed.
    """
    start = line_start(text, offset)
    first = content_at(text, start)
    if first >= offset or text[first] not in MIRRORED or right.lexer.compiled.layout is not None:
        return None
    opened = find_flaw(right.lexer, text[:start])
    if opened is None or not opened.is_open or text[opened.offset] not in MIRRORED:
        return None
    last = last_lexeme(right.lexer, text[:start])
    end = 0 if last is None else last.end
    if end <= opened.offset + 1 or text[end - 1] == "," or closer_of(right.lexer, text, opened.offset) is None:
        return None
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:end])
    if at is None or not fits(right, at, f",{text[end : line_end(text, offset)]}\n"):
        return None
    return Hint(end, "expected `,` at the end of this line", Meant(end, end, ",", is_sure=True))


def find_comma_above(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the line above a fault at an offset if it lacks a comma at its end; None otherwise.

    The line of the fault has to fit behind the comma, up to its end, in the bracket that is open at its beginning. If
    nothing closes that bracket, the line may be a statement: it has to be deeper than the line with the bracket, and
    its first lexeme to go on with the line above.
    """
    start = line_start(text, offset)
    if right.lexer.compiled.layout is None:
        return None
    opened = find_flaw(right.lexer, text[:start])
    if opened is None or not opened.is_open or text[opened.offset] not in MIRRORED:
        return None
    if closer_of(right.lexer, text, opened.offset) is None:
        goes_on = _LAST_WORD.sub("", text[start:offset]).strip()
        if not goes_on or _depth(text, offset) <= _depth(text, opened.offset):
            return None
    last = last_lexeme(right.lexer, text[:start])
    end = 0 if last is None else last.end
    if end <= opened.offset + 1 or text[end - 1] in MIRRORED:
        return None
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:end])
    if at is None or not fits(right, at, f",{text[end : line_end(text, offset)]}\n"):
        return None
    if are_compared(text, offset) or is_of_chain(text, content_at(text, start)):
        return None  # What joins two conditions, or the dot of a method, is as likely.
    words = "expected `,` at the end of this line"
    return Hint(end, words, Meant(end, end, ",", is_sure=True))


def _depth(text: str, offset: int) -> int:
    """Return the number of blanks at the beginning of the line of an offset."""
    line = text[line_start(text, offset) : line_end(text, offset)]
    return len(line) - len(line.lstrip())
