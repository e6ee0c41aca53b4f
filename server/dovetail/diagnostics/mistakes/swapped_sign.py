"""Swapped sign: a sign of comparison whose characters have changed places, as `=<` for `<=`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import line_end, line_start
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_SWAPPED = re.compile(r"(?<![=<>!~])=(?:[<>!~]|[ \t]+[<>])(?![=<>!~])")
_ARROW = "=>"
_NO_PARAMETER = re.compile(r"(?:\.[ \t]*\w+|\]|\b\d+)[ \t]*\Z")
"""A value that is no parameter of a function, so that no arrow follows it."""
_STATEMENT = re.compile(r"[ \t]*[\w.\[\]]+[ \t]*")
"""All that stands before a sign that assigns rather than compares."""
_CONDITION = re.compile(r"\b(?:assert|elif|elseif|for|if|unless|until|while)\b|&&|\|\||\band\b|\bor\b")
"""The words and signs by which a line compares. Elsewhere, an arrow may be one of another language."""
_MOST = 5
"""The most signs of a line that are tried."""


def find_swapped_sign(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for a sign at a fault, or before it on its line, that makes the line fit the other way round.

    A sign that the language has is none.
    """
    begin, end = line_start(text, offset), line_end(text, offset)
    found = [each for each in _SWAPPED.finditer(text, begin, end) if each.start() <= offset]
    for each in found[: -_MOST - 1 : -1]:
        sign = "".join(each.group().split())
        meant = sign[::-1]
        if not _may_be_swapped(right, text, begin, each, sign):
            continue
        at = Configuration((right.stacks.bottom,), right.lexer.start).read(
            right.lexer, right.stacks, text[: each.start()]
        )
        if at is not None and fits(right, at, f"{meant} {text[each.end() : end]}\n"):
            words = f"`{each.group()}` does not fit here; write `{meant}`"
            return Hint(each.start(), words, Meant(each.start(), each.end(), meant, is_sure=True))
    return None


def _may_be_swapped(right: RightSide, text: str, begin: int, written: re.Match[str], sign: str) -> bool:
    """Return whether a sign on a line that begins at an offset may be a comparison, and is none as it stands."""
    if sign in right.lexer.compiled.literals:
        is_assigned = _STATEMENT.fullmatch(text, begin, written.start()) is not None
        return sign == _ARROW and not is_assigned and _NO_PARAMETER.search(text, begin, written.start()) is not None
    # With blanks between its parts it may as well be two signs.
    is_sure = sign != _ARROW and sign == written.group()
    return is_sure or _CONDITION.search(text, begin, written.start()) is not None
