r"""Inner quote: a quote in a string that ends it, as in `'it isn't'` and `"a "b" c"`.

The rest of the text is read as code, and the quotes that were to end it open another string.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import line_end
from dovetail.diagnostics.reach import fits
from dovetail.lexing.lexemes import last_lexeme
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_QUOTES = ("'", '"')
_ESCAPE = "\\"
_QUOTED = re.compile(r"([^\"'`,()\r\n]+)([\"'])(?!\w)")
"""A part of a text in quotes, from behind the first ones on."""
_OPENS = frozenset(" \t=([")
"""The signs in front of quotes that open."""


def find_inner_quote(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the quote right before the word at an offset if its line fits with an escape; else None.

    Further quotes on the line may need one, too.
    """
    quote = text[offset - 1 : offset]
    if quote not in _QUOTES or not text[offset : offset + 1].isalnum():
        return None
    last = last_lexeme(right.lexer, text[:offset])
    if last is None or last.end != offset or last.end - last.start < 2 or text[last.start] != quote:
        return None
    if text.startswith(quote * 3, last.start):
        return None  # The beginning of a long string is taken for the end of one that is never closed.
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[: last.start])
    if at is None:
        return None
    rest = text[offset : line_end(text, offset)]
    begun = f"{text[last.start : offset - 1]}{_ESCAPE}{quote}"
    for meant in _meanings(text[offset - 2], quote, rest):
        if fits(right, at, f"{begun}{meant}\n"):
            other = next(each for each in _QUOTES if each != quote)
            around = ", or other quotes around the text" if fits(right, at, f"{other}a{other}") else ""
            words = f"`{quote}` ends the text here; write `{_ESCAPE}{quote}`{around}"
            return Hint(offset - 1, words, Meant(offset - 1, offset + len(rest), _ESCAPE + quote + meant, is_sure=True))
    return None


def _meanings(before: str, quote: str, rest: str) -> list[str]:
    """Return what the rest of a line may mean behind quotes in a text, with escapes for further ones.

    `before`: the sign before the quotes, which stand in a word or in front of one.
    """
    if before.isalpha():
        return [rest, re.sub(rf"(?<=\w){quote}(?=\w)", lambda found: _ESCAPE + found.group(), rest)]
    quoted = _QUOTED.match(rest) if before in _OPENS or before == quote else None
    return [] if quoted is None or quoted[2] != quote else [f"{quoted[1]}{_ESCAPE}{quote}{rest[quoted.end() :]}"]
