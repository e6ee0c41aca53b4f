"""Comments over several lines whose first line is lost: repairs like those of `repairs.py`.

The lines of such a comment begin with the character that begins its end, as ` * text` above ` */`. They are prose, and
a quote or a bracket in them would take the code below for its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.quotient.omission import Omission
from dovetail.recovery.fix import Fix

if TYPE_CHECKING:
    from dovetail.recovery.fix import Misfit


def leave_out_comment(misfit: Misfit) -> Fix | None:
    """Leave out the lines of a comment, once its end does not fit."""
    history, ends = misfit.history, misfit.ends
    comment = history.reader.machine.long_comment
    if comment is None or misfit.is_cursor_line:
        return None
    line = history.text[history.checkpoints[-1].offset : ends[0]]
    start = _first_line(misfit, comment[1]) if line.lstrip(" \t").startswith(comment[1]) else None
    if start is None:
        return None
    at = history.checkpoints[start]
    return Fix(start, ends[0], (*at.left_out, Omission(at.offset, ends[0])), None, ends[1:])


def begin_comment(misfit: Misfit) -> Fix | None:
    """Begin the comment that the cursor's line is in."""
    history, ends = misfit.history, misfit.ends
    comment = history.reader.machine.long_comment
    start = None if comment is None or not misfit.is_cursor_line else _first_line(misfit, comment[1])
    if comment is None or start is None:
        return None
    at = history.checkpoints[start]
    read = history.reader.after(at, comment[0] + history.text[at.offset : ends[0]])
    left_out = (*at.left_out, Omission(at.offset, at.offset, comment[0]))
    return None if read is None else Fix(start, ends[0], left_out, read, ends[1:])


def _first_line(misfit: Misfit, end: str) -> int | None:
    """Return the checkpoint at the first line of a comment that goes up to this line; None if it is in none."""
    history = misfit.history
    index = None
    for above in range(len(history.checkpoints) - 1, -1, -1):
        line = history.text[history.checkpoints[above].offset : misfit.ends[0]].lstrip(" \t")
        if not line.startswith(end[0]) or line[1:2] not in ("", " ", "\t", "\r", "\n", end[1:2]):
            break
        index = above
    return index
