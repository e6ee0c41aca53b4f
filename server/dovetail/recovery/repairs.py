"""Repairs of the left text where a line does not fit.

A repair is a pure function: from the lines read so far and the line that does not fit (`Misfit`) to a `Fix`, or to
None where it does not apply. `REPAIRS` is the order in which they are tried, and the first fix is taken. Each repair
names a case of `tests/cases/broken`, a document with the text that is kept of it.

Every fix moves on: it reads or skips the line, or skips an earlier line and has those after it read again. A line
that was skipped is never brought back, so the same repair cannot be made twice and reading ends.
"""

from __future__ import annotations

import re
from itertools import pairwise, product
from typing import TYPE_CHECKING, TypeAlias

from dovetail.lexing.layout import blanks_of
from dovetail.quotient.omission import Omission
from dovetail.recovery.conflicts import leave_out_side
from dovetail.recovery.fix import Fix, skip_line_at
from dovetail.recovery.limits import LINES_BEFORE, LINES_IN_BRACKET, STRING_LINES
from dovetail.recovery.skipped_lines import (
    replace_skipped_block,
    replace_skipped_header,
    replaceable,
    under_earlier_header,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail.parsing.configuration import Configuration
    from dovetail.recovery.fix import Misfit


def skip_line_in_bracket(misfit: Misfit) -> Fix | None:
    """Skip a line inside an open bracket, or the line before it without which it fits.

    A line that looks like one outside brackets shows that the bracket was not closed: then this does not apply.
    Cases: `line_within_the_bracket_above`, `comma_lost_above`, `commas_lost_above`.
    """
    (reader, checkpoints, text), ends = misfit.history, misfit.ends
    last = checkpoints[-1]
    line = text[last.offset : ends[0]]
    # Omissions since the logical line began are all inside its bracket.
    skipped = len(last.left_out) - len(misfit.at.left_out)
    if not reader.in_bracket(last) or reader.is_own(line) or skipped >= LINES_IN_BRACKET:
        return None
    # There is a checkpoint before: the reading begins where a line begins on its own, so not inside a bracket.
    before = checkpoints[-2]
    read = reader.after(before, line) if reader.in_bracket(before) else None
    # In `"one": 1` and then `"two": 2,` the comma is missed one line late, so the line before is at fault. After two
    # such lines the first is left out already, and the omission goes over both.
    if read is not None:
        left_out = (*before.left_out, Omission(before.offset, last.offset))
        return Fix(len(checkpoints) - 2, ends[0], left_out, read, ends[1:])
    # The line that closes the bracket cannot go by itself.
    if misfit.is_cursor_line or reader.is_one_line(misfit.line):
        return None
    left_out = (*last.left_out, Omission(last.offset, ends[0]))
    return Fix(len(checkpoints) - 1, ends[0], left_out, None, ends[1:])


def skip_rest_of_line(misfit: Misfit) -> Fix | None:
    """Skip a line that closes a bracket of a skipped line above, and all lines between.

    Case: `call_whose_first_line_does_not_fit`.
    """
    history, ends = misfit.history, misfit.ends
    checkpoints, text = history.checkpoints, history.text
    if misfit.is_cursor_line or misfit.begun != len(checkpoints) - 1 or not re.search(r"[)\]}]", misfit.line):
        return None
    for index in range(misfit.begun - 1, max(misfit.begun - LINES_BEFORE, 0) - 1, -1):
        base = checkpoints[index]
        if history.is_skipped(index) and history.reader.is_one_line(text[base.offset : ends[0]]):
            return Fix(index, ends[0], (*base.left_out, Omission(base.offset, ends[0])), None, ends[1:])
    return None


def skip_unfinished_line(misfit: Misfit) -> Fix | None:
    """Skip the line before, which cannot end where it does. Case: `unfinished_line_above`."""
    before = misfit.history.line_before(misfit.begun)
    if before is None or not misfit.history.reader.is_unfinished(misfit.at):
        return None
    return skip_line_at(misfit.history, before, misfit.ends)


def insert_header(misfit: Misfit) -> Fix | None:
    """Insert a placeholder for a header that is not there, so that this line is its block. Case: `lost_header`."""
    reader, at, ends = misfit.history.reader, misfit.at, misfit.ends
    if reader.layout is None or reader.placeholders.header is None:
        return None
    # The innermost block first: the lost header stood most likely where the line above stands.
    for blanks in reader.layout.outer_blanks(at.configuration.lexer, misfit.line):
        header = f"{blanks}{reader.placeholders.header}\n"
        read = reader.after(at, header + misfit.line)
        if read is not None:
            left_out = (*at.left_out, Omission(at.offset, at.offset, header))
            return Fix(misfit.begun, ends[0], left_out, read, ends[1:])
        fix = under_earlier_header(misfit, header)
        if fix is not None:
            return fix
    return None


def skip_lines_before(misfit: Misfit) -> Fix | None:
    """Skip the lines before, without which this line fits.

    These are the line before, as a header without a block, or all from the last line of the same column on, as a
    `try` that nothing ends. After a skipped line, and for the cursor's line, they may be more.
    Cases: `header_without_block`, `two_headers_without_blocks`, `header_in_a_lost_block`, `try_without_except`.
    """
    history, ends = misfit.history, misfit.ends
    # Each candidate reads the line once more, so a bound on them bounds the time of the repair.
    first = max(0, misfit.begun - LINES_BEFORE)
    earlier = [index for index in range(first, misfit.begun) if history.has_content(index)]
    blanks = blanks_of(misfit.line)
    # A header without a block is the last line. A `try` that nothing ends is the last line of this column.
    beside = [index for index in earlier if history.blanks_at(index) == blanks and not history.is_skipped(index)]
    any_line = bool(replaceable(misfit)) or misfit.is_cursor_line
    # Nearest first: the fewer lines are skipped, the likelier it is what a person would do.
    tried: set[tuple[Configuration, str]] = set()
    for index in sorted(set(earlier if any_line else [*beside[-1:], *earlier[-1:]]), reverse=True):
        base = history.checkpoints[index]
        header = history.inserted_at(index)
        # Within one block many lines begin in the same configuration.
        if (base.configuration, header) in tried:
            continue
        tried.add((base.configuration, header))
        # A header that was put before the first of the lines stays: it is the header of this line then.
        read = history.reader.after(base, header + misfit.line)
        if read is not None:
            before = history.checkpoints[index + 1].left_out if header else base.left_out
            return Fix(index, ends[0], (*before, Omission(base.offset, misfit.at.offset)), read, ends[1:])
    return None


def insert_opener(misfit: Misfit) -> Fix | None:
    """Insert a bracket before the cursor's line, whose beginning is lost. Case: `opener_lost_above`."""
    reader, at, ends = misfit.history.reader, misfit.at, misfit.ends
    if not _is_whole_cursor_line(misfit) or reader.layout is None:
        return None
    # First in the column of the open block: elements are indented further than the line of their bracket. Right below a
    # header only the line's own column begins a block.
    places = dict.fromkeys((reader.layout.block_blanks(at.configuration.lexer), blanks_of(misfit.line)))
    for blanks, opener in product(places, reader.machine.openers):
        read = reader.after(at, f"{blanks}{opener}\n{misfit.line}")
        if read is not None:
            left_out = (*at.left_out, Omission(at.offset, at.offset, f"{blanks}{opener}\n"))
            return Fix(misfit.begun, ends[0], left_out, read, ends[1:])
    return None


def skip_line(misfit: Misfit) -> Fix | None:
    """Skip the line itself, or the first of the lines that it is part of.

    After a bracket that nothing closes, lines that could not stand outside it are skipped too. A long string is skipped
    as a whole if the mistake is behind its end, and so is a line that brackets hold together, if they are all closed.
    Cases: `header_of_several_lines`, `open_bracket_above`, `merge_conflict_above`, `long_bracket_above`,
    `quote_behind_a_string`.
    """
    if _is_whole_cursor_line(misfit):
        return None
    reader, checkpoints, text = misfit.history
    inside = [checkpoint.offset for checkpoint in checkpoints[misfit.begun + 1 :]]
    if inside and not misfit.is_cursor_line and _is_behind_string(misfit):
        return skip_line_at(misfit.history, misfit.begun, misfit.ends, len(inside) + 1)
    if inside and not misfit.is_cursor_line and reader.is_one_line(misfit.line):
        return skip_line_at(misfit.history, misfit.begun, misfit.ends, len(inside) + 1)
    # After `DATA = {` that nothing closes, forty elements could be no lines by themselves and go with it. The first
    # line that is whole by itself, here a blank one, begins what is kept again.
    count = 1
    while count < len(inside) and not reader.is_whole(text[inside[count - 1] : inside[count]]):
        count += 1
    return skip_line_at(misfit.history, misfit.begun, misfit.ends, count)


Repair: TypeAlias = "Callable[[Misfit], Fix | None]"

REPAIRS: tuple[Repair, ...] = (
    leave_out_side,
    skip_line_in_bracket,
    skip_rest_of_line,
    skip_unfinished_line,
    replace_skipped_header,
    replace_skipped_block,
    insert_header,
    skip_lines_before,
    insert_opener,
    skip_line,
)
"""In the order in which they are tried."""


def find_fix(misfit: Misfit, repairs: tuple[Repair, ...] = REPAIRS) -> Fix | None:
    """Return the fix of the first repair that applies; None if no repair does: the cursor's line fits nowhere."""
    # The first fix is taken without a look at the others. To weigh them all would read each line seven times.
    return next((fix for repair in repairs if (fix := repair(misfit)) is not None), None)


def _is_behind_string(misfit: Misfit) -> bool:
    """Return whether the line that does not fit begins in a long string, whose lines are no code."""
    reader, checkpoints, text = misfit.history
    # In a string all fits but what is behind its end.
    if checkpoints[-1].begins or reader.in_bracket(checkpoints[-1]):
        return False
    # A line that is whole by itself was begun outside.
    if reader.is_whole(text[checkpoints[-1].offset : misfit.ends[0]]):
        return False
    # Code between two strings is read as a string where a quote too many stands above.
    inside = [checkpoint.offset for checkpoint in checkpoints[misfit.begun + 1 :]][: STRING_LINES + 1]
    lines = [text[start:end] for start, end in pairwise(inside)]
    content = [line for line in lines if reader.is_content(line)]
    return sum(map(reader.is_own, content)) * 2 <= len(content)


def _is_whole_cursor_line(misfit: Misfit) -> bool:
    """Return whether the misfit is the cursor's and all of its logical line, so that nothing of it may go."""
    return misfit.is_cursor_line and misfit.begun == len(misfit.history.checkpoints) - 1
