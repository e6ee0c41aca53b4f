"""Half attribute: one that ends with its sign, without a value."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import line_end
from dovetail.diagnostics.markup.tags import is_in_tag
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_SIGN = "="
_ARROW = "=>"
_VALUES = ("{", '"', "'")
"""The beginnings of values."""
_EMPTY = '""'
_BREAK = re.compile(r"[\r\n]")
_ENDS = ("/", ">")
_ATTRIBUTE = re.compile(r"([\w-]+)[ \t]*=(?!=)")


def find_half_attribute(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for an attribute before a fault at an offset that lacks its value; None if there is none.

    It ends its line or its tag, or another attribute follows behind a blank.
    """
    before = len(text[:offset].rstrip())
    is_at_end = _BREAK.search(text, before, offset + 1) is not None
    following = _ATTRIBUTE.match(text, offset) if offset > before else None
    if text[before - 1 : before] != _SIGN or not (is_at_end or following or text.startswith(_ENDS, offset)):
        return None
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[: before - 1])
    if at is None or not is_in_tag(right, at):
        return None
    if text.startswith(_ARROW, before - 1) and text.startswith(_VALUES, before + 1):
        rest = text[before + 1 : line_end(text, before)]
        if fits(right, at, f"{_SIGN}{rest}\n"):
            words = f"`{_ARROW}` does not fit here; write `{_SIGN}`"
            return Hint(before - 1, words, Meant(before - 1, before + 1, _SIGN, is_sure=True))
    if not fits(right, at, f"{_SIGN}{_EMPTY}{text[before : line_end(text, offset)]}"):
        return None
    follows = text[offset] if following is None else following[1]
    words = f"expected a value {'at the end of this line' if is_at_end else f'before `{follows}`'}"
    return Hint(before, words, Meant(before, before, _EMPTY, is_sure=True))
