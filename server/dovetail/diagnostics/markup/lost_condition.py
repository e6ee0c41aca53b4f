"""Lost condition: the line above elements that opened a condition, as `{names.length === 0 ? (`, which is lost.

The lines that go on with it and end it, `) : (` and `)}`, are read as text of the element around them, in which the
closing brace cannot stand.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, content_at, line_column, line_end, line_start
from dovetail.diagnostics.markup.lost_loop import deeper_lines_above, line_above
from dovetail.diagnostics.markup.tags import is_in_content
from dovetail.diagnostics.reach import fits
from dovetail.diagnostics.reported import words_of_lost_line
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_END = re.compile(r"\)[ \t]*(?P<second>:[^\r\n]*)?\}")
_BETWEEN = re.compile(r"\)[ \t]*:[ \t]*\(?\Z")
_OPENER = "("
_HEADER = "{a ? ("
_LOOKS = "opens `{` and ends with `? (`"


def find_lost_condition(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the line of a condition that is lost above the line of a fault at an offset; else None.

    The line of the fault ends the condition, and goes on with it, or the nearest line above that is no deeper does.
    """
    first = content_at(text, line_start(text, offset))
    end = _END.match(text, first)
    if not right.lexer.compiled.mistakes.elements or end is None or not first <= offset < end.end():
        return None
    begin = first if end["second"] else _between(text, first)
    if begin is None or _is_opened(text, begin):
        return None
    beyond = line_end(text, content_after(text, end.end()))
    for place in deeper_lines_above(text, begin):
        at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:place])
        if at is not None and is_in_content(right, at) and fits(right, at, _HEADER + text[place:beyond]):
            words = words_of_lost_line(text, _LOOKS, end.group(), first)
            return Hint(place, words, Meant(place, place, _HEADER, is_sure=True))
    return None


def _is_opened(text: str, first: int) -> bool:
    """Return whether the nearest line above an offset that is no deeper opens a bracket in its column.

    An element between has lost its end then.
    """
    above = line_above(text, first)
    if above is None or text[above[1] - 1] != _OPENER:
        return False
    return line_column(text, above[0]) == line_column(text, first)


def _between(text: str, first: int) -> int | None:
    """Return the line between the two elements of a condition that ends at an offset; None if it is another line."""
    above = line_above(text, first)
    if above is None or _BETWEEN.match(text, *above) is None:
        return None
    return above[0] if line_column(text, above[0]) == line_column(text, first) else None
