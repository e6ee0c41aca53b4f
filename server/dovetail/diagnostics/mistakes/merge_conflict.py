"""Merge conflict: the lines by which version control marks two sides of a text, of which one is to be kept."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from dovetail.diagnostics.flaw import MIRRORED
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, line_end, line_start
from dovetail.diagnostics.reach import fits
from dovetail.diagnostics.reported import line_and_column
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.quotient.right_side import RightSide

_MARK = re.compile(r"(?:\A|(?<=[\r\n]))(?:<{7}|\|{7}|={7}|>{7})(?![^ \r\n])[^\r\n]*")
_ORDER = "<|=>"
"""The signs of the marks, in the order in which a conflict has them."""
_CONTENT = re.compile(r"[^\r\n]")
_LINE_END = re.compile(r"(?<=\n)|(?<=\r)(?!\n)")


def find_conflict(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for a line that marks a conflict and has an offset in it; None for any other line.

    The first side is what is meant, without the marks. A mark without the others is left out. Of a conflict that has
    lost some of its marks that part is meant with which the text fits, as far as its sides are known.
    """
    start = line_start(text, offset)
    marks = _marks(text, start)
    if not marks:
        return None
    (first, end), last = marks[0], marks[-1][1]
    if len(marks) == 1:
        words = "this line is a mark of a merge conflict; leave it out"
        return Hint(first, words, Meant(first, end, _blank(text[first:end]), is_sure=True))
    signs = "".join(text[begin] for begin, _ in marks)
    parts = [text[begin:stop] for (_, begin), (stop, _) in pairwise(marks)]
    whole = signs.startswith("<") and signs.endswith("=>")
    choices = [_joined(text, marks, kept) for kept in ([_only_first(parts)] if whole else _choices(signs, parts))]
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:first])
    below = text[last : line_end(text, content_after(text, last))]
    fitting = (meant for meant in choices if at is not None and fits(right, at, meant + below))
    line, _ = line_and_column(text, marks[-1][0])
    words = f"{'a' if whole else 'the rest of a'} merge conflict, up to line {line}"
    words += "; keep one of its sides, and leave out the marks"
    return Hint(first, words, Meant(first, last, next(fitting, choices[0]), is_sure=True))


def _marks(text: str, start: int) -> list[tuple[int, int]]:
    """Return where the marks of a conflict begin and end from one at the beginning of a line on; empty without one."""
    marks: list[tuple[int, int]] = []
    for found in _MARK.finditer(text, start):
        if (not marks and found.start() > start) or (marks and _rank(text, found.start()) <= _rank(text, marks[-1][0])):
            break
        marks.append(found.span())
    return marks


def _rank(text: str, offset: int) -> int:
    return _ORDER.index(text[offset])


def _choices(signs: str, parts: list[str]) -> Iterator[list[str]]:
    """Yield what may be meant by the parts between the marks of a conflict that has lost some, the likeliest first.

    `signs`: the signs of its marks.
    """
    nothing = [_blank(part) for part in parts]
    if not signs.endswith(">"):
        # What stands below is the second side, and where it ends is not known.
        yield from (nothing, parts)
    elif not signs.startswith("<"):
        # What stands above is the first side, and where it begins is not known.
        second = [*nothing[:-1], parts[-1]]
        yield from (nothing, second) if not any(_depths(parts[-1])) else (second, nothing)
    else:
        # The mark between the sides is lost. Both may stand below each other, unless brackets are open in them.
        lines = _LINE_END.split(parts[0])
        sides = [("".join(lines[:count]), "".join(lines[count:])) for count in range(1, len(lines))]
        halves = [[side + _blank(other), *nothing[1:]] for side, other in sides if _depths(side) == _depths(other)]
        both = _only_first(parts)
        yield from (*halves, both, nothing) if any(_depths(parts[0])) else (both, *halves, nothing)


def _only_first(parts: list[str]) -> list[str]:
    return [parts[0], *map(_blank, parts[1:])]


def _depths(lines: str) -> list[int]:
    """Return how many brackets of each kind lines open and do not close."""
    return [lines.count(opener) - lines.count(closer) for opener, closer in MIRRORED.items()]


def _joined(text: str, marks: list[tuple[int, int]], kept: list[str]) -> str:
    """Return the text from the first mark to the last one with blanks for the marks, and with what is kept between."""
    blanks = [_blank(text[begin:end]) for begin, end in marks]
    return "".join(mark + part for mark, part in zip(blanks, [*kept, ""], strict=True))


def _blank(lines: str) -> str:
    return _CONTENT.sub(" ", lines)
