"""Merge conflict: the lines by which version control marks two sides of a text, of which one is to be kept."""

from __future__ import annotations

import re

from dovetail.diagnostics.flaw import MIRRORED
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import line_end, line_start
from dovetail.diagnostics.reported import line_and_column

_MARK = re.compile(r"(?:<{7}|\|{7}|={7}|>{7})(?![^ \r\n])")
_SIDES = re.compile(r"(?:\A|(?<=[\r\n]))(?:\|{7}|={7})(?![^ \r\n])")
_FIRST = re.compile(r"(?:\A|(?<=[\r\n]))<{7}(?![^ \r\n])")
_LAST = re.compile(r"(?:\A|(?<=[\r\n]))>{7}(?![^ \r\n])[^\r\n]*")
_CONTENT = re.compile(r"[^\r\n]")


def find_conflict(text: str, offset: int) -> Hint | None:
    """Return the hint for a line that marks a conflict and has an offset in it; None for any other line.

    The first side is what is meant, without the marks. A mark without the others is left out, and of a conflict without
    its first mark the second side, unless a bracket is open in it.
    """
    start = line_start(text, offset)
    if _MARK.match(text, start) is None:
        return None
    last = _LAST.search(text, start) if text[start] in "<=" else None
    other = _SIDES.search(text, start, last.start()) if last is not None else None
    if last is not None and text[start] == "=" and _FIRST.search(text, start, last.start()):
        last = None
    if last is None or other is None:
        end = line_end(text, start)
        words = "this line is a mark of a merge conflict; leave it out"
        return Hint(start, words, Meant(start, end, _blank(text[start:end]), is_sure=True))
    line, _ = line_and_column(text, last.start())
    kept = line_end(text, start)
    if text[start] == "=":
        # Its first mark is lost, so what stands above is the first side, and the whole of it is not known.
        second = text[kept : last.start()]
        is_whole = all(second.count(opener) == second.count(closer) for opener, closer in MIRRORED.items())
        meant = _blank(text[start:kept]) + (_blank(second) if is_whole else second) + _blank(last.group())
        words = f"the rest of a merge conflict, up to line {line}; keep one of its sides, and leave out the marks"
        return Hint(start, words, Meant(start, last.end(), meant, is_sure=True))
    meant = _blank(text[start:kept]) + text[kept : other.start()] + _blank(text[other.start() : last.end()])
    words = f"a merge conflict, up to line {line}; keep one of its sides, and leave out the marks"
    return Hint(start, words, Meant(start, last.end(), meant, is_sure=True))


def _blank(lines: str) -> str:
    return _CONTENT.sub(" ", lines)
