"""Lost join: the sign between a value and the element behind it, as `&&`, or `?` and `:` of a condition.

The tag is read as less-than and a name, and what closes the element as a regular expression.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, line_end, line_start
from dovetail.diagnostics.markup.tags import is_in_content, is_in_tag
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_TAG = re.compile(r"(?<=[\w)\]}\"'>])[ \t]+(<[A-Za-z][\w$.:-]*)")
_END = re.compile(r"/>|</")
_SIGNS = ("&&", "?", ":")
_MOST = 3
"""The most tags before a fault that are tried."""


def find_lost_join(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for an element on the line of a fault, with a value before it, that a sign joins; else None."""
    if not right.lexer.compiled.mistakes.elements:
        return None
    begun = Configuration((right.stacks.bottom,), right.lexer.start)
    tags = list(_TAG.finditer(text, line_start(text, offset), line_end(text, offset)))
    for tag in [tag for tag in tags if tag.start(1) <= offset][: -_MOST - 1 : -1]:
        place = tag.start(1)
        at = begun.read(right.lexer, right.stacks, text[:place])
        if at is None or is_in_content(right, at) or is_in_tag(right, at):
            continue
        is_element = text[: tag.start()].endswith(">")
        rests = [text[place : line_end(text, content_after(text, offset))]]
        if _END.search(text, place, line_end(text, place)):
            rests.append(text[place : line_end(text, offset)])  # The next line may have a mistake of its own.
        for sign in _SIGNS:
            is_possible = sign == ":" or not is_element
            if is_possible and any(fits(right, at, f"{sign} {rest}\n") for rest in rests):
                words = f"`{tag[1]}` does not fit here; perhaps a `{sign}` is missing before it"
                return Hint(place, words, Meant(place, place, f"{sign} ", is_sure=True))
    return None
