"""Header above: the header of a block in another language's form that this language reads on as something else.

In Lua `if (v > 0) {` begins a call with a table, so that the text stops fitting lines below, inside of the braces or
right behind them. A line that opens nothing, such as `a = 1,` in an object of JavaScript, may be read on as well.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.engine.flaw import MIRRORED
from dovetail.engine.foreign_form import place_in, told, up_to_foreign
from dovetail.engine.hint import Hint, Meant
from dovetail.engine.lexemes import lexemes
from dovetail.engine.line_places import line_end, line_start
from dovetail.engine.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.lexing.lexer import Lexer
    from dovetail.quotient.right_side import RightSide

_MOST_LINES = 20
"""The most lines above a fault in which the header is looked for."""


def find_header_above(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the nearest header above a fault at an offset that explains it; None if there is none."""
    forms = [form for form in right.lexer.compiled.mistakes.forms if form.is_above and not form.is_block]
    start = line_start(text, offset)
    for _ in range(_MOST_LINES if forms else 0):
        if start == 0:
            break
        start = line_start(text, start - 1 - text.startswith("\r\n", start - 2))
        line = text[start : line_end(text, start)]
        for form in forms:
            found = re.search(form.pattern, line)
            if found is None:
                continue
            is_header = line.rstrip()[-1:] in MIRRORED
            if is_header and not _reaches(right.lexer, text, start + len(line.rstrip()) - 1, offset):
                continue
            first = start + found.start()
            at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:first])
            meant = found.expand(form.write)
            # A line that opens nothing explains the fault if its line fits too.
            end = start + found.end()
            last = line_start(text, offset)
            rests = [""]
            if not is_header:
                # Another mistake may follow on the line that does not fit.
                cut = text[end:last] + up_to_foreign(right.lexer.compiled.mistakes, text, last)
                rests = [f"{text[end : line_end(text, offset)]}\n", cut]
            if at is not None and any(fits(right, at, meant + rest) for rest in rests):
                place = first + place_in(form, found.group(), meant)
                return Hint(place, told(form, found, meant), Meant(first, end, meant, is_sure=True))
    return None


def _reaches(lexer: Lexer, text: str, opener: int, offset: int) -> bool:
    """Return whether an offset lies in the bracket that opens at another, or right behind its end."""
    if text[opener : opener + 1] not in MIRRORED:
        return False
    depth = 0
    for start, end, _, _, _ in lexemes(lexer, text[:offset]):
        if start < opener:
            continue
        depth += (text[start:end] in MIRRORED) - (text[start:end] in MIRRORED.values())
        if depth <= 0:
            return not text[end:offset].strip()
    return True
