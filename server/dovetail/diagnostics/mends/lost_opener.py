"""Lost opener: the word that opens a block is lost before a line that fits without it, as `function` in Lua.

What closes the block closes nothing then, or another block. Columns show the line: it is the nearest one above in the
column of the closer, with deeper lines between.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.change import Change, best_change, mended, named
from dovetail.diagnostics.line_places import (
    content_after,
    content_at,
    line_column,
    line_end,
    line_start,
    line_start_above,
)
from dovetail.diagnostics.mends.open_block import find_open_blocks
from dovetail.diagnostics.reported import line_and_column

if TYPE_CHECKING:
    from dovetail.diagnostics.change import Mend
    from dovetail.diagnostics.fault import Fault
    from dovetail.quotient.machine import Machine

_MOST_LINES = 300
"""The most lines that the block may have."""
_PARAMETERS = re.compile(r"(\w*)([ \t]*)\([\w, \t.]*\)[ \t]*\Z")
_FIRST_WORD = re.compile(r"([^\W\d]\w*)[ \t]+(?=[^\W\d])")


def mend_lost_opener(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend that puts a word before the line of a block whose closer closes nothing; None if none helps."""
    mistakes = machine.compiled.mistakes
    if not mistakes.closed_by:
        return None
    _, strays = find_open_blocks(machine, text)
    words = [word for word in mistakes.closed_by if word not in mistakes.goes_on]
    for stray in strays:
        header = _header(text, stray.offset) if stray.is_first() else None
        if header is None or header > fault.offset:
            continue
        places = _places(machine, text, header)
        changes = [Change(start, end, f"{word} ") for start, end in places for word in words]
        best = best_change(machine, text, changes, max(stray.offset, fault.offset))
        if best is None:
            continue
        line, _ = line_and_column(text, stray.offset)
        word = best.change.sign.strip()
        written = text[best.change.start : best.change.end]
        told = f"perhaps `{written}` should be `{word}`" if written else f"perhaps `{word}` is missing here"
        told = f"{told}, for `{stray.text}` on line {line} closes nothing"
        return mended(named(fault, text, best.change.start, told), text, best)
    return None


def _places(machine: Machine, text: str, header: int) -> list[tuple[int, int]]:
    """Return the places in a line at which the word may be lost: before it, before its parameters, behind `local`.

    And those of a word of another language.
    """
    places = [(header, header)]
    first = _FIRST_WORD.match(text, header)
    if first is not None and first[1] in machine.compiled.literals:
        places.append((first.end(), first.end()))
    parameters = _PARAMETERS.search(text, header, line_end(text, header))
    if parameters is not None and parameters[1] in machine.compiled.mistakes.meant:
        places.append(parameters.span(1))
    elif parameters is not None and (parameters[2] or not parameters[1]):
        places.append((parameters.end(2), parameters.end(2)))
    return places


def _header(text: str, closer: int) -> int | None:
    """Return the first content of the nearest line above a closer in its column; None if no deeper line is between."""
    column = line_column(text, closer)
    start, is_deeper = line_start(text, closer), False
    for _ in range(_MOST_LINES):
        if start == 0:
            break
        start = line_start_above(text, start)
        content = content_at(text, start)
        if content >= content_after(text, start) or line_start(text, content) != start:
            continue  # A blank line.
        if line_column(text, content) <= column:
            return content if is_deeper and line_column(text, content) == column else None
        is_deeper = True
    return None
