"""Placeholders for skipped lines: a line that was skipped may have been the header of a block, or the whole of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.lexing.layout import blanks_of
from dovetail.quotient.omission import Omission
from dovetail.recovery.fix import Fix

if TYPE_CHECKING:
    from dovetail.recovery.checkpoint import Checkpoint
    from dovetail.recovery.fix import Misfit
    from dovetail.recovery.history import History


def replace_skipped_header(misfit: Misfit) -> Fix | None:
    """Put a placeholder for the line skipped right before, so that this line is its block.

    Cases: `header_of_this_block`, `decorator_of_a_lost_header`.
    """
    history, at = misfit.history, misfit.at
    for index in replaceable(misfit):
        fix = _with_headers(misfit, [index])
        if fix is None:
            gap = at.left_out[index]
            fix = under_earlier_header(misfit, _header(history, blanks_of(history.text[gap.start : gap.end])))
        if fix is not None:
            return fix
    return None


def open_block(misfit: Misfit) -> Fix | None:
    """Put placeholders for the lines skipped right before, each of them deeper than the one above, and this one too.

    The first line of a block may be in any column, so this line fits without them. The lines after it, which come back
    to the columns of those that were skipped, would not. Cases: `first_line_of_a_block_above`,
    `first_lines_of_blocks_above`.
    """
    history, at, line = misfit.history, misfit.at, misfit.line
    if not at.begins or not (history.reader.is_content(line) or (misfit.is_cursor_line and not line.strip())):
        return None
    inner, chain = blanks_of(line), []
    for index in replaceable(misfit):
        blanks = blanks_of(history.text[at.left_out[index].start : at.left_out[index].end])
        # What is compared are columns only as far as the reading of the line will bear out.
        if len(blanks) < len(inner):
            chain.append(index)
            inner = blanks
    # The outermost may be in the column of a block that is open, or of none.
    return next((fix for most in range(len(chain), 0, -1) if (fix := _with_headers(misfit, chain[:most]))), None)


def replace_skipped_block(misfit: Misfit) -> Fix | None:
    """Put a placeholder for the line skipped right before, the only one of the block above.

    This line need not fit then: it shows that the block has no other line if it is not deeper than the block's header.
    Cases: `only_line_of_a_block_above`, `only_line_of_a_block_below`, `only_line_above_a_line_that_does_not_fit`.
    """
    history, at, ends = misfit.history, misfit.at, misfit.ends
    filled = fill_block(history, at)
    if filled is None:
        return None
    read = history.reader.after(at, filled[-1].instead + misfit.line)
    if read is not None:
        return Fix(misfit.begun, ends[0], filled, read, ends[1:], cost=0)
    if misfit.begun == 0 or misfit.begun != len(history.checkpoints) - 1 or misfit.is_cursor_line:
        return None
    read = history.reader.after(at, filled[-1].instead) if history.reader.misses_block(at, misfit.line) else None
    # The checkpoint here takes the place of the one without the placeholder.
    return None if read is None else Fix(misfit.begun - 1, at.offset, filled, read, ends, cost=0)


def fill_block(history: History, at: Checkpoint) -> tuple[Omission, ...] | None:
    """Return what is left out up to a checkpoint, with a statement for the line skipped right before it.

    None if no line was skipped there.
    """
    statement, gaps = history.reader.machine.statement, history.gaps_before(at)
    if statement is None or not gaps:
        return None
    gap = at.left_out[gaps[0]]
    filled = gap._replace(instead=f"{blanks_of(history.text[gap.start : gap.end])}{statement}\n")
    return (*at.left_out[: gaps[0]], filled)


def replaceable(misfit: Misfit) -> list[int]:
    """Return the indices of the lines skipped right before that a placeholder may replace."""
    return misfit.history.gaps_before(misfit.at) if misfit.history.reader.placeholders.header else []


def under_earlier_header(misfit: Misfit, header: str) -> Fix | None:
    """Return the fix that puts a header for the lines before, as decorators that await another header than this."""
    history, at, ends = misfit.history, misfit.at, misfit.ends
    index = history.latest_before(misfit.begun, header)
    if index is None or index == misfit.begun:
        return None
    # Decorators stand in the column of their header. A line in another one is the header of this line's block itself.
    blanks = blanks_of(header)
    if any(history.has_content(each) and history.blanks_at(each) != blanks for each in range(index, misfit.begun)):
        return None
    base = history.checkpoints[index]
    read = history.reader.after(base, header + misfit.line)
    if read is None:
        return None
    return Fix(index, ends[0], (*base.left_out, Omission(base.offset, at.offset, header)), read, ends[1:])


def _with_headers(misfit: Misfit, gaps: list[int]) -> Fix | None:
    """Return the fix that puts placeholders for skipped lines, by their indices, the last first; None if none fits."""
    history, at, ends = misfit.history, misfit.at, misfit.ends
    left_out, inserted = list(at.left_out), ""
    for index in gaps:
        gap = left_out[index]
        header = _header(history, blanks_of(history.text[gap.start : gap.end]))
        left_out[index] = gap._replace(instead=header)
        inserted = header + inserted
    read = history.reader.after(at, inserted + misfit.line)
    # The skip of each header has been paid for. Only the text put in its place is new.
    return None if read is None else Fix(misfit.begun, ends[0], tuple(left_out), read, ends[1:], cost=0)


def _header(history: History, blanks: str) -> str:
    return f"{blanks}{history.reader.placeholders.header}\n"
