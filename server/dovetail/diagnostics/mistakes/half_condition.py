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

_QUESTION, _COLON, _COMMA = "?", ":", ","
_NOTHING = ": 0 "
"""A colon and a second part that any value may take the place of."""
_ENDS = frozenset((")", "]", "}", ",", ";"))
"""The signs before which a condition ends."""
_SWAPPED = re.compile(r"([\w$.]+|\"[^\"\r\n]*\"|'[^'\r\n]*')[ \t]*:(?=[ \t]*[)\]},;\r\n])")
"""The second value of a condition before its colon, where the condition ends."""
_BELOW = "\na"
"""A value on the next line."""
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
        swapped = _SWAPPED.match(text, place) if place == offset else None
        if at is not None and swapped is not None:
            meant = f"{_COLON} {swapped[1]}"
            if any(fits(right, at, f"{meant}{text[swapped.end() : end]}") for end in ends):
                words = f"{quoted(swapped.group())} does not fit here; write {quoted(meant)}"
                return Hint(place, words, Meant(place, swapped.end(), meant, is_sure=True))
        sign = _NOTHING if is_end else f"{_COLON} "
        if at is not None and any(fits(right, at, f"{sign}{text[place:end]}") for end in ends):
            is_comma = is_end and text[place] == _COMMA and _is_read(right, at, text, place, f"{_COLON} ")
            if is_comma and not _is_read(right, at, text, place, f"{_NOTHING}{_COMMA}"):
                words = f"`{_COMMA}` does not fit here; perhaps it should be `{_COLON}`"
                return Hint(place, words, Meant(place, place + 1, f"{_COLON} ", is_sure=True))
            lost = f"`{_COLON}` and a second value" if is_end else f"`{_COLON}`"
            words = f"expected {lost} before {quoted(text[place] if value is None else value.group())}"
            words += f", or `{_COLON}` in its place" if is_comma else ""
            return Hint(place, words, Meant(place, place, sign, is_sure=True))
    return None


def _is_read(right: RightSide, at: Configuration, text: str, comma: int, sign: str) -> bool:
    """Return whether the rest of a line and the next one, or a value there, fit with a sign for a comma at an offset.

    `at`: the configuration before the comma.
    """
    end = line_end(text, comma)
    below = text[end : line_end(text, content_after(text, comma))]
    return any(fits(right, at, f"{sign}{text[comma + 1 : end]}{each}\n") for each in (below, _BELOW) if each.strip())


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
