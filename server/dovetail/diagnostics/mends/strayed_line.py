"""Strayed line: one that stands in brackets that go on below it, as where two lines changed places.

The brackets are closed, so they are not what is wrong, though the text stops fitting inside of them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.change import Change, best_change, mended
from dovetail.diagnostics.fault import find_fault
from dovetail.diagnostics.flaw import MIRRORED, closer_of, find_flaw
from dovetail.diagnostics.line_places import content_after, line_end, line_start
from dovetail.diagnostics.mends.closer_columns import mend_by_columns
from dovetail.diagnostics.mends.half_child import mend_half_child
from dovetail.diagnostics.mends.lost_value import mend_lost_value

if TYPE_CHECKING:
    from dovetail.diagnostics.change import Mend
    from dovetail.diagnostics.fault import Fault
    from dovetail.quotient.machine import Machine

_CONTENT = re.compile(r"[^\r\n]")
_MOST = 3
"""The most lines that may have strayed."""


def leave_out_line(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend that leaves out the line of a fault that is reported where a bracket opens above it.

    Lines below may have strayed with it. A line that only lacks a value gets one. None unless all that is left in the
    brackets fits, and with it their end.
    """
    start = line_start(text, fault.offset)
    opened = find_flaw(machine.lexer, text[:start])
    if opened is None or opened.offset != fault.reported.offset or text[opened.offset] not in MIRRORED:
        return None
    if machine.brackets.has_blocks and text[opened.offset] == "{":
        return None
    if mend_by_columns(machine, text, fault) is not None:
        return None  # The line above is lost, and the brackets are those of a block.
    filled = mend_lost_value(machine, text, fault.offset)
    if filled is not None:
        return filled  # Nothing has strayed, and the lines below have mistakes of their own.
    end = fault.offset
    for _ in range(_MOST):
        end = line_end(text, end)
        change = Change(start, end, _CONTENT.sub(" ", text[start:end]))
        made = change.made(text)
        closer, flaw = closer_of(machine.lexer, made, opened.offset), find_flaw(machine.lexer, made)
        if closer is not None and closer >= end and (flaw is None or flaw.offset > closer):
            best, here = best_change(machine, text, [change], closer), find_fault(machine, text)
            if best is not None and here is not None:
                mend = mended(here, text, best)
                is_closed = _is_closed_above(machine, text, opened.offset, start, best.reach)
                return None if is_closed or mend_half_child(machine, text, fault, mend) is not None else mend
        end = content_after(text, end)
    return None


def _is_closed_above(machine: Machine, text: str, opener: int, start: int, reach: int) -> bool:
    """Return whether more of a text fits with the end of a bracket above a line than up to an offset."""
    end = len(text[:start].rstrip())
    return best_change(machine, text, [Change(end, end, MIRRORED[text[opener]])], reach) is not None
