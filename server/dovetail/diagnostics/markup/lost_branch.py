"""Lost branch: the line `) : (` between the two elements of a condition, which stand side by side without it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, content_at, line_column, line_end, line_start
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_VALUE = re.compile(r"[\w$\"'`]")
"""The beginning of a value that is no element."""
_BRANCH = ") : ("
_CLOSER = re.compile(r"^[ \t]*(\))", re.MULTILINE)
_MOST_CLOSERS = 5
"""The most brackets below the second element that are tried for the end of the condition."""


def find_lost_branch_of_value(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the line that is lost between an element and a value below it, at a fault; None for others.

    The value stands where the fault is, or on the next line.
    """
    if not right.lexer.compiled.mistakes.elements:
        return None
    here = content_at(text, line_start(text, offset))
    for value in (here, content_after(text, offset)):
        if _VALUE.match(text, value) and text[: line_start(text, value)].rstrip().endswith(">"):
            hint = find_lost_branch(right, text, value)
            if hint is not None:
                return hint
    return None


def find_lost_branch(right: RightSide, text: str, second: int) -> Hint | None:
    """Return the hint for the line that is lost above the second of two elements, which begins at an offset; else None.

    With it, all fits up to a bracket further to the left that closes the second branch.
    """
    begin = line_start(text, second)
    if content_at(text, begin) != second:
        return None
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:second])
    if at is None or not fits(right, at, f"{_BRANCH} "):
        return None
    column = line_column(text, second)
    closers = [found.start(1) for found in _CLOSER.finditer(text, second) if line_column(text, found.start(1)) < column]
    for closer in closers[:_MOST_CLOSERS]:
        end = line_end(text, content_after(text, line_end(text, closer)))
        if fits(right, at, f"{_BRANCH}{text[second:end]}\n"):
            words = f"perhaps a line with `{_BRANCH}` is missing above this one"
            return Hint(second, words, Meant(second, second, f"{_BRANCH} ", is_sure=True))
    return None
