"""Merge conflicts, as git writes them into a file: a repair like those of `repairs.py`.

Both sides are kept where they fit one behind the other, as two statements do. Where they do not, as two headers of one
block, the second is kept alone, or the first if the cursor is in it. The marks are no text of any language, and stand
in the first column even inside brackets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.quotient.omission import Omission
from dovetail.recovery.bracket_reader import BracketReader
from dovetail.recovery.fix import Fix
from dovetail.recovery.history import sign_of_mark
from dovetail.recovery.limits import CONFLICT_LINES, FAR
from dovetail.recovery.line_ends import line_end, line_ends, line_start
from dovetail.recovery.list_reader import ListReader

if TYPE_CHECKING:
    from dovetail.recovery.checkpoint import Checkpoint
    from dovetail.recovery.fix import Misfit
    from dovetail.recovery.history import History


def leave_out_side(misfit: Misfit) -> Fix | None:
    """Leave out a mark of a conflict, or with it the side above, where the two do not fit one behind the other.

    Cases: `merge_conflict_above`, `merge_conflict_below`, `conflict_in_a_bracket`, `conflict_of_headers`,
    `conflict_with_its_base`, `conflict_around_the_cursor`.
    """
    history, ends = misfit.history, misfit.ends
    last = len(history.checkpoints) - 1
    mark = _mark_at(history, last)
    if mark and misfit.is_cursor_line:
        return None
    above = _marks_above(history)
    if not mark and "|" in above and "=" not in above:
        # What both sides have changed: nobody wants it.
        return None if misfit.is_cursor_line else _leave_out(history, above["|"], ends)
    if not mark:
        if "<" not in above or "=" not in above:
            return None
        again = [checkpoint.offset for checkpoint in history.checkpoints[above["="] + 1 :]]
        return _leave_out(history, above["<"], [*again, *ends])
    start = None
    if mark == "=":
        start = above.get("|", above.get("<") if _is_part(history, above.get("<")) else None)
    elif mark == ">" and "<" not in above and _is_part(history, above.get("=")):
        start = above.get("=")
    return _leave_out(history, last if start is None else start, ends)


def last_mark(at: Checkpoint, text: str, offset: int) -> Omission | None:
    """Return the line below that ends the conflict around the cursor, whose other marks stand before it; or None.

    It may fit as it stands: to a parser of types it is seven closing brackets.
    """
    signs = (sign_of_mark(text, line_start(text, part.end - 1)) for part in reversed(at.left_out) if part.end)
    if next(filter(None, signs), "") != "=":
        return None
    below = (end for end in line_ends(text, offset, min(len(text), offset + FAR)) if sign_of_mark(text, end) == ">")
    start = next(below, None)
    return None if start is None else Omission(start, line_end(text, start))


def _leave_out(history: History, start: int, ends: list[int]) -> Fix:
    """Return the fix that leaves out all from a checkpoint to the first of some ends, and reads on to the others."""
    at = history.checkpoints[start]
    return Fix(start, ends[0], (*at.left_out, Omission(at.offset, ends[0])), None, ends[1:])


def _is_part(history: History, start: int | None) -> bool:
    """Return whether the side that begins at a checkpoint opens or closes something, or has not been read whole."""
    if start is None:
        return False
    after, last = history.checkpoints[start + 1], history.checkpoints[-1]
    reader = history.reader
    if after.begins != last.begins or len(after.left_out) != len(last.left_out):
        return True
    before, behind = after.configuration, last.configuration
    if isinstance(reader, ListReader):
        return reader.depth(before) != reader.depth(behind)
    if not isinstance(reader, BracketReader):
        return False
    return (reader.blocks(before), reader.depth(before)) != (reader.blocks(behind), reader.depth(behind))


def _marks_above(history: History) -> dict[str, int]:
    """Return the marks of the conflict that the text is in, as far as they were left out alone: sign → checkpoint."""
    found: dict[str, int] = {}
    last = len(history.checkpoints) - 1
    for index in range(last - 1, max(-1, last - 1 - CONFLICT_LINES), -1):
        mark = _mark_at(history, index)
        if mark == ">":
            break
        if mark and history.is_skipped(index):
            # A base that was left out goes up to the mark behind it.
            behind = sign_of_mark(history.text, line_start(history.text, history.checkpoints[index + 1].offset - 1))
            found["=" if behind == "=" and mark == "|" else mark] = index
            if mark == "<":
                break
    return found


def _mark_at(history: History, index: int) -> str:
    return sign_of_mark(history.text, history.checkpoints[index].offset)
