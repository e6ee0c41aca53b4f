"""Header above: the header of a block in another language's form that this language reads on as something else.

In Lua `if (v > 0) {` begins a call with a table, so that the text stops fitting lines below, inside of the braces or
right behind them. A line that opens nothing, such as `a = 1,` in an object of JavaScript, may be read on as well.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.flaw import MIRRORED
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import line_end, line_start, line_start_above
from dovetail.diagnostics.markup.tags import is_in_tag
from dovetail.diagnostics.mistakes.foreign_form import is_where, may_begin, place_in, told, up_to_foreign
from dovetail.diagnostics.reach import fits
from dovetail.lexing.lexemes import lexemes
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.grammar.mistakes import ForeignForm
    from dovetail.lexing.lexer import Lexer
    from dovetail.quotient.right_side import RightSide

_LINES = re.compile(r"(\r\n|\r|\n)")
_MOST_LINES = 20
"""The most lines above a fault in which the header is looked for."""


def find_header_above(right: RightSide, text: str, offset: int, most: int = _MOST_LINES) -> Hint | None:
    """Return the hint for the nearest header above a fault at an offset that explains it; None if there is none.

    `most`: the number of lines above the fault in which it is looked for.
    """
    forms = [form for form in right.lexer.compiled.mistakes.forms if form.is_above and not form.is_block]
    start = line_start(text, offset)
    for _ in range(most if forms else 0):
        if start == 0:
            break
        start = line_start_above(text, start)
        line = text[start : line_end(text, start)]
        for form in forms:
            found = re.search(form.pattern, line)
            if found is None or not is_where(form, found, text):
                continue
            is_header = line.rstrip()[-1:] in MIRRORED
            if is_header and not _reaches(right.lexer, text, start + len(line.rstrip()) - 1, offset):
                continue
            first = start + found.start()
            at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:first])
            if at is None or not may_begin(right, at) or (form.needs and not fits(right, at, form.needs)):
                continue
            meant = found.expand(form.write)
            # A line that opens nothing explains the fault if its line fits too, and so does one that opens the same.
            end = start + found.end()
            is_closed_anew = is_header and (meant + line[found.end() :]).rstrip()[-1:] not in MIRRORED
            if is_in_tag(right, at) == form.in_tag and (
                fits(right, at, meant) if is_closed_anew else _fits_beyond(right, at, form, meant, text, end, offset)
            ):
                place = first + place_in(form, found.group(), meant)
                return Hint(place, told(form, found, meant), Meant(first, end, meant, is_sure=True))
    return None


def _fits_beyond(
    right: RightSide, at: Configuration, form: ForeignForm, meant: str, text: str, end: int, offset: int
) -> bool:
    """Return whether a text fits beyond a fault at an offset with what is meant before `end`.

    The lines up to the fault may have the same form. At the end of the text all of it has to fit.
    """
    stop, last = line_end(text, offset), line_start(text, offset)
    if offset == len(text):
        read = (at.read(right.lexer, right.stacks, meant + rest) for rest in _rewritten(form, text[end:]))
        return any(after is not None and right.recognizer.accepting(after) for after in read)
    if any(fits(right, at, f"{meant}{rest}\n") for rest in _rewritten(form, text[end:stop])):
        return True
    # Another mistake may follow on the line that does not fit. What ends before the fault explains nothing: it fits.
    cut = text[end:last] + up_to_foreign(right.lexer.compiled.mistakes, text, last)
    return end + len(cut) > offset and fits(right, at, meant + cut)


def _rewritten(form: ForeignForm, text: str) -> list[str]:
    """Return a text, and the same with a form exchanged on each line that has it."""
    first, *lines = _LINES.split(text)
    others = [re.sub(form.pattern, form.write, line) for line in lines]
    return [text] if others == lines else [text, "".join((first, *others))]


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
