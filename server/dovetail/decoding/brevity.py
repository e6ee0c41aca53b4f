"""Brevity: what a text may be while the user types, and has not asked by hand.

It has at most three lines, unless the syntax asks for a block, and it opens no documentation text: whoever wants one
types its quotes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.decoding.extent import Kind

if TYPE_CHECKING:
    from dovetail.decoding.constraint import ConstraintState
    from dovetail.decoding.extent import Extent
    from dovetail.decoding.task import Task

LINES = 3
"""The most lines of a text, blank ones before the first not counted."""

_BLOCK_OR_FREE = (Kind.BLOCK, Kind.FREE)

_LINES = re.compile(rb"\s*+(?:[^\r\n]*(?:\r\n|[\r\n])){%d}[^\r\n]*(?=[\r\n])" % (LINES - 1))


def is_bounded(task: Task, extent: Extent) -> bool:
    """Return whether a text may have no more than `LINES` lines."""
    return task.typing and extent.kind not in _BLOCK_OR_FREE


def end_of_lines(text: bytes) -> int | None:
    r"""Return where the last line ends that a text may have; None if the text does not go beyond it.

    >>> end_of_lines(b"\na\nb\nc\n"), end_of_lines(b"\na\nb\nc")
    (6, None)
    """
    match = _LINES.match(text)
    return None if match is None else match.end()


def begins_line(pattern: re.Pattern[bytes], text: bytes, state: ConstraintState, piece: bytes) -> bool:
    """Return whether a pattern matches where the last line of a text begins that a piece goes on.

    A line in a bracket or a long string is none. `state` is the one before the piece.
    """
    if b"\n" not in piece and b"\r" not in piece:
        if state.enclosure.blank is None:
            return False
        return pattern.match((text + piece)[_start(text) :].lstrip()) is not None
    start = _start(piece)
    if pattern.match(piece[start:].lstrip()) is None:
        return False
    there = state.advance(piece[:start])
    return there is not None and there.enclosure.blank is not None


def _start(text: bytes) -> int:
    """Return where the last line of a text begins."""
    return max(text.rfind(b"\n"), text.rfind(b"\r")) + 1
