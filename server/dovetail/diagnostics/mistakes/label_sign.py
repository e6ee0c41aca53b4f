"""Label sign: a semicolon for the colon behind a label, as in `case 1;` and `default;`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_at, line_end, line_start
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_COLON = ":"
_SIGN = re.compile(r";")
_WORD = re.compile(r"[^\W\d]\w*\b")


def find_label_sign(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the semicolon behind a label, on the line of a fault, for a colon; None for no such.

    With the colon, the line fits.
    """
    start, end = line_start(text, offset), line_end(text, offset)
    word = _WORD.match(text, content_at(text, start))
    if word is None or word.group() not in right.lexer.compiled.labels:
        return None
    begun = Configuration((right.stacks.bottom,), right.lexer.start)
    for sign in _SIGN.finditer(text, word.end(), end):
        at = begun.read(right.lexer, right.stacks, text[: sign.start()])
        if at is not None and fits(right, at, f"{_COLON}{text[sign.end() : end]}\n"):
            words = f"`{sign.group()}` does not fit here; perhaps it should be `{_COLON}`"
            return Hint(sign.start(), words, Meant(*sign.span(), _COLON, is_sure=True))
    return None
