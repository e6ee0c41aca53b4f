"""Lost sign: a tag of a markup without the sign that it begins with: `ul>` for `<ul>`.

Attributes may stand on lines of their own, and the text stops fitting at the tag's end, far below its name.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, line_column, line_end, line_start
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.quotient.right_side import RightSide

_BEHIND = r"(?:(?<=[\r\n >(:&?])|\A)(?<!=>)(?<!<)(?<!</)(?!(?:await|case|default|else|return|yield)\b)([A-Za-z][\w.]*)"
_ON_A_LINE = r"[ \t]+(?:[\w-]+(?:=(?:\"[^\"\r\n]*\"|\{[^\r\n]*?\}))?|\{\.\.\.[^{}\r\n]*\})"
_ON_LINES = r"\s+(?:[\w-]+(?:=(?:\"[^\"\r\n]*\"|'[^'\r\n]*'|%s))?|%s)"
_VALUE = r"\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}"
_TAG = re.compile(rf"{_BEHIND}(?:{_ON_A_LINE})*[ \t]*(/?)>")
"""A tag behind the blanks of its line, another tag, or a sign after which an element may stand."""
_TAG_ON_LINES = re.compile(rf"{_BEHIND}(?=[ \t]*[\r\n])(?:{_ON_LINES % (_VALUE, _VALUE)})*\s*(/?)>")
"""A tag whose name ends its line; its attributes stand on the lines below."""
_MOST_ABOVE = 2
"""The most lines with content above a fault in which the sign may be lost."""
_MOST_LINES = 30
"""The most lines of a tag with its attributes."""


def find_lost_sign(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for a tag near a fault that lacks its first sign, with which the text fits beyond the fault."""
    if not right.lexer.compiled.mistakes.elements:
        return None
    at = Configuration((right.stacks.bottom,), right.lexer.start)
    for found in _tags(text, offset):
        is_closed = found[2] or re.search(rf"</\s*{re.escape(found[1])}\s*>", text[found.end() :])
        if found.start() > offset or not is_closed:
            continue
        beyond = line_end(text, content_after(text, max(offset, found.end() - 1)))
        before = at.read(right.lexer, right.stacks, text[: found.start()])
        if before is not None and fits(right, before, f"<{text[found.start() : beyond]}"):
            shown = found[1] if re.search(r"[\r\n]", found.group()) else found.group()
            words = f"`{shown}` does not fit here; write `<{shown}`"
            return Hint(found.start(), words, Meant(found.start(), found.start(), "<", is_sure=True))
    return None


def _tags(text: str, offset: int) -> Iterator[re.Match[str]]:
    """Yield the tags without their first sign around an offset: those of one line, and those with lines below."""
    begin = line_start(text, offset)
    for _ in range(_MOST_ABOVE):
        begin = line_start(text, len(text[:begin].rstrip()))
    yield from _TAG.finditer(text, begin, line_end(text, offset))
    begin, end = line_start(text, offset), line_end(text, offset)
    for _ in range(_MOST_LINES):
        begin = line_start(text, max(begin - 1, 0))
        end = line_end(text, min(end + 1, len(text)))
    found = _TAG_ON_LINES.search(text, begin, end)
    while found is not None and found.start() <= offset:
        # Text above a tag may look like a tag's name, but what follows it is no deeper.
        is_deeper = line_column(text, content_after(text, found.end(1))) > line_column(text, found.start())
        if found.end() > offset and (is_deeper or not text[found.end(1) : found.end()].strip(" \t\r\n/>")):
            yield found
        found = _TAG_ON_LINES.search(text, found.end(1), end)
