"""The statement below the cursor, which a text would take in as the rest of its own, as the value of `const a =`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dovetail.decoding.task import Task


def takes_in_next(task: Task, text: str) -> bool:
    """Return whether a text ends in the midst of a statement, so that the next line of the right text goes on with it.

    It is one only where a statement may end at the cursor, and in languages in which a line end alone ends none. A line
    that belongs above a statement, as a decorator does, takes nothing in.
    """
    terminator, start = task.style.terminator, task.start
    if terminator is None or task.rest_of_line is not None or not task.next_line or start.enclosure.inner:
        return False
    ends = (terminator.sign, f" {terminator.statement}{terminator.sign}")
    if not any(start.advance(end) is not None for end in ends):
        return False
    line = (task.left + text).rpartition("\n")[2]
    if terminator.above and re.match(terminator.above, line):
        return False
    after = start.advance(text)
    return after is not None and all(after.advance(end) is None for end in ends)
