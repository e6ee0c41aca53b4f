"""Form of lines: a form that lacks a word, written over two lines, as a comprehension without `for`.

Inside of brackets a line end is a blank, so such a form is the same as on one line.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import line_end, line_start
from dovetail.diagnostics.mistakes.foreign_form import IS_MISSING, place_in, told
from dovetail.diagnostics.reach import fits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.parsing.configuration import Configuration
    from dovetail.quotient.right_side import RightSide

_LINE_END = re.compile(r"[\r\n]")


def find_form_of_lines(
    right: RightSide, read: Sequence[Configuration], text: str, base: int, offset: int
) -> Hint | None:
    """Return the hint for a form that lacks a word between the line of a fault and the one above it, else None.

    `read`: the configurations before each character from `base` on. Only where columns have a meaning is a line end
    known to be a blank: inside of brackets.
    """
    begin = line_start(text, offset)
    if right.lexer.compiled.layout is None or right.lexer.modes.depths[read[offset - base].lexer.stack] == 0:
        return None
    above = line_start(text, len(text[:begin].rstrip()))
    first = max(base, above)
    line = _LINE_END.sub(" ", text[first : line_end(text, offset)]).rstrip()
    for form in right.lexer.compiled.mistakes.forms:
        if form.is_braced or not (form.is_complete and form.words.startswith(IS_MISSING)):
            continue
        for found in re.finditer(form.pattern, line):
            start, end = first + found.start(), first + found.end()
            if not start < begin <= offset <= end:
                continue
            meant = found.expand(form.write)
            at = place_in(form, found.group(), meant)
            if fits(right, read[start - base], meant + line[found.end() :]):
                added = meant[at : at + len(meant) - len(found.group())]
                return Hint(start + at, told(form, found, meant), Meant(start + at, start + at, added, is_sure=True))
    return None
