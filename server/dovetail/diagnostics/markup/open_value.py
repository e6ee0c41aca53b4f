"""Open value: an attribute whose value in braces ends with an element and lacks its brace: `<A b={<i>x</i> />`.

The end of the tag is read as a comparison behind that element, or as a part of it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, line_end
from dovetail.diagnostics.markup.open_parts import open_parts
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_END = "/>"
_OPENER, _CLOSER = "{", "}"
_ELEMENT_END = re.compile(r">\s*\Z")
_VALUE = re.compile(r"=\s*\Z")


def find_open_value(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the brace of an attribute that is open at the end of a tag, where a fault is; else None."""
    if not right.lexer.compiled.mistakes.elements:
        return None
    place = next((each for each in (offset, offset - 1) if text.startswith(_END, max(each, 0))), None)
    if place is None or not _ELEMENT_END.search(text, 0, place):
        return None
    opened = open_parts(right.lexer, text[:place])
    if not opened or opened[-1].kind != _OPENER or not _VALUE.search(text, 0, opened[-1].offset):
        return None
    brace = opened[-1].offset
    end = len(text[:place].rstrip())
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:end])
    stops = (line_end(text, content_after(text, place)), line_end(text, place))
    if at is None or not any(fits(right, at, f"{_CLOSER}{text[end:stop]}\n") for stop in stops):
        return None
    return Hint(brace, f"`{_OPENER}` is never closed", Meant(end, end, _CLOSER, is_sure=True))
