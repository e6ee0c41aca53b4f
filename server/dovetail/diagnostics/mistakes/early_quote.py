r"""Early quote: the one that opens a string and ends the one before it, whose own end is lost, as in `f("a, "b", 1)`.

All strings behind it on the line are read as code, and the code between them as strings, so the last quote of the line
is never closed. With that, nothing is wrong.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import line_end, line_start
from dovetail.diagnostics.reach import fits
from dovetail.lexing.lexemes import lexemes
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_EARLY = re.compile(r"(?P<quote>[\"'])[^\s,:;)\]}\"'][^\"'\r\n]*[,:([{][ \t]*(?P=quote)(?=\w)")
"""A string that ends behind a sign of code, right before a word."""
_SIGN = re.compile(r"[,:;)\]}]")
"""A sign before which the end of a string may be lost."""


def find_early_quote(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for a string on the line of an offset that ends at the quote of the next one; None if none does.

    With a quote before a sign in the string, all of the line fits.
    """
    begin, end = line_start(text, offset), line_end(text, offset)
    if _EARLY.search(text, begin, end) is None:
        return None
    for start, stop, terminal, _, _ in lexemes(right.lexer, text[:end]):
        found = None if start < begin or terminal is None else _EARLY.match(text, start)
        if found is None or found.end() != stop:
            continue
        at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:start])
        if at is None:
            return None
        quote = found["quote"]
        for sign in reversed(list(_SIGN.finditer(text, start, stop))):
            place = sign.start()
            if fits(right, at, f"{text[start:place]}{quote}{text[place:end]}\n"):
                words = f"`{quote}` is not closed on this line"
                return Hint(start, words, Meant(place, place, quote, is_sure=True))
    return None
