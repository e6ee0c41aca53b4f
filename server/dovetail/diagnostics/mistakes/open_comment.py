"""Open comment: a comment of several lines whose end is lost, so that it takes in the code below it.

It ends where the next one does, and the text stops fitting there or further below; or it does not end at all.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.broken_lexeme import find_broken_lexeme
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, line_end, line_ends
from dovetail.diagnostics.reach import find_reach, fits
from dovetail.lexing.lexemes import lexemes
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dovetail.diagnostics.comments import Comment
    from dovetail.lexing.lexer import Lexer
    from dovetail.quotient.right_side import RightSide

_SIGNS = (("/*", "*/"), ("--[[", "]]"))
"""The signs around comments of several lines."""
COMMENTS = tuple(opener for opener, _ in _SIGNS)
_OPEN, _CLOSE = "{", "}"
_STAR = re.compile(r"\s*\*(?!/)")
_HALF_END = re.compile(r"\*(?=\}[ \t]*(?:[\r\n]|\Z))")
"""The first sign of the end of a comment, before the brace around it at the end of a line."""
_MOST_COMMENTS = 8
"""The most comments above a fault that are looked at, from the last one on."""
_MOST_READ = 30
"""The most places at which all of the text behind a comment is read."""


def find_open_comment(right: RightSide, text: str, comments: Iterable[Comment], offset: int) -> Hint | None:
    """Return the hint for a comment before a fault at an offset that is never closed, or only by the end of the next.

    `comments`: those before the fault that are closed. One that is closed counts only if the text fits beyond the fault
    with an end further up.
    """
    opened = _unclosed(right.lexer, text, offset)
    if opened is not None:
        return _closed(right, text, opened, len(text), 0)
    beyond = min(line_end(text, content_after(text, offset)), len(text))
    taken_in = [each for each in comments if _next_comment(text, *each) is not None]
    for start, end in taken_in[: -_MOST_COMMENTS - 1 : -1]:
        inner = _next_comment(text, start, end)
        hint = None if inner is None else _closed(right, text, start, inner, beyond)
        if hint is not None:
            return hint
    return None


def _unclosed(lexer: Lexer, text: str, offset: int) -> int | None:
    """Return where a comment begins that takes in the rest of a text from before an offset; None if none does."""
    if not any(text.find(opener, 0, offset) >= 0 for opener, _ in _SIGNS):
        return None
    for start, _, terminal, stack, _ in lexemes(lexer, text):
        if start >= offset:
            break
        if terminal is None and any(text.startswith(opener, start) for opener, _ in _SIGNS):
            broken = find_broken_lexeme(lexer, stack, text, start)
            return start if broken is not None and broken.is_open else None
    return None


def _next_comment(text: str, start: int, end: int) -> int | None:
    """Return where the next comment begins that is taken in by one from `start` to `end`, on a line below."""
    for opener, closer in _SIGNS:
        if text.startswith(opener, start) and text.endswith(closer, start, end):
            inner = text.find(opener, line_end(text, start), end)
            return None if inner < 0 else inner
    return None


def _ends(text: str, start: int, begin: int, stop: int) -> Iterator[int]:
    """Yield where a comment that begins at `start` may end: before the brace that closes the one around it, first."""
    for end in line_ends(text, begin, stop):
        if text[start - 1 : start] == _OPEN and text[end - 1] == _CLOSE:
            yield end - 1
        yield end


def _closed(right: RightSide, text: str, start: int, stop: int, beyond: int) -> Hint | None:
    """Return the hint for a comment at an offset that fits with an end at a line end before `stop`; None otherwise.

    Behind the end most of the text has to fit: more than up to `beyond`. Lines of a comment may begin with a star, and
    then the comment ends below none.
    """
    opener, closer = next(signs for signs in _SIGNS if text.startswith(signs[0], start))
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:start])
    if at is None:
        return None
    star = _HALF_END.search(text, start + len(opener), stop) if text[start - 1 : start] == _OPEN else None
    if star is not None and fits(right, at, f"{text[start : star.end()]} {closer}{_CLOSE}"):
        # Half of the end is there, whatever follows.
        return Hint(start, f"`{opener}` is never closed", Meant(star.end(), star.end(), f" {closer}", is_sure=True))
    best, reach, count = -1, beyond, 0
    for end in _ends(text, start, start + len(opener), stop):
        below = content_after(text, end)
        if _STAR.match(text, line_end(text, end)) or not fits(
            right, at, f"{text[start:end]} {closer}{text[end : line_end(text, below)]}\n"
        ):
            continue
        count += 1
        added = f" {closer}"
        there = end + find_reach(right, at, text[start:end] + added + text[end:]) - (end - start) - len(added)
        if there > max(reach, line_end(text, below)):
            best, reach = end, there
        if there > len(text) or count == _MOST_READ:
            break
    if best < 0:
        return None
    meant = Meant(best, best, f" {closer}", is_sure=True)
    return Hint(start, f"`{opener}` is never closed", meant)
