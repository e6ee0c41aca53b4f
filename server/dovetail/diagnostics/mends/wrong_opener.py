"""Wrong opener: a bracket that closes where one opens, as in `set}key)`.

It closes a block above, and all below is read as what stands around that block. What closes the one that was meant
closes nothing then, on the same line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.diagnostics.change import Change, best_change, mended, named
from dovetail.diagnostics.flaw import OPENERS, find_flaw, signs
from dovetail.diagnostics.line_places import content_after, line_end, line_start

if TYPE_CHECKING:
    from dovetail.diagnostics.change import Mend
    from dovetail.diagnostics.fault import Fault
    from dovetail.quotient.machine import Machine


def mend_wrong_opener(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend that opens a bracket where another one is closed; None if the next line does not fit with it."""
    flaw = find_flaw(machine.lexer, text) if machine.brackets.has_blocks else None
    if flaw is None or not flaw.is_stray or flaw.opener:
        return None
    start, end = line_start(text, flaw.offset), line_end(text, flaw.offset)
    if not start <= fault.offset <= end:
        return None
    opener = OPENERS[text[flaw.offset]]
    here = [place for place, sign in signs(machine.lexer, text[:end]) if sign in OPENERS and place >= start]
    changes = [
        Change(place, place + 1, opener)
        for place in here
        if place < flaw.offset and text[place] != text[flaw.offset] and text[start:place].strip()
    ]
    best = best_change(machine, text, changes, line_end(text, content_after(text, end)))
    if best is None:
        return None
    written = text[best.change.start]
    words = f"`{written}` does not fit here; perhaps it should be `{opener}`"
    return mended(named(fault, text, best.change.start, words), text, best)
