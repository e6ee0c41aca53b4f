"""Early closer: a bracket that closes a call or list which goes on below, as that of `a=1)` above `b=2,` and `)`.

What ends it in fact closes nothing then. Columns show the early one: the lines below are deeper than the one that opens
the bracket. A bracket that is doubled may close what is open further up, and does not fit at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.diagnostics.change import Change, best_change, mended, named
from dovetail.diagnostics.flaw import MIRRORED, brackets_of
from dovetail.diagnostics.line_places import content_after, line_column, line_end, line_start

if TYPE_CHECKING:
    from dovetail.diagnostics.change import Mend
    from dovetail.diagnostics.fault import Fault
    from dovetail.lexing.lexer import Lexer
    from dovetail.quotient.machine import Machine

_CLOSERS = frozenset(MIRRORED.values())
_COMMA = ","


def mend_early_closer(machine: Machine, text: str, fault: Fault, stray: int) -> Mend | None:
    """Return the mend that leaves out a bracket, or writes a comma for it, so that a stray one at an offset closes.

    None if no bracket at or above a fault is early.
    """
    at = fault.reported.offset
    if text[at] in _CLOSERS and text[:at].rstrip()[-1:] == text[at] and at < stray:
        best = best_change(machine, text, [Change(at, at + 1, " ")], stray)
        return None if best is None else mended(named(fault, text, at, f"`{text[at]}` is one too many"), text, best)
    place = _early(machine.lexer, text, fault.offset) if machine.compiled.layout is not None else None
    if place is None or text[place] != text[stray]:
        return None
    best = best_change(machine, text, [Change(place, place + 1, sign) for sign in (" ", _COMMA)], stray)
    if best is None:
        return None
    is_comma = best.change.sign == _COMMA
    words = f"does not fit here; perhaps it should be `{_COMMA}`" if is_comma else "is one too many"
    return mended(named(fault, text, place, f"`{text[place]}` {words}"), text, best)


def _early(lexer: Lexer, text: str, offset: int) -> int | None:
    """Return the offset of the last bracket above a fault that closes one of an earlier, less deep line.

    None unless it stands on the nearest line above the fault, which is not the bracket's own.
    """
    opened, last = brackets_of(lexer, text[: line_start(text, offset)])
    if last is None or opened:
        return None
    opener, closer = last
    is_above = line_start(text, content_after(text, closer)) == line_start(text, offset)
    is_of_lines = line_end(text, opener) < closer and line_start(text, closer) + line_column(text, closer) < closer
    is_deeper = line_column(text, offset) > line_column(text, opener)
    return closer if is_above and is_of_lines and is_deeper else None
