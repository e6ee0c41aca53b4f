"""Lost dot: the one of a member right behind a call, in a chain over lines, or behind a word such as `this`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.flaw import find_flaw
from dovetail.diagnostics.line_places import content_after, content_at, line_column, line_start, rest_of_line
from dovetail.diagnostics.reach import fits

if TYPE_CHECKING:
    from dovetail.parsing.configuration import Configuration
    from dovetail.quotient.right_side import RightSide

_DOT = "."
_ENDS = (")", "]")
_QUOTES = ("'", '"')
_MEMBER = re.compile(r"\??\.[^\W\d]")
_BEFORE = re.compile(r"(?<![\w.$])([^\W\d]\w*)[ \t]+\Z")
_CALLED = re.compile(r"[^\W\d]\w*[ \t]*\(")


def is_dot_lost(right: RightSide, at: Configuration, text: str, offset: int) -> bool:
    """Return whether a dot is lost before the word at an offset, and nothing else is as likely.

    `at`: the configuration there. The rest of the line has to fit behind the dot.
    """
    if not text[offset : offset + 1].isalpha() or not fits(right, at, f"{_DOT}{rest_of_line(text, offset)}\n"):
        return False
    if text[offset - 1 : offset] in _ENDS or (_CALLED.match(text, offset) and is_of_chain(text, offset)):
        return True  # No blank stands before the dot of a member, and one stands behind each comma.
    if text[offset - 1 : offset] in _QUOTES and _CALLED.match(text, offset):
        return True  # As in `"a, b"split(",")`.
    before = _BEFORE.search(text, line_start(text, offset), offset)
    compiled = right.lexer.compiled
    if before is None or before[1] not in compiled.mistakes.receivers or before[1] not in compiled.literals:
        return False
    opened = find_flaw(right.lexer, text[:offset])
    # Between arguments a comma is as likely.
    return opened is None or not opened.is_open or text[opened.offset] == "{"


def is_of_chain(text: str, offset: int) -> bool:
    """Return whether a word begins a line, next to one in its column that begins with a dot."""
    start = line_start(text, offset)
    if text[start:offset].strip() or start == 0:
        return False
    above = content_at(text, line_start(text, max(len(text[:start].rstrip()) - 1, 0)))
    neighbours = (above, content_after(text, offset))
    return any(
        _MEMBER.match(text, each) and line_column(text, each) == line_column(text, offset) for each in neighbours
    )
