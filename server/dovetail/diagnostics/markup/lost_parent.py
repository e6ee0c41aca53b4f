"""Lost parent: the tag below an open bracket that opened an element whose first content is a value in braces.

The braces are read as an object then, in which a condition or a call does not fit.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.line_places import line_start
from dovetail.diagnostics.markup.lost_tag import find_lost_tag

if TYPE_CHECKING:
    from dovetail.diagnostics.hint import Hint
    from dovetail.quotient.right_side import RightSide

_FIRST_VALUE = re.compile(r"\([ \t]*(?:\r\n|\r|\n)\s*(\{)")
"""A bracket at the end of a line, and a brace that begins the next one."""
_FAR = 400
"""The most characters between the brace and a fault."""


def find_lost_parent(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the tag that is lost above the braces before a fault at an offset; None if none is."""
    if not right.lexer.compiled.mistakes.elements:
        return None
    begin = line_start(text, max(offset - _FAR, 0))
    places = [found.start(1) for found in _FIRST_VALUE.finditer(text, begin, offset)]
    return find_lost_tag(right, text, places[-1]) if places else None
