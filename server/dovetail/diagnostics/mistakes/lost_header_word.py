"""Lost word of a header: the one before a brace that begins its line, as `try` before `{`, of which `catch` is left."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.flaw import brackets_of
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, line_end, line_start
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_BRACE = "{"
_MOST = 2
"""The most words that a message names, as `switch` and `select`."""
_WORD = re.compile(r"[^\W\d]\w*")


def find_lost_header_word(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the word before a brace that lets the keyword at a fault fit; None if none or many do.

    The keyword stands in the brace, or right behind what closes it.
    """
    literals = right.lexer.compiled.literals
    word = _WORD.match(text, offset)
    if word is None or word.group() not in literals:
        return None
    brackets = brackets_of(right.lexer, text[:offset])
    braces = [start for start, sign in brackets.opened[-1:] if sign == _BRACE]
    if brackets.last is not None and not text[brackets.last[1] + 1 : offset].strip():
        braces.append(brackets.last[0])
    stops = (line_end(text, content_after(text, offset)), line_end(text, offset))
    for brace in braces:
        if text[line_start(text, brace) : brace].strip() or text[brace] != _BRACE:
            continue
        at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:brace])
        if at is None:
            continue
        known = dict.fromkeys(each for each in literals if each is not None and each.isalpha())
        words = [each for each in known if fits(right, at, f"{each} {_BRACE}")]
        for stop in stops:
            rest = f"{text[brace:stop]}\n"
            found = [each for each in words if fits(right, at, f"{each} {rest}")]
            if 0 < len(found) <= _MOST:
                message = f"expected {' or '.join(f'`{each}`' for each in found)} before `{_BRACE}`"
                return Hint(brace, message, Meant(brace, brace, f"{found[0]} ", is_sure=True))
    return None
