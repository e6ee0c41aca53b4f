"""Half an opener: a line that ends with the bracket that it opens, above one that is no deeper and in no bracket.

`if (` and `const {` read the lines below as their own, which then lack what closes their brackets.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.change import Change, best_change, mended, named
from dovetail.diagnostics.flaw import MIRRORED, find_flaw
from dovetail.diagnostics.line_places import content_after, content_at, line_column, line_end, line_start
from dovetail.quotient.quoted import quoted

if TYPE_CHECKING:
    from dovetail.diagnostics.change import Mend
    from dovetail.diagnostics.fault import Fault
    from dovetail.quotient.machine import Machine

_CONTENT = re.compile(r"[^\r\n]")
_CLOSERS = tuple(MIRRORED.values())


def mend_half_opener(machine: Machine, text: str, fault: Fault, other: Mend | None) -> Mend | None:
    """Return the mend that leaves out a half line above the line of a fault; None if another one goes as far."""
    least = line_end(text, content_after(text, fault.offset)) - 1
    least = least if other is None else max(least, other.reach)
    if not machine.brackets.has_blocks or least >= len(text):
        return None
    start = line_start(text, fault.offset)
    opened = find_flaw(machine.lexer, text[:start])
    if opened is None or not opened.is_open or text[opened.offset] not in MIRRORED:
        return None
    first, below = content_at(text, line_start(text, opened.offset)), content_at(text, start)
    is_next = content_after(text, opened.offset) == below and not text[opened.offset + 1 : below].strip()
    if not is_next or text.startswith(_CLOSERS, below) or line_column(text, below) > line_column(text, first):
        return None
    end = line_end(text, first)
    best = best_change(machine, text, [Change(first, end, _CONTENT.sub(" ", text[first:end]))], least)
    if best is None:
        return None
    words = f"{quoted(text[opened.offset])} is never closed"
    return mended(named(fault, text, opened.offset, words), text, best)
