"""Lost closers: a line with the ends of several brackets, as `))`, above one that goes on as a further argument.

The line below is read on within the brackets, so that the text stops fitting only where that one ends. Columns tell
where the lost one stood: above the first line that is no deeper than the one that opened the brackets.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from dovetail.diagnostics.change import Change, best_change, mended, named
from dovetail.diagnostics.flaw import MIRRORED, OPENERS, brackets_of, signs
from dovetail.diagnostics.line_places import content_after, content_at, line_column, line_end, line_start

if TYPE_CHECKING:
    from dovetail.diagnostics.change import Mend
    from dovetail.diagnostics.fault import Fault
    from dovetail.quotient.machine import Machine

_BRACE = "{"
_FEWEST = 2
"""The fewest brackets: of a single one that is never closed, the place where it opens says more."""


def mend_lost_closers(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend that puts in a line which closes the brackets that one above a fault opens; None without one."""
    if machine.compiled.layout is not None or not machine.brackets.has_blocks:
        return None
    opened = brackets_of(machine.lexer, text[: fault.offset]).opened
    # A line such as `}, g(` goes on with what another one in its column has opened.
    for _, group in groupby(reversed(opened), key=lambda each: line_column(text, each[0])):
        here = list(group)
        last = here[0][0]
        if len(here) < _FEWEST or any(sign not in MIRRORED for _, sign in here) or not _ends_line(text, last + 1):
            continue
        below = _below(text, last, fault.offset)
        if below is None:
            continue
        closers = "".join(MIRRORED[sign] for _, sign in here)
        start, begin = line_start(text, last), line_start(text, below)
        blanks = text[start : content_at(text, start)]
        line = f"{blanks}{closers}\n"
        best = best_change(
            machine, text, [Change(begin, begin, line)], line_end(text, content_after(text, fault.offset))
        )
        if best is not None:
            words = f"perhaps a line with `{closers}` is missing above this one"
            return mended(named(fault, text, below, words), text, best)
    return _above_shallow(machine, text, fault)


def _above_shallow(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend that closes the brackets of the first line whose brace is closed by one further to the left.

    That one was meant for a line further up. None if there is none, or if the text fits no further then.
    """
    opened: list[tuple[int, str]] = []
    for start, sign in signs(machine.lexer, text):
        if start > fault.offset:
            break
        if sign in MIRRORED:
            opened.append((start, sign))
        elif sign in OPENERS and opened:
            place, opener = opened.pop()
            is_first = not text[line_start(text, start) : start].strip()
            if not is_first or opener != _BRACE or line_column(text, start) >= line_column(text, place):
                continue
            begin, end = line_start(text, place), line_end(text, place)
            here = [each for each in opened if each[0] >= begin]
            below = _below(text, place, start + 1)
            if not here or below is None or text[place + 1 : end].strip():
                return None
            closers = "".join(MIRRORED[each] for _, each in reversed([*here, (place, opener)]))
            first = line_start(text, below)
            line = f"{text[begin : content_at(text, begin)]}{closers}\n"
            least = line_end(text, content_after(text, fault.offset))
            best = best_change(machine, text, [Change(first, first, line)], least)
            if best is None:
                return None
            words = f"perhaps a line with `{closers}` is missing above this one"
            return mended(named(fault, text, below, words), text, best)
    return None


def _below(text: str, opener: int, offset: int) -> int | None:
    """Return where the content begins of the first line that is no deeper than that of a bracket; None for its end.

    A bracket further to the left was meant for another one.

    It stands between the bracket and an offset.
    """
    column, place = line_column(text, opener), content_after(text, opener)
    first = place
    while place < offset and line_column(text, place) > column:
        place = content_after(text, line_end(text, place))
    is_closer = text[place : place + 1] in OPENERS and line_column(text, place) == column
    return place if first < place <= offset and not is_closer else None


def _ends_line(text: str, offset: int) -> bool:
    return text[offset : offset + 1] in ("\r", "\n")
