"""Half condition: `a ? b c`, where the colon between the two parts is lost, and `a ? b`, with no second part.

In `a ? (b) (c)` the first part is called with the second one, so the text stops fitting only behind both.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.flaw import MIRRORED, signs
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, line_end
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration
from dovetail.quotient.quoted import quoted

if TYPE_CHECKING:
    from dovetail.lexing.lexer import Lexer
    from dovetail.quotient.right_side import RightSide

_QUESTION, _COLON = "?", ":"
_NOTHING = ": 0 "
"""A colon and a second part that any value may take the place of."""
_ENDS = frozenset((")", "]", "}", ",", ";"))
"""The signs before which a condition ends."""
_VALUE = re.compile(r"[\w$]+|[\"'`]")
"""The beginning of a value that no bracket begins."""


def find_half_condition(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for a condition before a fault at an offset whose colon is lost before a bracket or the fault.

    None if no colon makes the text fit beyond the fault.
    """
    if _QUESTION not in right.lexer.compiled.literals:
        return None
    brackets = _brackets(right.lexer, text, offset)
    if brackets is None:
        return None
    begun = Configuration((right.stacks.bottom,), right.lexer.start)
    beyond = line_end(text, content_after(text, offset))
    ends = (beyond, line_end(text, offset))
    # A bracket right behind a word is that of a call, unless no second value fits.
    apart = [place for place in reversed(brackets) if text[place - 1].isspace()]
    for place in (*apart, offset, *(place for place in reversed(brackets) if place not in apart)):
        is_end = place == offset and text[place : place + 1] in _ENDS
        value = _VALUE.match(text, place)
        if place == offset and not is_end and value is None:
            continue
        at = begun.read(right.lexer, right.stacks, text[:place])
        sign = _NOTHING if is_end else f"{_COLON} "
        if at is not None and any(fits(right, at, f"{sign}{text[place:end]}") for end in ends):
            lost = f"`{_COLON}` and a second value" if is_end else f"`{_COLON}`"
            words = f"expected {lost} before {quoted(text[place] if value is None else value.group())}"
            return Hint(place, words, Meant(place, place, sign, is_sure=True))
    return None


def _brackets(lexer: Lexer, text: str, offset: int) -> list[int] | None:
    """Return the offsets of the brackets behind the first part of the condition that an offset stands in.

    None where it stands in no condition.
    """
    levels: list[list[int] | None] = [None]  # For each open bracket: None outside of a condition.
    for start, sign in signs(lexer, text[:offset]):
        if sign == _QUESTION:
            levels[-1] = []
        elif sign == _COLON:
            levels[-1] = None
        elif sign in MIRRORED:
            if (known := levels[-1]) is not None:
                known.append(start)
            levels.append(None)
        elif sign in MIRRORED.values() and len(levels) > 1:
            levels.pop()
    return levels[-1]
