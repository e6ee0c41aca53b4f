"""Lost value: an item of a list, a dictionary or a call that lacks its value, as `one=,`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.diagnostics.change import Change, best_change, mended
from dovetail.diagnostics.fault import find_fault

if TYPE_CHECKING:
    from dovetail.diagnostics.change import Mend
    from dovetail.quotient.machine import Machine

_ENDS = (",", ")", "]", "}")
"""The signs that end an item."""
_WORDS = frozenset({"an expression", "an operand", "a value"})
"""The words of messages about a lost value."""
_VALUE = "0"


def mend_lost_value(machine: Machine, text: str, offset: int) -> Mend | None:
    """Return the mend that puts in the value that an item lacks before its end at an offset; None for another fault."""
    here = find_fault(machine, text) if text[offset : offset + 1] in _ENDS else None
    if here is None or here.reported.offset != offset or _WORDS.isdisjoint(here.reported.expected):
        return None
    best = best_change(machine, text, [Change(offset, offset, _VALUE)], offset)
    return None if best is None else mended(here, text, best)
