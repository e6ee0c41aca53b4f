"""Lost key line: the line of a key that opens a list or an object, above entries that are deeper than the line above.

The entries are read as those of the bracket around, and the bracket that closes them closes that one, too early. To
leave it out would fit as well, and make one object of two. Columns tell that it was meant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.diagnostics.change import Change, best_change, mended, named
from dovetail.diagnostics.flaw import MIRRORED, OPENERS, find_flaw, signs
from dovetail.diagnostics.line_places import content_at, line_column, line_end, line_start
from dovetail.diagnostics.reported import words_of_lost_line

if TYPE_CHECKING:
    from dovetail.diagnostics.change import Mend
    from dovetail.diagnostics.fault import Fault
    from dovetail.quotient.machine import Machine

_KEY = '"a": '
"""The look of a key before its value."""
_ENDED = frozenset({",", *MIRRORED})
"""The last signs of lines below which another line of a list or an object may stand."""
_MOST_LINES = 2000
"""The most lines that the entries may have."""


def mend_lost_key_line(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend that opens a bracket above deeper entries, reported at the first one; None if columns tell none.

    What closes them stands in its line's first column, is deeper than what it closes, and not as deep as the entries.
    """
    flaw = find_flaw(machine.lexer, text)
    if flaw is None or not flaw.is_stray or machine.brackets.has_blocks:
        return None
    closer = _deeper_closer(machine, text, flaw.offset)
    first = None if closer is None else _first_entry(text, closer)
    if closer is None or first is None or first > max(fault.offset, fault.reported.offset):
        return None
    opener = OPENERS[text[closer]]
    changes = [Change(first, first, f"{key}{opener} ") for key in (_KEY, "")]
    # Below what closes the entries may be another mistake.
    best = best_change(machine, text, changes, max(line_end(text, closer), fault.offset))
    if best is None:
        return None
    words = words_of_lost_line(text, f"ends with `{opener}`", text[closer], closer)
    return mended(named(fault, text, first, words), text, best)


def _deeper_closer(machine: Machine, text: str, end: int) -> int | None:
    """Return the first bracket up to an offset that begins a line deeper than that of the bracket that it closes."""
    opened: list[int] = []
    for start, sign in signs(machine.lexer, text):
        if start > end:
            return None
        if sign in MIRRORED:
            opened.append(line_column(text, start))
        elif sign in OPENERS and opened:
            is_first = not text[line_start(text, start) : start].strip()
            if opened.pop() < line_column(text, start) and is_first:
                return start
    return None


def _first_entry(text: str, closer: int) -> int | None:
    """Return the first content of the deeper lines above a bracket, whose line begins with it; None if none is deeper.

    The line above them is whole, and no deeper than the bracket.
    """
    column, begin = line_column(text, closer), line_start(text, closer)
    below = begin
    for _ in range(_MOST_LINES):
        end = len(text[:below].rstrip())
        if end == 0:
            return None
        if line_column(text, end - 1) <= column:
            return content_at(text, end) if below != begin and text[end - 1] in _ENDED else None
        below = line_start(text, end - 1)
    return None
