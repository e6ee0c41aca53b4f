"""The comma right behind the cursor: it ends the item of a list that the cursor stands in.

A text with a comma of its own leaves that one to another item, which nobody asked for: `{"a": |, "b": 1}` would become
`{"a": 1, "c": 2, "b": 1}`. So the text ends before its comma.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.decoding.completion import Stop
from dovetail.decoding.limits import Shape
from dovetail.decoding.progress import Mark
from dovetail.decoding.verdict import End

if TYPE_CHECKING:
    from dovetail.decoding.candidate import Candidate
    from dovetail.decoding.progress import Progress
    from dovetail.decoding.verdict import Verdict

_COMMA = b","
_NO_PROSE = b",\n"
"""A comma and a line end, which no string of one line has."""


def ends_before_comma(progress: Progress, candidate: Candidate) -> Verdict:
    """End before a comma between two items where one stands behind the cursor, if the text may stop there."""
    piece, task = candidate.piece, progress.task
    if not task.comma_behind or piece is None or _COMMA not in piece or task.limits.shape is Shape.FREE:
        return None
    at = -1
    while (at := piece.find(_COMMA, at + 1)) >= 0:
        state = progress.state.advance(piece[:at]) if at else progress.state
        if state is None or state.enclosure.depth != task.start.enclosure.depth or state.advance(_NO_PROSE) is None:
            continue
        length = len(progress.text) + at
        if progress.may_stop(candidate.text[:length], state):
            return End(Stop.FOLLOWING, piece, Mark(length, state, None))
    return None
