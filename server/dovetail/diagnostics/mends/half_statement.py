"""Half a statement: one of several parts of which the last one is lost, such as `try` without `catch`.

What follows does not fit, and neither do the brackets around it. With the shortest part that may stand there, it does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.diagnostics.change import Change, best_change, mended
from dovetail.diagnostics.closing_parts import beginnings
from dovetail.diagnostics.line_places import line_end
from dovetail.parsing.configuration import Configuration
from dovetail.quotient.right_side import read_right

if TYPE_CHECKING:
    from dovetail.diagnostics.change import Mend
    from dovetail.diagnostics.fault import Fault
    from dovetail.quotient.machine import Machine


def mend_half(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend that puts in a part with which a statement before a fault ends; None if none explains it.

    Only words may stand at the fault, in a language of blocks in braces.
    """
    if not machine.brackets.has_blocks or not fault.expected:
        return None
    if not all(name.startswith("`") and name.strip("`").isalpha() for name in fault.expected):
        return None
    right = read_right(machine, machine.stacks(), "")
    begun = Configuration((right.stacks.bottom,), machine.lexer.start)
    at = begun.read(right.lexer, right.stacks, text[: fault.reported.offset])
    closing = None if at is None else right.closings.closing(at)
    place = fault.reported.offset
    changes = [Change(place, place, f"{part} ") for part in beginnings(closing or "")]
    best = best_change(machine, text, changes, line_end(text, fault.offset))
    return None if best is None else mended(fault, text, best)
