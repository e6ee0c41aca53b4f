"""The statement below the cursor, which a text would take in: as the value of `const a =`, or as an `if`'s block."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.decoding.limits import Shape

if TYPE_CHECKING:
    from dovetail.decoding.constraint import ConstraintState
    from dovetail.decoding.task import Task
    from dovetail.grammar.habits import Terminator


_FUNCTION = re.compile(rb"\)(?:\s*:[^{};=]*)?\Z")
"""The end of the head of a function, with the type of its result."""

_WITHOUT_BODY = re.compile(r"\b(?:declare|abstract)\b|(?m:\bfunction\b[^{}\n\r]*;[ \t]*$)")
"""A function that has no body."""


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


def lacks_block(task: Task, text: bytes, state: ConstraintState) -> bool:
    """Return whether a text ends with a header that lacks its block: `if (a)` above a line, a function of TypeScript.

    `state` is the one after the text. Where the next line of the right text is deeper than the header, it was meant to
    be the block of an `if`. A function has none where it is declared, and in a file that has such functions.
    """
    terminator = task.style.terminator
    if terminator is None or task.rest_of_line is not None or task.limits.shape is Shape.FREE:
        return False
    if _FUNCTION.search(text) is not None and _lacks_body(task, text, state, terminator):
        return True
    if not text.endswith(b")") or not task.next_line:
        return False
    if state.advance(f" {terminator.statement}{terminator.sign}") is None:
        return False
    header = _last_line(_last_line(task.left) + text.decode(errors="ignore")).expandtabs()
    below = _last_line(task.right[: len(task.right) - len(task.content)])
    return len(header) - len(header.lstrip()) >= len(below.expandtabs())


def _lacks_body(task: Task, text: bytes, state: ConstraintState, terminator: Terminator) -> bool:
    """Return whether a function that a text ends with may have a body still, and is meant to have one."""
    statement = f"{terminator.statement}{terminator.sign}"
    if state.advance(f" {statement}") is not None or state.advance(f" {{ {statement}") is None:
        return False
    header = _last_line(task.left) + text.decode(errors="ignore")
    return not any(_WITHOUT_BODY.search(part) for part in (header, task.left, task.right))


def _last_line(text: str) -> str:
    """Return what stands behind the last line end of a text."""
    return text[max(text.rfind("\n"), text.rfind("\r")) + 1 :]
