"""Second colon: one behind the type of a name, as in `name: string:` and `name: string: number;`.

A word and its colon are one lexeme, the beginning of a label, so the fault is at the word.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import line_end, line_start
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_TYPED = re.compile(r":[ \t]*(?P<type>[^\W\d]\w*)(?P<colon>[ \t]*:[ \t]*)(?P<other>[^\W\d]\w*)?")
"""A colon, the name of a type, another colon, and maybe another type."""


def find_second_colon(right: RightSide, text: str, start: int) -> Hint | None:
    """Return the hint for the colon behind the type at an offset, with the type behind it; None for no such.

    `start`: where the lexeme at the fault begins. Without them the rest of the line fits.
    """
    end = line_end(text, start)
    found = next(
        (each for each in _TYPED.finditer(text, line_start(text, start), end) if each.start("type") == start), None
    )
    if found is None:
        return None
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:start])
    if at is None or not fits(right, at, f"{found['type']}{text[found.end() : end]}\n"):
        return None
    surplus = text[found.start("colon") : found.end()].strip()
    begin = text.index(":", found.end("type"))
    words = f"`{surplus}` does not fit here; leave it out"
    return Hint(begin, words, Meant(found.end("type"), found.end(), "", is_sure=True))
