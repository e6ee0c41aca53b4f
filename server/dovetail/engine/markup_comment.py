"""Markup comment: `<!--` and `-->` around one of several lines, as HTML has it, in an element."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.engine.hint import Hint, Meant
from dovetail.engine.line_places import line_end
from dovetail.engine.reach import fits
from dovetail.engine.tags import is_in_content, is_in_tag
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_OPENER, _CLOSER = "<!--", "-->"
_COMMENT_END = "*/"


def find_markup_comment(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for a comment of several lines whose second sign is at an offset; None if there is none."""
    start = offset - 1 if text.startswith(_OPENER, max(offset - 1, 0)) else offset
    closer = text.find(_CLOSER, start)
    inner = text[start + len(_OPENER) : closer]
    if not text.startswith(_OPENER, start) or closer < line_end(text, start) or _COMMENT_END in inner:
        return None
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:start])
    if at is None or not (is_in_content(right, at) or is_in_tag(right, at)):
        return None
    before, behind = ("{/*", "*/}") if is_in_content(right, at) else ("/*", "*/")
    end = closer + len(_CLOSER)
    if not fits(right, at, f"{before}{inner}{behind}"):
        return None
    words = f"`{_OPENER}` does not fit here; write `{before}`, and `{behind}` for `{_CLOSER}`"
    return Hint(start, words, Meant(start, end, f"{before}{inner}{behind}", is_sure=True))
