"""Strayed line: one that stands in brackets that go on below it, as where two lines changed places.

The brackets are closed, so they are not what is wrong, though the text stops fitting inside of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.engine.change import Change, best_change, mended
from dovetail.engine.fault import find_fault
from dovetail.engine.flaw import MIRRORED, closer_of, find_flaw
from dovetail.engine.line_places import line_end, line_start

if TYPE_CHECKING:
    from dovetail.engine.change import Mend
    from dovetail.engine.fault import Fault
    from dovetail.quotient.machine import Machine


def leave_out_line(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend that leaves out the line of a fault that is reported where a bracket opens above it.

    None unless all that is left in the brackets fits, and with it their end.
    """
    start, end = line_start(text, fault.offset), line_end(text, fault.offset)
    opened = find_flaw(machine.lexer, text[:start])
    if opened is None or opened.offset != fault.reported.offset or text[opened.offset] not in MIRRORED:
        return None
    if machine.brackets.has_blocks and text[opened.offset] == "{":
        return None
    change = Change(start, end, " " * (end - start))
    made = change.made(text)
    closer, flaw = closer_of(machine.lexer, made, opened.offset), find_flaw(machine.lexer, made)
    if closer is None or closer < end or (flaw is not None and flaw.offset < closer):
        return None
    best, here = best_change(machine, text, [change], closer), find_fault(machine, text)
    return None if best is None or here is None else mended(here, text, best)
