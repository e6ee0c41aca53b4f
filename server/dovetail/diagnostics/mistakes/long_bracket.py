"""Long bracket: the line that opens or closes a string of several lines, such as `[[` and `]]` of Lua, is lost.

Without the first one the text of the string is read as code. Without the last one the string takes in the code below
it, up to the end of the next string.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, content_at, line_end, line_ends, line_ends_above, line_start
from dovetail.diagnostics.reach import find_reach, fits
from dovetail.diagnostics.reported import words_of_lost_line
from dovetail.lexing.lexemes import lexemes
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.lexing.lexer import Lexer
    from dovetail.quotient.right_side import RightSide

_STRING = "[[\n]]"
"""The shortest string of two lines."""
_OPENER = re.compile(r"\[(=*)\[")
_CLOSING_LINE = re.compile(r"^[ \t]*(\](=*)\])", re.MULTILINE)
_CLOSER = "]"
_BREAK = re.compile(r"[\r\n]")
_BEFORE = (("a = ", ""), ("a(", "("), ("", ""))
"""Texts that may stand before the string on its line, with the bracket that they open."""
_BEHIND = ("", ")", ",")
"""Texts that may stand behind the string on its last line."""
_LONGEST = 4_000
"""The most characters of a string whose first line is lost."""
_MOST_STRINGS = 3
"""The most strings above a fault that may have taken in code."""
_FAR = 20_000
"""The most characters behind a fault that are read."""


def find_lost_long_bracket(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the lost line that opened or closed the long string at, or above, a fault; None for none."""
    string = next(lexemes(right.lexer, _STRING), None)
    if string is None or string.terminal is None or string.end < len(_STRING):
        return None
    return _lost_opener(right, text, offset) or _lost_closer(right, text, offset)


def _lost_opener(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the lost line above that of a fault, for the closing bracket below it; None for none."""
    begin = line_start(text, offset)
    closer = _CLOSING_LINE.search(text, begin, begin + _LONGEST)
    if closer is None:
        return None
    opener = f"[{closer[2]}["
    beyond = line_end(text, content_after(text, closer.end()))
    places = [end for end in line_ends_above(text, closer.start()) if closer.start() > end]
    begins = [line_start(text, end) for end in places] if begin == closer.start() else [begin]
    for first in begins:
        if opener in text[first : closer.start(1)]:
            break
        at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:first])
        for before, bracket in _BEFORE if at is not None else ():
            line = f"{before}{opener}\n"
            if at is not None and fits(right, at, f"{line}{text[first:beyond]}\n"):
                words = words_of_lost_line(text, f"opens `{bracket}{opener}`", closer[1], closer.start(1))
                return Hint(content_at(text, first), words, Meant(first, first, line, is_sure=True))
    return None


def _lost_closer(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the long string at or above a fault that lacks its last line; None for none."""
    least = line_end(text, content_after(text, offset))
    for start, stop, equals in islice(_strings(right.lexer, text, offset), _MOST_STRINGS):
        at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:start])
        if at is None:
            continue
        best: tuple[int, Meant] | None = None
        for place in line_ends(text, line_end(text, start), stop):
            beyond = line_end(text, content_after(text, place))
            for behind in _BEHIND:
                line = f"\n]{equals}]{behind}"
                if not fits(right, at, f"{text[start:place]}{line}{text[place:beyond]}\n"):
                    continue
                reach = place + find_reach(right, at, text[start:place] + line + text[place : least + _FAR])
                reach -= place - start + len(line)
                if reach > (least if least < len(text) else len(text)) and (best is None or reach > best[0]):
                    best = reach, Meant(place, place, line, is_sure=True)
        if best is not None:
            return Hint(start, f"`[{equals}[` is never closed", best[1])
    return None


def _strings(lexer: Lexer, text: str, offset: int) -> Iterator[tuple[int, int, str]]:
    """Yield the long strings up to an offset that may have taken in code, the nearest first.

    Each is given by its beginning, the offset up to which it may have been closed, and the signs in its brackets.
    """
    found: list[tuple[int, int, str]] = []
    for start, end, terminal, _, _ in lexemes(lexer, text):
        if start > offset:
            break
        opener = _OPENER.match(text, start)
        if opener is None or _CLOSER in text[opener.end() : line_end(text, start)]:
            continue  # On its line it may be closed, or lack a sign of that.
        if terminal is None or end == start + 1:
            found.append((start, len(text), opener[1]))
        elif _BREAK.search(text, start, end) and (inner := text.find(opener.group(), opener.end(), end)) >= 0:
            found.append((start, line_start(text, inner), opener[1]))
    yield from reversed(found)
