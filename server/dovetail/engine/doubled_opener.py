"""Doubled opener: a bracket that was written twice, as `return {{` and `for ((const a of b) {`, of which one is closed.

The text may stop fitting right there, or at what closes the brackets around it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.engine.change import Change, best_change, mended, named
from dovetail.engine.flaw import MIRRORED, closer_of, find_flaw
from dovetail.engine.hint import Hint, Meant
from dovetail.engine.line_places import content_after, line_end, line_start
from dovetail.engine.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.engine.change import Mend
    from dovetail.engine.fault import Fault
    from dovetail.quotient.machine import Machine
    from dovetail.quotient.right_side import RightSide

_DOUBLED = re.compile(r"\((\()|\[(\[)|\{(\{)")
_LAST = re.compile(r"\{(\{)[ \t]*(?=[\r\n]|\Z)")
_MOST = 4
"""The most doubled brackets of a line that are tried."""


def find_doubled_opener(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the bracket at an offset, behind the same one, if the text fits without it; None otherwise.

    Without it all brackets around it are closed, as far as the next flaw.
    """
    sign = text[offset : offset + 1]
    if sign not in MIRRORED or text[offset - 1 : offset] != sign:
        return None
    flaw = find_flaw(right.lexer, text)
    made = text[:offset] + " " + text[offset + 1 :]
    closer = closer_of(right.lexer, made, offset - 1)
    if flaw is None or closer is None:
        return None
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:offset])
    if at is None or not fits(right, at, f"{text[offset + 1 : line_end(text, content_after(text, offset))]}\n"):
        return None
    return Hint(offset, f"`{sign}` is one too many", Meant(offset, offset + 1, " ", is_sure=True))


def mend_doubled_opener(machine: Machine, text: str, fault: Fault, other: Mend | None) -> Mend | None:
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
