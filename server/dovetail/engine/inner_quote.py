r"""Inner quote: a quote in a word of a string, as in `'it isn't'`, which ends the string.

The rest of the text is read as code, and the quotes that were to end it open another string.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.engine.hint import Hint, Meant
from dovetail.engine.lexemes import last_lexeme
from dovetail.engine.line_places import line_end
from dovetail.engine.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_QUOTES = ("'", '"')
_ESCAPE = "\\"


def find_inner_quote(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the quote right before the word at an offset if its line fits with an escape; else None.

    Further quotes between letters on the line may need one, too.
    """
    quote = text[offset - 1 : offset]
    if quote not in _QUOTES or not text[offset : offset + 1].isalpha() or not text[offset - 2 : offset - 1].isalpha():
        return None
    last = last_lexeme(right.lexer, text[:offset])
    if last is None or last.end != offset or last.end - last.start < 2 or text[last.start] != quote:
        return None
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[: last.start])
    rest = text[offset : line_end(text, offset)]
    begun = f"{text[last.start : offset - 1]}{_ESCAPE}{quote}"
    others = re.sub(rf"(?<=\w){quote}(?=\w)", lambda found: _ESCAPE + found.group(), rest)
    for meant in (rest, others):
        if at is not None and fits(right, at, f"{begun}{meant}\n"):
            words = f"`{quote}` ends the text here; write `{_ESCAPE}{quote}`, or other quotes around the text"
            return Hint(offset - 1, words, Meant(offset - 1, offset + len(rest), _ESCAPE + quote + meant, is_sure=True))
    return None
