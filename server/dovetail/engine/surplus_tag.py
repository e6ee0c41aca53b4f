"""Surplus tag: a closing tag that is one too many, with more below it in the element around.

The grammar does not compare the names of tags, so the tag closes the element around it, and what follows is read as
comparisons and regular expressions. Without the tag, all elements around it end by their own names.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.engine.hint import Hint, Meant
from dovetail.engine.tags import are_closed, tag_name, tags

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_CLOSING_TAG = re.compile(r"</\s*[\w$.:-]*\s*>")


def find_surplus_tag(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the closing tag above a fault at an offset that closes nothing; None if there is none."""
    lexer = right.lexer
    if not lexer.compiled.mistakes.elements:
        return None
    opened: list[str] = []
    for place, begun, _ in tags(lexer, text[: offset + 1]):
        name = tag_name(text, place)
        if begun:
            opened.append(name)
        elif not opened:
            return None
        elif opened[-1] == name:
            opened.pop()
        else:
            closing = _CLOSING_TAG.match(text, place)
            if closing is None:
                return None
            blank = " " * len(closing.group())
            if not are_closed(lexer, text[:place] + blank + text[closing.end() :], place, opened):
                return None
            words = f"`{closing.group()}` closes nothing"
            return Hint(place, words, Meant(place, closing.end(), blank, is_sure=True))
    return None
