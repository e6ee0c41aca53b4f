"""Bare value: one of an attribute that is no string and lacks its braces."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.broken_lexeme import shortened
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import MOST_LINES, content_after, line_end, line_start
from dovetail.diagnostics.markup.tags import is_in_tag
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.quotient.right_side import RightSide

_SIGN = "="
_ASSIGNED = re.compile(r"(?<=[\w-])[ \t]*=[ \t]*(?=[^\s={}<>])")
_ENDS = re.compile(
    r"(?=\s+(?:[A-Za-z][\w:-]*(?:=[\"'{]|\s*/?>|[ \t]*[\r\n])|\{\s*\.\.\.)|\s*(?<!=)/?>|[ \t]*(?:[\r\n]|\Z))"
)
"""The places before what may follow a value."""
_BRACES = "a value that is no string has braces; write `{` before it, and `}` behind it"


def find_bare_value(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the value of an attribute that a fault at an offset lies in, with which the text fits.

    None if there is none, or if it is a string, an element or in braces.
    """
    if not right.lexer.compiled.mistakes.elements:
        return None
    signs = list(_ASSIGNED.finditer(text, line_start(text, offset), offset + 1))
    for sign in reversed(signs):
        at = Configuration((right.stacks.bottom,), right.lexer.start).read(
            right.lexer, right.stacks, text[: sign.start()]
        )
        if at is None or not is_in_tag(right, at):
            continue
        for end in _ends(text, sign.end(), offset):
            value = text[sign.end() : end]
            meant = f"{_SIGN}{{{value}}}"
            after = at.read(right.lexer, right.stacks, meant)
            is_whole = after is not None and is_in_tag(right, after)
            if after is not None and is_whole and fits(right, after, text[end : line_end(text, end)]):
                return Hint(sign.start(), _words(value, meant), Meant(sign.start(), end, meant, is_sure=True))
        return None
    return None


def _ends(text: str, start: int, offset: int) -> Iterator[int]:
    """Yield where a value that begins at one offset may end, behind another."""
    stop = line_end(text, offset)
    for _ in range(MOST_LINES):
        for found in _ENDS.finditer(text, start, stop):
            if found.start() > max(offset, start):
                yield found.start()
        if stop == len(text):
            return
        start, stop = stop, line_end(text, content_after(text, stop))


def _words(value: str, meant: str) -> str:
    """Return the message about a value."""
    if "`" in value or shortened(value) != value:
        return _BRACES
    return f"`{_SIGN}{value}` does not fit here; write `{meant}`"
