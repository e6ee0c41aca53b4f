"""Lost sign: a tag of a markup without the sign that it begins with: `ul>` for `<ul>`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.engine.hint import Hint, Meant
from dovetail.engine.line_places import content_after, line_end, line_start
from dovetail.engine.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_ATTRIBUTE = r"(?:[ \t]+[\w-]+(?:=(?:\"[^\"\r\n]*\"|\{[^\r\n]*?\}))?)"
_TAG = re.compile(rf"(?:(?<=[\r\n >(:&?])|\A)(?<!=>)(?<!<)(?<!</)([A-Za-z][\w.]*){_ATTRIBUTE}*[ \t]*(/?)>")
"""A tag behind the blanks of its line, another tag, or a sign after which an element may stand."""
_MOST_ABOVE = 2
"""The most lines with content above a fault in which the sign may be lost."""


def find_lost_sign(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for a tag near a fault that lacks its first sign, with which the text fits beyond the fault."""
    if not right.lexer.compiled.mistakes.elements:
        return None
    begin = line_start(text, offset)
    for _ in range(_MOST_ABOVE):
        begin = line_start(text, len(text[:begin].rstrip()))
    end = line_end(text, offset)
    beyond = line_end(text, content_after(text, offset))
    for found in _TAG.finditer(text, begin, end):
        is_closed = found[2] or re.search(rf"</\s*{re.escape(found[1])}\s*>", text[found.end() :])
        if found.start() > offset or not is_closed:
            continue
        at = Configuration((right.stacks.bottom,), right.lexer.start)
        before = at.read(right.lexer, right.stacks, text[: found.start()])
        if before is not None and fits(right, before, f"<{text[found.start() : beyond]}"):
            words = f"`{found.group()}` does not fit here; write `<{found.group()}`"
            return Hint(found.start(), words, Meant(found.start(), found.start(), "<", is_sure=True))
    return None
