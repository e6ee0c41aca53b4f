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
_WITH_VALUE = re.compile(r"[\w$:-]+=|\{")
"""The beginning of a line of attributes that is no word of a text."""
_WORD_ALONE = re.compile(r"[ \t]*[A-Za-z][\w$.:-]*[ \t]*")
"""A line that may be the lost one without its sign."""
_TAG_OR_END = ("<", ")")
"""The beginnings of lines that are no part of a tag."""
_NAME = "a"
"""The look of an element's name."""
_MOST_LINES = 30
"""The most lines that the attributes may have."""


def find_lost_tag_line(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for a line that is lost above attributes which end at a fault, or for that end; else None.

    With the beginning of a tag before the first of them the text fits beyond the fault. Where there are none, the end
    closes nothing.
    """
    if not right.lexer.compiled.mistakes.elements or not text.startswith(_SIGN, offset):
        return None
    is_empty = text.startswith(_EMPTY, offset - 1)
    stops = (line_end(text, content_after(text, offset)), line_end(text, offset))
    lines = _attribute_lines(text, offset)
    if is_empty and not lines and content_at(text, line_start(text, offset)) == offset - 1:
        return _closes_nothing(right, text, offset, stops)
    if not any(_WITH_VALUE.match(text, line) for line in lines) or _is_below_word(text, lines[0]):
        return None
    for first in lines:
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


def _closes_nothing(right: RightSide, text: str, offset: int, stops: tuple[int, ...]) -> Hint | None:
    """Return the hint for the end of a tag alone in its line, without which the text fits up to one of some offsets."""
    start, end = offset - 1, offset + 1
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:start])
    blanks = " " * len(_EMPTY)
    if at is None or not any(fits(right, at, f"{blanks}{text[end:stop]}\n") for stop in stops):
        return None
    return Hint(start, f"`{_EMPTY}` closes nothing", Meant(start, end, blanks, is_sure=True))


def _is_below_word(text: str, first: int) -> bool:
    """Return whether the line above that of an attribute is a word alone, further to the left."""
    above = len(text[: line_start(text, first)].rstrip())
    is_word = _WORD_ALONE.fullmatch(text, line_start(text, above), above) is not None
    return is_word and line_column(text, line_start(text, above)) < line_column(text, first)


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
