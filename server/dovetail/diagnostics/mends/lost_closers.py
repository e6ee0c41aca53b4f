"""Lost closers: a line with the ends of several brackets, as `))`, above one that goes on as a further argument.

The line below is read on within the brackets, so that the text stops fitting only where that one ends. Columns tell
where the lost one stood: above the first line that is no deeper than the one that opened the brackets.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from dovetail.diagnostics.change import Change, best_change, mended, named
from dovetail.diagnostics.flaw import MIRRORED, OPENERS, brackets_of
from dovetail.diagnostics.line_places import content_after, content_at, line_column, line_end, line_start

if TYPE_CHECKING:
    from dovetail.diagnostics.change import Mend
    from dovetail.diagnostics.fault import Fault
    from dovetail.quotient.machine import Machine

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
        if len(here) < _FEWEST or any(sign not in MIRRORED for _, sign in here) or text[last + 1] not in "\r\n":
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
    return None


def _below(text: str, opener: int, offset: int) -> int | None:
    """Return where the content begins of the first line that is no deeper than that of a bracket; None for its end.

    It stands between the bracket and an offset.
    """
    column, place = line_column(text, opener), content_after(text, opener)
    first = place
    while place < offset and line_column(text, place) > column:
        place = content_after(text, line_end(text, place))
    return place if first < place <= offset and text[place : place + 1] not in OPENERS else None
