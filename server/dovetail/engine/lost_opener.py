"""Lost opener: the word that opens a block is lost before a line that fits without it, as `function` in Lua.

What closes the block closes nothing then, or another block. Columns show the line: it is the nearest one above in the
column of the closer, with deeper lines between.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.engine.change import Change, best_change, mended, named
from dovetail.engine.line_places import content_after, content_at, line_column, line_start
from dovetail.engine.open_block import find_open_blocks
from dovetail.engine.reported import line_and_column

if TYPE_CHECKING:
    from dovetail.engine.change import Mend
    from dovetail.engine.fault import Fault
    from dovetail.quotient.machine import Machine

_MOST_LINES = 300
"""The most lines that the block may have."""
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
        # `local` may stand before it.
        first = _FIRST_WORD.match(text, header)
        places = [header] if first is None or first[1] not in machine.compiled.literals else [header, first.end()]
        changes = [Change(place, place, f"{word} ") for place in places for word in words]
        best = best_change(machine, text, changes, max(stray.offset, fault.offset))
        if best is None:
            continue
        line, _ = line_and_column(text, stray.offset)
        word = best.change.sign.strip()
        words_before = f"perhaps `{word}` is missing here, for `{stray.text}` on line {line} closes nothing"
        return mended(named(fault, text, best.change.start, words_before), text, best)
    return None


def _header(text: str, closer: int) -> int | None:
    """Return the first content of the nearest line above a closer in its column; None if no deeper line is between."""
    column = line_column(text, closer)
    start, is_deeper = line_start(text, closer), False
    for _ in range(_MOST_LINES):
        if start == 0:
            break
        start = line_start(text, start - 1 - text.startswith("\r\n", start - 2))
        content = content_at(text, start)
        if content >= content_after(text, start) or line_start(text, content) != start:
            continue  # A blank line.
        if line_column(text, content) <= column:
            return content if is_deeper and line_column(text, content) == column else None
        is_deeper = True
    return None
