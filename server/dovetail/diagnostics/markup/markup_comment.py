"""Markup comment: `<!--` and `-->` around one of several lines, as HTML has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import line_end
from dovetail.diagnostics.markup.tags import is_in_content
from dovetail.diagnostics.reach import fits
from dovetail.lexing.lexemes import lexemes
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_OPENER, _CLOSER = "<!--", "-->"
_COMMENT_END = "*/"


def find_markup_comment(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for a comment of several lines around an offset; None if there is none."""
    # In code a script may have such a comment on one line.
    start = max(text.rfind(_OPENER, 0, offset + len(_OPENER)), 0)
    if not right.lexer.compiled.mistakes.elements or not text.startswith(_OPENER, start):
        return None
    end = start + len(_OPENER)
    if not any(each.start == start and each.end < end for each in lexemes(right.lexer, text[:end])):
        return None  # It stands in a string.
    closer = text.find(_CLOSER, start)
    inner = text[start + len(_OPENER) : closer]
    if closer < max(line_end(text, start), offset) or _COMMENT_END in inner:
        return None
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:start])
    if at is None:
        return None
    before, behind = ("{/*", "*/}") if is_in_content(right, at) else ("/*", "*/")
    end = closer + len(_CLOSER)
    if not fits(right, at, f"{before}{inner}{behind}"):
        return None
    words = f"`{_OPENER}` does not fit here; write `{before}`, and `{behind}` for `{_CLOSER}`"
    return Hint(start, words, Meant(start, end, f"{before}{inner}{behind}", is_sure=True))
