"""Rules of decoding for comments and documentation that nobody asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.decoding.brevity import begins_line
from dovetail.decoding.completion import Cause, Stop
from dovetail.decoding.finishing import mark_before
from dovetail.decoding.limits import Shape
from dovetail.decoding.named_elements import NamedState
from dovetail.decoding.verdict import End

if TYPE_CHECKING:
    from dovetail.decoding.candidate import Candidate
    from dovetail.decoding.progress import Progress
    from dovetail.decoding.verdict import Verdict

_SIGNS = frozenset(b"<=!&|+?")

_ATTRIBUTES = ' a="a" b="b" '
"""Two attributes of a tag, which fit nowhere else."""


def is_no_documentation(progress: Progress, candidate: Candidate) -> Verdict:
    """Refuse to open a documentation text while the user types: its quotes were not typed."""
    pattern, piece = progress.task.documentation, candidate.piece
    if pattern is None or piece is None or pattern.search(piece) is None:  # To ask the piece first is cheap.
        return None
    return Cause.DOCUMENTATION if begins_line(pattern, progress.text, progress.state, piece) else None


def begins_no_unasked_comment(progress: Progress, candidate: Candidate) -> Verdict:
    """Refuse a comment between the attributes of a tag, and end before one right behind a sign.

    A model that is not allowed to write `</`, or knows no attribute, goes on in a comment.
    """
    return _ends_behind_sign(progress, candidate) or _refused_in_tag(progress, candidate)


def _ends_behind_sign(progress: Progress, candidate: Candidate) -> Verdict:
    """End before a comment right behind a sign."""
    opening, piece, text = progress.task.comment_opening, candidate.piece, candidate.text
    if opening is None or piece is None or opening[-1] not in piece:  # To ask the piece first is cheap.
        return None
    at = text.find(opening, max(1, len(progress.text) - len(opening) + 1))
    if at < 0 or text[at - 1] not in _SIGNS:
        return None
    if progress.task.limits.shape is Shape.FREE:
        return Cause.COMMENT
    return End(Stop.UNFIT, piece, mark_before(progress, at))


def _refused_in_tag(progress: Progress, candidate: Candidate) -> Verdict:
    """Refuse a comment between the attributes of a tag."""
    piece, task = candidate.piece, progress.task
    if piece is None or b"/" not in piece or not isinstance(progress.state, NamedState):
        return None
    written = len(progress.text)
    signs = [sign for sign in ((task.style.comment or "").encode(), task.comment_opening) if sign]
    begins = [at for sign in signs if (at := candidate.text.find(sign, max(0, written - len(sign) + 1))) >= 0]
    before = task.start.advance(candidate.text[: min(begins)]) if begins else None
    return Cause.COMMENT if before is not None and before.advance(_ATTRIBUTES) is not None else None
