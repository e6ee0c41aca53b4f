"""Half a line: one that is being written, without which the text around it fits.

What it lacks to go on may be a sign here and two brackets there, so that each repair of one sign leaves more behind:
`switch (` lacks a value, its bracket and its block. Left out, it leaves nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.change import Change, best_change, mended, named
from dovetail.diagnostics.flaw import MIRRORED, brackets_of, find_flaw
from dovetail.diagnostics.line_places import content_after, line_column, line_end, line_start
from dovetail.diagnostics.markup.misnamed import find_misnamed

if TYPE_CHECKING:
    from dovetail.diagnostics.change import Mend, Tried
    from dovetail.diagnostics.fault import Fault
    from dovetail.quotient.machine import Machine

_BACKTICK = "`"
_CONTENT = re.compile(r"[^\r\n]")
_SIGN = re.compile(r"\s*(?P<sign>\w+|\S)")


def leave_out_half_line(machine: Machine, text: str, fault: Fault, other: Mend | None) -> Mend | None:
    """Return the mend that leaves out the line that is reported, or the one above it; None if another mend does more.

    The report stays: only what follows from the line is to be known. A line further up may be the half one too, if it
    opens a bracket that is open at the fault, and the line below it is no deeper; then that is reported, as it is where
    the line below goes on with the half one up to a sign in its midst. Where columns have a meaning, recovery knows
    best which lines belong together, but for a line that opens a bracket which takes in a header of its own.
    """
    told = (fault if other is None else other.fault).reported
    reach = fault.offset if other is None else other.reach
    start = line_start(text, told.offset)
    above = line_start(text, len(text[:start].rstrip()))
    # The line below closes a text that the one above opens.
    is_open = text.count(_BACKTICK, above, start) % 2 > 0
    if reach > len(text) and not is_open:
        return None
    is_sure = fault.meant is not None and fault.meant.is_sure
    if is_sure and other is not None and not machine.compiled.mistakes.elements:
        return None  # The line is a whole one with a mistake that has words of its own.
    if (other is not None or fault.meant is not None) and reach <= line_end(text, told.offset) and not is_open:
        # A second mistake on the line is told too, unless what the line above opens has made both.
        return _leave_out_above(machine, text, fault, above) if is_sure and above < start else None
    alone = _leave_out_alone(machine, text, fault, told.line, reach)
    if alone is not None:
        return alone
    starts = [start, above] if text[above:start].strip() else [start]
    opener = _half_opener(machine, text, fault.offset)
    if machine.compiled.layout is not None:
        starts = []
    starts += [] if opener is None else [line_start(text, opener)]
    ends = {each: line_end(text, each) for each in starts}
    changes = [Change(each, end, _CONTENT.sub(" ", text[each:end])) for each, end in ends.items()]
    least = min(line_end(text, content_after(text, min(reach, len(text)))) - 1, len(text))
    found = [tried for each in changes if (tried := best_change(machine, text, [each], least)) is not None]
    # The header above a half line opens more than the line does, so that more of the text is behind it.
    best = max(found, key=lambda tried: (tried.reach > len(text), tried.reach - tried.change.start), default=None)
    if best is None or _closes(machine, text, best.reach):
        return None  # What the line opens is closed below.
    if other is not None and _is_header_read(machine, text, best, other):
        return None
    if is_sure and other is not None and (best.reach <= other.reach or _is_misnamed(machine, text, best)):
        return None
    reported = fault if other is None else other.fault
    # Right below it, the report may stand for the end of the half line (`line_cut_short.py`).
    is_apart = best.change.start not in (start, above) or bool(text[start : told.offset].strip())
    if opener is not None and is_apart and best.change.start == line_start(text, opener) != start:
        reported = named(fault, text, opener, f"`{text[opener]}` is never closed")
    half = text[best.change.start : best.change.end]
    if best.change.start != start and half.count(_BACKTICK) % 2:
        # The line below goes on with the text that it opens.
        reported = named(fault, text, best.change.start + half.rindex(_BACKTICK), "a backtick is never closed")
    return mended(reported, text, best)


def _leave_out_alone(machine: Machine, text: str, fault: Fault, line: int, reach: int) -> Mend | None:
    """Return the mend that leaves out the line of a fault, which opens what it does not close; None for a whole line.

    For a language whose blocks end with words: a block above may seem to lack its end there, on a `line` that is
    reported. Without the half line more has to fit than the `reach` of that mend, by two lines at least.
    """
    if not machine.compiled.mistakes.closed_by or fault.line <= line:
        return None
    start, end = line_start(text, fault.offset), line_end(text, fault.offset)
    opened = [place for place, _ in brackets_of(machine.lexer, text[:end]).opened if place >= start]
    changes = [Change(start, end, _CONTENT.sub(" ", text[start:end]))] if opened else []
    below = content_after(text, content_after(text, end))
    best = best_change(machine, text, changes, min(max(reach, line_end(text, below)), len(text)))
    sign = text[opened[-1]] if opened else ""
    return None if best is None else mended(named(fault, text, opened[-1], f"`{sign}` is never closed"), text, best)


def _leave_out_above(machine: Machine, text: str, fault: Fault, above: int) -> Mend | None:
    """Return the mend that leaves out a line that opens what it does not close, if all of a text fits then."""
    end = line_end(text, above)
    flaw = find_flaw(machine.lexer, text[:end])
    if not machine.compiled.mistakes.elements or flaw is None or not flaw.is_open or flaw.offset < above:
        return None
    best = best_change(machine, text, [Change(above, end, _CONTENT.sub(" ", text[above:end]))], len(text))
    return None if best is None else mended(named(fault, text, flaw.offset, flaw.message), text, best)


def _half_opener(machine: Machine, text: str, offset: int) -> int | None:
    """Return the offset of the innermost bracket that is open at a fault; None if the line below it is deeper."""
    opened = find_flaw(machine.lexer, text[:offset])
    if opened is None or not opened.is_open or text[opened.offset] not in MIRRORED:
        return None
    below = content_after(text, opened.offset)
    return None if line_column(text, below) > line_column(text, opened.offset) else opened.offset


def _is_header_read(machine: Machine, text: str, best: Tried, other: Mend) -> bool:
    """Return whether the line that a change leaves out ends with the brace of a block, which fits with another mend.

    Without the brace, what ends the block would close one above that is never closed.
    """
    end = len(text[: best.change.end].rstrip())
    first = content_after(text, end)
    is_header = machine.brackets.has_blocks and text[end - 1] == "{" and best.change.start < end
    is_deeper = line_column(text, first) > line_column(text, best.change.start)
    return is_header and is_deeper and other.reach > line_end(text, first)


def _is_misnamed(machine: Machine, text: str, best: Tried) -> bool:
    """Return whether an element ends by another name where a text fits with a change, so that its tag was left out."""
    made = best.change.made(text)
    return any(find_misnamed(machine.lexer, made[: best.reach + len(made) - len(text)]))


def _closes(machine: Machine, text: str, offset: int) -> bool:
    """Return whether a sign or word that closes something stands at an offset."""
    word = _SIGN.match(text, offset)
    return word is not None and word["sign"] in {*MIRRORED.values(), *machine.compiled.mistakes.closed_by.values()}
