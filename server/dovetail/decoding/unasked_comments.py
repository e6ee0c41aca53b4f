"""Rules of decoding for comments and documentation that nobody asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.decoding.brevity import begins_line
from dovetail.decoding.completion import Cause, Stop
from dovetail.decoding.finishing import mark_before
from dovetail.decoding.limits import Shape
from dovetail.decoding.verdict import End

if TYPE_CHECKING:
    from dovetail.decoding.candidate import Candidate
    from dovetail.decoding.progress import Progress
    from dovetail.decoding.verdict import Verdict

_SIGNS = frozenset(b"<=!&|+?")


def is_no_documentation(progress: Progress, candidate: Candidate) -> Verdict:
    """Refuse to open a documentation text while the user types: its quotes were not typed."""
    pattern, piece = progress.task.documentation, candidate.piece
    if pattern is None or piece is None or pattern.search(piece) is None:  # To ask the piece first is cheap.
        return None
    return Cause.DOCUMENTATION if begins_line(pattern, progress.text, progress.state, piece) else None


def begins_no_comment_behind_sign(progress: Progress, candidate: Candidate) -> Verdict:
    """End before a comment right behind a sign: a model that is not allowed to write `</` goes on in one."""
    opening, piece, text = progress.task.comment_opening, candidate.piece, candidate.text
    if opening is None or piece is None or opening[-1] not in piece:  # To ask the piece first is cheap.
        return None
    at = text.find(opening, max(1, len(progress.text) - len(opening) + 1))
    if at < 0 or text[at - 1] not in _SIGNS:
        return None
    if progress.task.limits.shape is Shape.FREE:
        return Cause.COMMENT
    return End(Stop.UNFIT, piece, mark_before(progress, at))
