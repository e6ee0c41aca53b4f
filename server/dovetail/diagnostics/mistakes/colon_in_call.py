"""Colon in a call: `f(name: value)`, where `name=value` and `name, value` are as likely.

A name that the file uses as a value, and never as that of an argument, is hardly that of one here.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import line_start, rest_of_line
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_COLON, _COMMA, _ASSIGNED = ":", ",", "="
_ARGUMENT = re.compile(r"[(,][ \t]*(?P<name>[^\W\d]\w*)\Z")


def find_colon_in_call(right: RightSide, text: str, start: int) -> Hint | None:
    """Return the hint for the colon at an offset, which stands in a call behind a value; None if a name may be meant.

    With a comma, and with the sign behind the name of an argument, the line fits.
    """
    found = _ARGUMENT.search(text, line_start(text, start), start)
    if not text.startswith(_COLON, start) or found is None or right.lexer.compiled.layout is None:
        return None
    name = re.escape(found["name"])
    others = f"{text[: found.start('name')]}\n{text[start:]}"
    is_value = re.search(rf"(?<![\w.]){name}(?=[.,)\[])", others) is not None
    if not is_value or re.search(rf"(?<![\w.]){name}=(?!=)", others):
        return None
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:start])
    rest = f"{rest_of_line(text, start + 1)}\n"
    if at is None or not all(fits(right, at, sign + rest) for sign in (_COMMA, _ASSIGNED)):
        return None
    words = f"`{_COLON}` does not fit here; expected `{_COMMA}` or `{_ASSIGNED}`"
    return Hint(start, words, Meant(start, start + 1, _COMMA, is_sure=True))
