"""Lost comment: a comment of several lines whose first sign is cut or lost, so that its text is read as code."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, content_at, line_end, line_start, line_start_above
from dovetail.diagnostics.reach import fits
from dovetail.diagnostics.reported import line_and_column
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_OPENER, _CLOSER = "/*", "*/"
_CUT = re.compile(r"(?:/[ \t]+\*+|/|\\\*+)(?=[ \t\r\n])|(?://+|\*+)(?=[ \t]*[\r\n])")
"""The rest of the first sign, before blanks or alone on its line."""
_STAR = re.compile(r"[ \t]*\*(?!/)")
_MOST_LINES = 300
"""The most lines that a comment may have."""


def find_lost_comment(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for a comment around a fault whose first sign is lost, and with which the text fits.

    None if there is none.
    """
    begin = line_start(text, offset)
    closer = text.find(_CLOSER, begin)
    if closer < 0 or len(text[begin:closer].splitlines()) > _MOST_LINES:
        return None
    begin = _first_line(text, begin)
    first = content_at(text, begin)
    cut = _CUT.match(text, first)
    end = first if cut is None else cut.end()
    if _OPENER in text[end:closer] or _has_own_sign(right, text, first, closer):
        return None
    # A line with a star goes on with what a sign with two of them begins.
    below = line_start(text, content_after(text, end)) if cut is not None else line_start(text, first)
    has_stars = below < line_start(text, closer) and _STAR.match(text, below) is not None
    opener = f"{_OPENER}*" if has_stars else _OPENER
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:first])
    close = closer + len(_CLOSER)
    ends = (line_end(text, content_after(text, close)), line_end(text, close))
    if at is None or not any(fits(right, at, f"{opener} {text[end:stop]}") for stop in ends):
        return None
    meant = Meant(first, end, f"{opener} ", is_sure=True)
    if cut is not None:
        return Hint(first, f"`{cut.group()}` does not fit here; write `{opener}`", meant)
    if first == closer:
        return Hint(first, f"`{_CLOSER}` closes nothing", meant)
    line, _ = line_and_column(text, closer)
    words = f"`{text[first]}` does not fit here; perhaps `{opener}` is missing"
    return Hint(first, f"{words}, for `{_CLOSER}` on line {line} closes nothing", meant)


def _has_own_sign(right: RightSide, text: str, first: int, closer: int) -> bool:
    """Return whether the line of an end of a comment, below the one at an offset, begins as a comment of one line."""
    content, comment = content_at(text, line_start(text, closer)), right.lexer.compiled.comment
    return content > first and comment is not None and text.startswith(comment, content)


def _first_line(text: str, begin: int) -> int:
    """Return where the first line begins of those that look like lines of one comment, up to one that begins there."""
    for _ in range(_MOST_LINES):
        above = line_start_above(text, begin)
        if begin == 0 or not _STAR.match(text, begin):
            break
        is_cut = _CUT.match(text, content_at(text, above)) is not None
        if not is_cut and not _STAR.match(text, above):
            break
        begin = above
    return begin
