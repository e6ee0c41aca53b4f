"""Early slash: the end of a tag that is written as that of an element without content, above its content.

The children then stand beside the element, and its closing tag closes nothing, or the element around.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, content_at, line_column, line_end, line_start
from dovetail.diagnostics.markup.tags import are_closed, elements, tag_name
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_SLASH = re.compile(r"(?<!<)/\s*>\Z")
_MEANT = ">"


def find_early_slash(right: RightSide, text: str, closing: int) -> Hint | None:
    """Return the hint for the slash of an element whose closing tag, at an offset, is left over; None if none is.

    Both tags begin their lines, in one column. Without the slash all elements between them end by their own names.
    """
    name, column = tag_name(text, closing), line_column(text, closing)
    if content_at(text, line_start(text, closing)) != closing:
        return None
    for start, end, _ in reversed(list(elements(right.lexer, text[:closing]))):
        is_first = content_at(text, line_start(text, start)) == start
        slash = _SLASH.search(text, start, end)
        if slash is None or not is_first or tag_name(text, start) != name or line_column(text, start) != column:
            continue
        at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:start])
        if at is None or not text[end:closing].strip():
            return None
        below = line_end(text, content_after(text, closing))
        made = f"{text[: slash.start()]}{_MEANT}{text[end:below]}"
        stops = (len(made), len(made) - (below - line_end(text, closing)))
        is_whole = are_closed(right.lexer, made, start, [name])
        if not is_whole or not any(fits(right, at, f"{made[start:stop]}\n") for stop in stops):
            return None
        words = f"`{slash.group()}` does not fit here; write `{_MEANT}`"
        return Hint(slash.start(), words, Meant(slash.start(), end, _MEANT, is_sure=True))
    return None
