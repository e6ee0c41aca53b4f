"""Repairs of a text in a language without statements: a comma put in or left out, and lines left out of a bracket.

Each repair is a function like those of `repairs.py`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.lexing.layout import blanks_of
from dovetail.quotient.omission import Omission
from dovetail.recovery.bracket_reader import column_of
from dovetail.recovery.conflicts import leave_out_side
from dovetail.recovery.fix import Fix
from dovetail.recovery.line_reader import CLOSERS
from dovetail.recovery.list_reader import ListReader
from dovetail.recovery.lost_comments import begin_comment, leave_out_comment
from dovetail.recovery.missing_ends import SEPARATOR

if TYPE_CHECKING:
    from dovetail.recovery.fix import Misfit
    from dovetail.recovery.repairs import Repair


_BLANKS = re.compile(r"[ \t]*")


def put_separator(misfit: Misfit) -> Fix | None:
    """Put in a comma before a line that fits behind one."""
    (reader, checkpoints, text), ends = misfit.history, misfit.ends
    last = checkpoints[-1]
    read = reader.after(last, SEPARATOR + text[last.offset : ends[0]]) if reader.in_bracket(last) else None
    if read is None:
        return None
    left_out = (*last.left_out, Omission(last.offset, last.offset, SEPARATOR))
    return Fix(len(checkpoints) - 1, ends[0], left_out, read, ends[1:])


def skip_separator(misfit: Misfit) -> Fix | None:
    """Skip the comma before a line that closes the bracket."""
    (reader, checkpoints, text), ends = misfit.history, misfit.ends
    last = checkpoints[-1]
    skipped: list[Omission] = []  # lines between them
    kept = last.offset
    for part in reversed(last.left_out):
        if text[part.end : kept].strip():
            break
        skipped.insert(0, part)
        kept = part.start
    comma = len(text[:kept].rstrip()) - 1
    if not _begins_with_closer(text, last.offset) or text[comma] != SEPARATOR:
        return None
    index = next((index for index in range(len(checkpoints) - 1, -1, -1) if checkpoints[index].offset <= comma), None)
    if index is None:
        return None  # It stands before all that this reader may change.
    at = checkpoints[index]
    read = reader.after(at, text[at.offset : comma] + text[comma + 1 : kept] + text[last.offset : ends[0]])
    left_out = (*at.left_out, Omission(comma, comma + 1), *skipped)
    return None if read is None else Fix(index, ends[0], left_out, read, ends[1:])


def put_element(misfit: Misfit) -> Fix | None:
    """Put in an element before a line that closes the bracket, as behind a comma of the cursor's line, which stays."""
    (reader, checkpoints, text), ends = misfit.history, misfit.ends
    assert isinstance(reader, ListReader), "the language has no statements"
    last = checkpoints[-1]
    element = reader.element(last) if _begins_with_closer(text, last.offset) else ""
    read = reader.after(last, element + text[last.offset : ends[0]]) if element else None
    if read is None:
        return None
    left_out = (*last.left_out, Omission(last.offset, last.offset, element))
    return Fix(len(checkpoints) - 1, ends[0], left_out, read, ends[1:])


def close_brackets(misfit: Misfit) -> Fix | None:
    """Close the brackets whose lines are as deep as this one or deeper, as far as it fits then."""
    history, ends = misfit.history, misfit.ends
    reader, checkpoints, text = history
    assert isinstance(reader, ListReader), "the language has no statements"
    last, line = checkpoints[-1], text[checkpoints[-1].offset : ends[0]]
    column, closers = column_of(blanks_of(line)), "".join(sign for sign in reader.closing(last) if sign in CLOSERS)
    count, depth = 0, reader.depth(last.configuration)
    for index in range(len(checkpoints) - 2, -1, -1):
        if reader.depth(checkpoints[index].configuration) >= depth - count:
            continue
        if column_of(history.blanks_at(index)) < column:
            return None
        count = depth - reader.depth(checkpoints[index].configuration)
        for separator in (SEPARATOR, ""):
            inserted = closers[:count] + separator
            read = reader.after(last, inserted + line)
            if read is not None:
                left_out = (*last.left_out, Omission(last.offset, last.offset, inserted))
                return Fix(len(checkpoints) - 1, ends[0], left_out, read, ends[1:])
    return None


def skip_element_before(misfit: Misfit) -> Fix | None:
    """Skip the line before one that fits without it, as one that opens a bracket which nothing closes."""
    (reader, checkpoints, text), ends = misfit.history, misfit.ends
    if len(checkpoints) == 1:
        return None
    before, line = checkpoints[-2], text[checkpoints[-1].offset : ends[0]]
    read = reader.after(before, line) if reader.in_bracket(before) else None
    if read is None:
        return None
    left_out = (*before.left_out, Omission(before.offset, checkpoints[-1].offset))
    return Fix(len(checkpoints) - 2, ends[0], left_out, read, ends[1:])


def skip_element(misfit: Misfit) -> Fix | None:
    """Skip a line within a bracket that is not the cursor's, and outside of all brackets one that closes another."""
    (reader, checkpoints, text), ends = misfit.history, misfit.ends
    last = checkpoints[-1]
    if misfit.is_cursor_line or _begins_with_closer(text, last.offset) == reader.in_bracket(last):
        return None
    return Fix(len(checkpoints) - 1, ends[0], (*last.left_out, Omission(last.offset, ends[0])), None, ends[1:])


LIST_REPAIRS: tuple[Repair, ...] = (
    leave_out_side,
    begin_comment,
    leave_out_comment,
    put_separator,
    skip_separator,
    put_element,
    close_brackets,
    skip_element_before,
    skip_element,
)
"""In the order in which they are tried."""


def _begins_with_closer(text: str, offset: int) -> bool:
    blanks = _BLANKS.match(text, offset)
    assert blanks is not None, "there may be none"
    return text.startswith(CLOSERS, blanks.end())
