"""Open brace: the one before a value, or a comment, in an element, which lacks the brace behind it.

That stands at the end of its line, or before the closing tag of the element around it. The elements below are then
read as a part of the value, and only one of them fits.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from dovetail.diagnostics.flaw import brackets_of, closer_of
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, content_at, line_column, line_end, line_start
from dovetail.diagnostics.markup.open_parts import open_parts
from dovetail.diagnostics.markup.tags import are_closed, is_in_content, tag_name, tags
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.lexing.lexer import Lexer
    from dovetail.quotient.right_side import RightSide

_OPENER, _CLOSER = "{", "}"
_BRACE_OF_LINE = re.compile(r"\{[^{}\r\n]*(?=[\r\n])")
_CLOSING_LINE = re.compile(r"^[ \t]*(\))(?=[ \t]*[\r\n])", re.MULTILINE)
_CLOSING_TAG = re.compile(r"</\s*([\w$.:-]*)\s*>")
_MOST_BEFORE = 2000
"""The most characters before a fault at which the brace may stand."""
_MOST_TAGS = 4
"""The most closing tags of one line that are tried."""
_MOST_BRACES = 5
"""The most braces before a fault that are tried."""


def find_open_brace(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for a brace before a fault, in an element, with whose end the text fits.

    A closing tag follows it, or an element or a brace on the next line, no deeper than it. None if there is none.
    """
    if not right.lexer.compiled.mistakes.elements:
        return None
    for tag in islice(_CLOSING_TAG.finditer(text, line_start(text, offset), line_end(text, offset)), _MOST_TAGS):
        if tag.start() > offset:
            break
        brace = _brace_before(right.lexer, text, tag)
        hint = None if brace is None else _closed(right, text, brace, len(text[: tag.start()].rstrip()), offset)
        if hint is not None:
            return hint
    braces = list(_BRACE_OF_LINE.finditer(text, max(offset - _MOST_BEFORE, 0), offset))
    for found in braces[: -_MOST_BRACES - 1 : -1]:
        brace, below = found.start(), content_after(text, found.start())
        if below > offset or not text.startswith(("<", _OPENER), below):
            continue
        if line_column(text, below) > line_column(text, brace):
            continue
        closer = closer_of(right.lexer, text, brace)
        if closer is not None and line_column(text, closer) >= line_column(text, brace):
            continue
        hint = _closed(right, text, brace, brace + max(len(found.group().rstrip()), 1), offset)
        if hint is not None:
            return hint
    return _closed_but_for_brace(right, text, offset)


def _closed_but_for_brace(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for a brace with a bracket behind it on its line that is closed, alone, in their column.

    As `)` below `{a && (`. An element or a brace follows on the next line. None if there is none.
    """
    lines = list(_CLOSING_LINE.finditer(text, max(offset - _MOST_BEFORE, 0), offset))
    for line in lines[: -_MOST_BRACES - 1 : -1]:
        closer, below = line.start(1), content_after(text, line.end())
        opened = brackets_of(right.lexer, text[:closer]).opened[-2:]
        if below > offset or not text.startswith(("<", _OPENER), below) or len(opened) < 2:
            continue
        (brace, sign), (bracket, _) = opened
        columns = {line_column(text, place) for place in (brace, bracket, closer, below)}
        is_of_line = sign == _OPENER and content_at(text, line_start(text, bracket)) == brace
        if not is_of_line or len(columns) > 1:
            continue
        hint = _closed(right, text, brace, line.end(), offset)
        if hint is not None:
            return hint
    return None


def _brace_before(lexer: Lexer, text: str, tag: re.Match[str]) -> int | None:
    """Return the offset of the brace that is open before a closing tag of the element around it; None if none is."""
    opened = open_parts(lexer, text[: tag.start()])
    if [part.kind for part in opened[-2:]] != ["content", _OPENER]:
        return None
    around = _around(lexer, text[: tag.start()])
    return opened[-1].offset if around and around[-1][1] == tag[1] else None


def _around(lexer: Lexer, text: str) -> list[tuple[int, str]]:
    """Return the elements that are open at the end of a text, each with the offset of its tag and its name."""
    opened: list[tuple[int, str]] = []
    for place, begun, _ in tags(lexer, text):
        if begun:
            opened.append((place, tag_name(text, place)))
        elif opened:
            opened.pop()
    return opened


def _closed(right: RightSide, text: str, brace: int, end: int, offset: int) -> Hint | None:
    """Return the hint for a brace with whose end at an offset the text fits beyond a fault; None if it does not."""
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:brace])
    if at is None or not is_in_content(right, at):
        return None
    stops = (line_end(text, content_after(text, offset)), line_end(text, offset))
    closer = _CLOSER + _tag_lost(right.lexer, text, brace, end)
    if not any(fits(right, at, f"{text[brace:end]}{closer}{text[end:stop]}") for stop in stops):
        return None
    return Hint(brace, f"`{_OPENER}` is never closed", Meant(end, end, closer, is_sure=True))


def _tag_lost(lexer: Lexer, text: str, brace: int, end: int) -> str:
    """Return the closing tag that a half-written line lacks behind the end of its brace; empty for none."""
    around = _around(lexer, text[:brace])
    if not around or around[-1][0] < line_start(text, brace):
        return ""
    names, before = [name for _, name in around], text[:end] + _CLOSER
    tag = f"</{names[-1]}>"
    is_lost = not are_closed(lexer, before + text[end:], end, names)
    return tag if is_lost and are_closed(lexer, before + tag + text[end:], end, names) else ""
