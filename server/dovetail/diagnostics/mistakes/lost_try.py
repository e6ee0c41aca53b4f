"""Lost try: a part that goes on with a statement whose first line is lost, as `except` without `try`.

Its block may still be there, deeper than the lines around it. Columns show it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, content_at, line_column, line_end, line_start
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dovetail.quotient.right_side import RightSide

_WORD = re.compile(r"[^\W\d]\w*")
_MOST_LINES = 200
"""The most lines that the block may have."""


def find_lost_try(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for a word at a fault, or below the deeper lines there, whose statement lacks its first line.

    With that line, and perhaps a block, the line of the word fits, and the next one. None where columns mean nothing.
    """
    compiled = right.lexer.compiled
    if compiled.layout is None or offset >= len(text):
        return None
    for begin, word in _parts(text, content_at(text, line_start(text, offset)), compiled.literals):
        hint = _of_part(right, text, begin, word)
        if hint is not None:
            return hint
    return None


def _of_part(right: RightSide, text: str, begin: int, word: str) -> Hint | None:
    """Return the hint for a word at an offset whose statement lacks its first line; None for others."""
    blanks = text[line_start(text, begin) : begin]
    stops = (line_end(text, content_after(text, begin)), line_end(text, begin))
    openers = [word for word in right.lexer.compiled.literals if word is not None and word.isalpha()]
    for top, block in ((_top(text, begin), ""), (line_start(text, begin), f"{blanks} 0\n")):
        at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:top])
        if at is None or fits(right, at, f"{blanks}{word} ") or not fits(right, at, f"{blanks}0\n"):
            continue
        for opener in openers:
            header = f"{blanks}{opener}:\n"
            if fits(right, at, header) and any(fits(right, at, f"{header}{block}{text[top:stop]}\n") for stop in stops):
                meant = Meant(top, top, f"{header}{block}", is_sure=True)
                return Hint(begin, f"`{word}` has no `{opener}`", meant)
    return None


def _parts(text: str, content: int, literals: Sequence[str | None]) -> Iterator[tuple[int, str]]:
    """Yield the offsets of the keyword at an offset, and of the one below the lines from there on, and the words."""
    begin = content
    for _ in range(_MOST_LINES):
        word = _WORD.match(text, begin)
        is_left = _is_left(text, begin, content)
        if word is not None and word.group() in literals and (begin == content or is_left):
            yield begin, word.group()
        if is_left:
            return
        begin = content_after(text, begin)
        if begin == len(text):
            return


def _is_left(text: str, begin: int, content: int) -> bool:
    """Return whether a line stands further to the left than another one."""
    return line_column(text, begin) < line_column(text, content)


def _top(text: str, begin: int) -> int:
    """Return where the first of the deeper lines right above a line begins; the beginning of the line if none is."""
    top = start = line_start(text, begin)
    for _ in range(_MOST_LINES):
        above = len(text[:start].rstrip())
        if above == 0:
            break
        start = line_start(text, above - 1)
        if line_column(text, content_at(text, start)) <= line_column(text, begin):
            break
        top = start
    return top
