"""Doubled quote: quotes that were typed twice, as in `""a b"`.

They are an empty string, the text behind them is read as code, and its last quotes open a string that nothing closes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import line_end, line_start
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration
from dovetail.quotient.quoted import quoted

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_DOUBLED = re.compile(r"(?<!\\)(?:(?<!\")\"(\")(?!\")|(?<!')'(')(?!')|(?<!`)`(`)(?!`))")
_WORD = re.compile(r"\w")
_MOST = 6
"""The most doubled quotes of a line that are tried."""


def find_doubled_quote(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the one quote on the line of a fault without which the line fits; None for none or several.

    Only quotes of which the line has an odd number are looked at. Three side by side may open a long string.
    """
    start, end = line_start(text, offset), line_end(text, offset)
    places: list[int] = []
    for found in list(_DOUBLED.finditer(text, start, end))[:_MOST]:
        place = found.end() - 1
        quote = text[place]
        if text.count(quote, start, end) % 2 == 0 or text.find(3 * quote, start, end) >= 0:
            continue
        is_first = text.count(quote, start, place - 1) % 2 == 0
        if is_first and not _WORD.search(text, place + 1, max(text.find(quote, place + 1, end), place + 1)):
            continue  # The string may be meant to be empty: nothing but signs stands before the next quotes.
        at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:start])
        if at is not None and fits(right, at, f"{text[start:place]}{text[place + 1 : end]}\n"):
            places.append(place)
    if len(places) != 1:
        return None
    (place,) = places
    return Hint(place, f"{quoted(text[place])} is one too many", Meant(place, place + 1, "", is_sure=True))
