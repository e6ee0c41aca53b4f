"""Lost closing line: the one with `});` below an object in a call, or with `) {` below parameters of their own lines.

The line below it is read as a further entry, or as a further parameter, which it does not fit. Below a member of an
object that lacks its `},` other members are read as statements.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.flaw import MIRRORED, OPENERS, brackets_of
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, content_at, line_column, line_end, line_start
from dovetail.diagnostics.markup.tags import is_in_content
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.quotient.right_side import RightSide

_BODY = ") {"
_ENDS = ("", ";", ",")
"""The ends of a statement, and of a member of an object."""
_MEMBER = "},"
"""The end of a member of an object that is a function, or an object."""
_MEMBER_BRACE = "{"
_MOST_AROUND = 3
"""The most brackets around the innermost one that are looked at."""
_PARAMETERS = re.compile(r"[\w>\]][ \t]*\($")
"""The end of a line that begins parameters, each on a line of its own."""


def find_lost_closing_line(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the line that is lost above that of a fault, or above the next one; None if none is.

    Columns tell it for brackets that one line has opened: the next line that is no deeper stands behind them. The line
    below parameters is as deep as these.
    """
    compiled = right.lexer.compiled
    if compiled.layout is not None or not compiled.blocks:
        return None
    opened = brackets_of(right.lexer, text[: line_start(text, offset)]).opened
    if not opened or any(sign not in MIRRORED for _, sign in opened):
        return None
    last = opened[-1][0]
    here = [place for place, _ in opened if place >= line_start(text, last)]
    if text[last + 1 : line_end(text, last)].strip():
        return None
    lost = [(last, below, closers) for below, closers in _lost(text, offset, here)]
    for place, below, closers in (*lost, *_members(text, offset, opened[: -len(here)])):
        end = len(text[:below].rstrip())
        is_around = line_column(text, below) < line_column(text, place)
        if end <= place + 1 or (text[below] in OPENERS and not is_around):
            continue  # It may close what the line has opened.
        at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:end])
        if at is None or is_in_content(right, at):
            continue
        beyond = line_end(text, content_after(text, line_end(text, offset)))
        for each in _ENDS if closers not in (_BODY, _MEMBER) else _ENDS[:1]:
            if fits(right, at, f"\n{closers}{each}{text[end:beyond]}\n"):
                words = f"perhaps a line with `{closers}` is missing above this one"
                return Hint(below, words, Meant(end, end, f"\n{closers}{each}", is_sure=True))
    return None


def _members(text: str, offset: int, opened: list[tuple[int, str]]) -> Iterator[tuple[int, int, str]]:
    """Yield each brace around a fault that a line above it, which is no deeper, should stand behind; and that line."""
    line = content_at(text, line_start(text, offset))
    for place, sign in opened[: -_MOST_AROUND - 1 : -1]:
        column = line_column(text, place)
        is_last = not text[place + 1 : line_end(text, place)].strip()
        below = next((each for each in _lines_below(text, place, line) if line_column(text, each) <= column), None)
        if sign == _MEMBER_BRACE and is_last and below is not None:
            yield place, below, _MEMBER


def _lost(text: str, offset: int, opened: list[int]) -> Iterator[tuple[int, str]]:
    """Yield where the line below a lost one may begin, at or right above a fault, and what was lost."""
    last = opened[-1]
    column = line_column(text, last)
    line = content_at(text, line_start(text, offset))
    above = content_at(text, line_start(text, len(text[: line_start(text, offset)].rstrip())))
    below = next((each for each in _lines_below(text, last, line) if line_column(text, each) <= column), None)
    if len(opened) > 1:
        closers = "".join(MIRRORED[text[place]] for place in reversed(opened))
        if below is not None and below in (line, above):
            yield below, closers
    elif below is not None and text[last] == _MEMBER_BRACE:
        # The next members may be read as labels and calls.
        yield below, _MEMBER
    elif _PARAMETERS.search(text, line_start(text, last), last + 1) and line_column(text, line) > column:
        yield line, _BODY


def _lines_below(text: str, offset: int, last: int) -> Iterator[int]:
    """Yield where the content begins of each line below an offset, down to the line with its content at `last`."""
    place = content_after(text, line_end(text, offset))
    while place <= last < len(text):
        yield place
        place = content_after(text, line_end(text, place))
