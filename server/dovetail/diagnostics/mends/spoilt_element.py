"""Spoilt element: one in which something is wrong that no sign mends, so that it is left out as a whole.

Recovery leaves lines out. A line of an element often opens or closes a tag or a brace, and without it all lines below
are read as something else. So an element, or the braces in one, is left out from the line on which it begins to the one
on which it ends, by columns; the innermost with which the text fits further.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.change import Change, best_change, mended
from dovetail.diagnostics.line_places import content_after, line_column, line_end, line_start

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.diagnostics.change import Mend
    from dovetail.diagnostics.fault import Fault
    from dovetail.quotient.machine import Machine

_BEGINNING = re.compile(r"<(?=[A-Za-z>])|\{(?=[^\r\n]*[\r\n])")
_END = re.compile(r"(</[\w$.:\s-]*>|/>)|([)\]]*\})|>")
_CONTENT = re.compile(r"[^\r\n]")
_MOST_ABOVE = 80
"""The most lines above a fault on which an element may begin."""
_MOST_BELOW = 200
"""The most lines that an element may have."""


def leave_out_element(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend that puts an empty element in the place of the innermost one around a fault; None if none helps.

    The text has to fit beyond the next line after the element, which shows that its end is right. Of an element on one
    line the end is sure, and the next line may have a mistake of its own.
    """
    if not machine.compiled.mistakes.elements:
        return None
    first = min(fault.offset, fault.reported.offset)
    last = max(fault.offset, fault.reported.offset)
    # What is reported above the fault may lie in an element that ends above it.
    for (start, end), least in (
        *((each, fault.offset % len(text)) for each in (_around(text, first, first) if first < last else ())),
        *((each, 0) for each in _around(text, first, last)),
    ):
        empty = f"<>{_CONTENT.sub(' ', text[start + 2 : end - 3])}</>"
        following = content_after(text, end)
        beyond = following + 1 if end <= line_end(text, start) else line_end(text, following)
        best = best_change(machine, text, [Change(start, end, empty)], max(beyond - 1, least))
        if best is not None:
            return mended(fault, text, best)
    return None


def _around(text: str, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Yield where the elements and braces around two offsets begin and end by columns, the innermost first."""
    line = line_start(text, first)
    least = len(text)  # What is around begins further to the left.
    for _ in range(_MOST_ABOVE):
        content = content_after(text, line - 1) if line else len(text) - len(text.lstrip())
        column = line_column(text, content)
        found = _BEGINNING.search(text, line, line_end(text, line)) if column < least else None
        if found is not None:
            ends = [end for end in _ends(text, found.start(), column) if end > last]
            yield from ((found.start(), end) for end in ends if end - found.start() >= len("<></>"))
            least = column if ends else least
        if line == 0:
            return
        line = line_start(text, len(text[:line].rstrip()))


def _ends(text: str, start: int, column: int) -> Iterator[int]:
    """Yield where what begins at an offset may end: on its line, and on the lines below that are no deeper."""
    sign = text[start]
    stop = line_end(text, start)
    for found in _END.finditer(text, start + 1, stop):
        if found[1 if sign == "<" else 2]:
            yield found.end()
    for _ in range(_MOST_BELOW):
        content = content_after(text, stop)
        if content == len(text) or (here := line_column(text, content)) < column:
            return
        stop = line_end(text, content)
        if here > column:
            continue
        closing = _END.match(text, content)
        if closing is None:
            # An element without a closing tag ends above the next line in its column.
            yield len(text[:content].rstrip())
            return
        if closing[1 if sign == "<" else 2]:
            yield closing.end()
