"""Doubled bracket: an opening one that was written twice, as in `for ((const a of b) {` and `run(() => {{`.

The text may stop fitting right there, or at what closes the brackets around it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.change import Change, best_change, mended, named
from dovetail.diagnostics.flaw import closer_of, find_flaw
from dovetail.diagnostics.line_places import line_end, line_start

if TYPE_CHECKING:
    from dovetail.diagnostics.change import Mend
    from dovetail.diagnostics.fault import Fault
    from dovetail.quotient.machine import Machine

_DOUBLED = re.compile(r"\((\()|\[(\[)|\{(\{)")
_LAST = re.compile(r"\{(\{)[ \t]*(?=[\r\n]|\Z)")
_MOST = 4
"""The most doubled brackets of a line that are tried."""


def mend_doubled_bracket(machine: Machine, text: str, fault: Fault, other: Mend | None) -> Mend | None:
    """Return the mend that leaves out the second of two brackets before a fault; None if another one goes as far.

    They stand on its line, or are braces at the end of the line of what is not closed: such braces are never meant.
    """
    at, flaw = fault.reported.offset, find_flaw(machine.lexer, text)
    start = line_start(text, at)
    places = [found.start() + 1 for found in _DOUBLED.finditer(text, start, at)][:_MOST]
    brace = -1 if flaw is None else flaw.offset if flaw.is_open else flaw.opened
    if brace >= 0:
        found = _LAST.search(text, line_start(text, brace), line_end(text, brace))
        places += [] if found is None else [found.start(1)]
    least = min(line_end(text, max(fault.offset, at)), len(text))
    changes = [Change(place, place + 1, " ") for place in places if _is_closed_once(machine, text, place)]
    best = best_change(machine, text, changes, least) if changes else None
    if best is None:
        return None
    is_brace = _LAST.match(text, best.change.start - 1) is not None
    if other is not None and (best.reach < other.reach or (best.reach == other.reach and not is_brace)):
        return None
    words = f"`{text[best.change.start]}` is one too many"
    return mended(named(fault, text, best.change.start, words), text, best)


def _is_closed_once(machine: Machine, text: str, second: int) -> bool:
    """Return whether the first of two brackets is closed only without the second one, at an offset."""
    made = f"{text[:second]} {text[second + 1 :]}"
    return closer_of(machine.lexer, text, second - 1) is None and closer_of(machine.lexer, made, second - 1) is not None
