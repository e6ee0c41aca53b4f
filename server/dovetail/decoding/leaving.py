"""The place inside of a token where a text leaves the bracket or the string around the cursor.

One token may close an enclosure and open another, as `}.{` in a formatted string and `", "` in a string do. After it
the text is as deep as before, but not in the same enclosure.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.decoding.progress import Mark

if TYPE_CHECKING:
    from dovetail.decoding.candidate import Candidate
    from dovetail.decoding.progress import Progress

_RUN = re.compile(rb"([^\w\s])\1*")
"""A closing delimiter inside of a token: a punctuation mark, maybe repeated, as in triple quotes."""


def find_exit(progress: Progress, candidate: Candidate) -> Mark | None:
    """Return the end of what a candidate writes inside of the bracket or the string around the cursor.

    None if it does not leave it. The text may be no program at that place.
    """
    extent, piece, after = progress.extent, candidate.piece, candidate.state
    if not extent.depth:
        return None
    assert piece, "a token that adds no text leaves nothing"
    assert after is not None, "a token that does not fit leaves nothing"
    start = progress.state
    leaves = extent.leaves_bracket(after.enclosure)
    if len(piece) > 1:
        for run in _RUN.finditer(piece):
            end = run.end()
            passed = after if end == len(piece) else start.advance(piece[:end])
            if passed is not None and extent.leaves_bracket(passed.enclosure):
                inside = start.advance(piece[: run.start()]) if run.start() else start
                if inside is not None:
                    return Mark(len(progress.text) + run.start(), inside, None)
    return Mark(len(progress.text), start, None) if leaves else None
