"""Lost line of a tag: the one with its sign and name, above its attributes and the sign that ends it.

The attributes are then read as text of the element around, which cannot have that sign.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, content_at, line_column, line_end, line_start
from dovetail.diagnostics.markup.tags import is_in_content, tag_name, tags
from dovetail.diagnostics.reach import fits
from dovetail.diagnostics.reported import words_of_lost_line
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.lexing.lexer import Lexer
    from dovetail.quotient.right_side import RightSide

_SIGN, _EMPTY = ">", "/>"
_ATTRIBUTE = re.compile(r"[A-Za-z_$][\w$:-]*(?:=[\"'{]|[ \t]*(?:/?>|[\r\n]))|\{[ \t]*\.\.\.")
"""The beginning of a line of attributes."""
_TAG_OR_END = ("<", ")")
"""The beginnings of lines that are no part of a tag."""
_NAME = "a"
"""The look of an element's name."""
_MOST_LINES = 30
"""The most lines that the attributes may have."""


def find_lost_tag_line(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for a line that is lost above attributes which end at a fault; None if those are none.

    With the beginning of a tag before the first of them the text fits beyond the fault.
    """
    if not right.lexer.compiled.mistakes.elements or not text.startswith(_SIGN, offset):
        return None
    is_empty = text.startswith(_EMPTY, offset - 1)
    stops = (line_end(text, content_after(text, offset)), line_end(text, offset))
    for first in _attribute_lines(text, offset):
        at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:first])
        if at is None or not is_in_content(right, at):
            continue
        closer = offset - 1 if is_empty else _closing_tag(right.lexer, text, first)
        if closer is None:
            continue
        tag = f"<{_NAME if is_empty else tag_name(text, closer)}"
        if any(fits(right, at, f"{tag} {text[first:stop]}\n") for stop in stops):
            looks = "begins with `<`" if is_empty else f"begins with `{tag}`"
            written = _EMPTY if is_empty else f"</{tag[1:]}>"
            words = words_of_lost_line(text, looks, written, closer)
            return Hint(first, words, Meant(first, first, f"{tag} ", is_sure=True))
    return None


def _attribute_lines(text: str, offset: int) -> list[int]:
    """Return where the lines of attributes begin above the end of a tag at an offset, and on its line, the first first.

    All stand in one column. Between them may be deeper lines of their values.
    """
    found: list[int] = []
    column = -1
    begin = line_start(text, offset)
    for _ in range(_MOST_LINES):
        content = content_at(text, begin)
        is_further_left = not found or line_column(text, content) <= column
        if content >= line_end(text, begin) or (is_further_left and text.startswith(_TAG_OR_END, content)):
            break
        if found and line_column(text, content) < column:
            break
        if _ATTRIBUTE.match(text, content) and (not found or line_column(text, content) == column):
            column = line_column(text, content)
            found.append(content)
        if begin == 0:
            break
        begin = line_start(text, len(text[:begin].rstrip("\r\n")))
    return found[::-1]


def _closing_tag(lexer: Lexer, text: str, first: int) -> int | None:
    """Return where the tag stands that closes the element of the attributes at an offset; None if none does."""
    tag = f"<{_NAME} "
    made = text[:first] + tag + text[first:]
    names: list[str] = []
    for place, begun, _ in tags(lexer, made):
        if place < first:
            continue
        if begun:
            names.append(tag_name(made, place))
            continue
        if len(names) == 1:
            return place - len(tag)
        if not names or names.pop() != tag_name(made, place):
            return None
    return None
