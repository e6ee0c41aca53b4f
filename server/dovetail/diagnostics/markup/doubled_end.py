"""Doubled end: the sign that ends a tag, written once more, as `>>` or `/>/>`.

Or before the end of an element without content, as `>/>`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, line_end
from dovetail.diagnostics.markup.tags import is_in_content
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_SIGN = ">"
_DOUBLED = re.compile(r"(?:/>|</[\w$.:-]*>)[ \t]*(/?)\Z")
"""The end of an element before a sign that ends it once more."""
_EARLY = re.compile(r"(?<![=>/])(>)[ \t]*/\Z")
"""The end of a tag before the one that the element without content needs."""


def find_doubled_end(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the end of a tag at an offset that is one too many, or the one before it; None if none is."""
    if not right.lexer.compiled.mistakes.elements or not text.startswith(_SIGN, offset):
        return None
    doubled, early = _DOUBLED.search(text, 0, offset), _EARLY.search(text, 0, offset)
    start = offset if doubled is None else doubled.start(1)
    if (doubled is not None or _is_behind_tag(right, text, offset)) and _fits_without(right, text, start, offset + 1):
        words = f"`{text[start : offset + 1]}` does not fit here; leave it out"
        return Hint(start, words, Meant(start, offset + 1, " " * (offset + 1 - start), is_sure=True))
    if early is not None and _fits_without(right, text, early.start(1), early.end(1)):
        start = early.start(1)
        words = f"`{text[start : offset + 1]}` does not fit here; write `/>`"
        return Hint(start, words, Meant(start, start + 1, " ", is_sure=True))
    return None


def _is_behind_tag(right: RightSide, text: str, offset: int) -> bool:
    """Return whether a tag that begins an element ends right before an offset."""
    if not text.endswith(_SIGN, 0, offset):
        return False
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:offset])
    return at is not None and is_in_content(right, at)


def _fits_without(right: RightSide, text: str, start: int, end: int) -> bool:
    """Return whether a text fits, up to the end of the line, or of the next one, without a part of it."""
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:start])
    stops = (line_end(text, content_after(text, line_end(text, end))), line_end(text, end))
    return at is not None and any(fits(right, at, " " * (end - start) + text[end:stop]) for stop in stops)
