"""Doubled closer: a brace at a line's end that was written twice, as `}}`.

The second one closes a block that goes on below, and the text stops fitting far from it, at what closes nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.engine.change import Change, best_change, mended, named
from dovetail.engine.flaw import find_flaw

if TYPE_CHECKING:
    from dovetail.engine.change import Mend
    from dovetail.engine.fault import Fault
    from dovetail.quotient.machine import Machine

_DOUBLED = re.compile(r"^[ \t]*\}(\})[ \t]*(?=[\r\n]|\Z)", re.MULTILINE)
_MOST = 12
"""The most doubled braces above a fault that are tried, the nearest ones."""


def mend_doubled(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend that leaves out the second of two braces above a fault; None if none explains what is stray."""
    if not machine.brackets.has_blocks:
        return None
    flaw = find_flaw(machine.lexer, text)
    if flaw is None or not flaw.is_stray:
        return None
    places = [found.start(1) for found in _DOUBLED.finditer(text, 0, max(fault.offset, fault.reported.offset))]
    changes = [Change(place, place + 1, " ") for place in places[-_MOST:]]
    best = best_change(machine, text, changes, flaw.offset)
    if best is None:
        return None
    return mended(named(fault, text, best.change.start, "`}` is one too many"), text, best)
