"""Lost loop: the line above elements that opened braces and a callback, as `{items.map((item) => (`, which is lost.

What closes them is read as text of the element around them, in which a closing brace cannot stand.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.flaw import OPENERS, find_flaw
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, content_at, line_column, line_end, line_start, rest_of_line
from dovetail.diagnostics.markup.tags import is_in_content
from dovetail.diagnostics.reach import fits
from dovetail.diagnostics.reported import line_and_column
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.quotient.right_side import RightSide

_CLOSERS = re.compile(r"[)\]}]*\}")
_BETWEEN = re.compile(r"[)\]}].*[(\[{]\Z")
_BRACKETS = re.compile(r"[()\[\]{}]")
_NAME = "a"
_ARROW = "() => "
_SIGN = "=>"
_MOST_ABOVE = 80
"""The most lines above the closing brackets in which the line further to the left is looked for."""

_CHAINED = (".", "?.")
"""The beginnings of lines that go on with the value of the line above."""


def find_lost_loop(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the closing brackets that begin the line of a fault at an offset; None if they do not.

    With a line that opens them above the deeper lines above them, the text fits beyond them.
    """
    first = content_at(text, line_start(text, offset))
    if text.startswith(_SIGN, offset - 1) and right.lexer.compiled.mistakes.elements:
        # In the text of an element no arrow stands, but in a statement of the callback.
        first = offset = _line_further_left(text, offset)
    closers = _CLOSERS.match(text, first)
    if not right.lexer.compiled.mistakes.elements or closers is None or not first <= offset <= closers.end():
        return None
    openers = [OPENERS[each] for each in reversed(closers.group())]
    opened = find_flaw(right.lexer, text[:first])
    if opened is not None and opened.is_open and opened.offset == content_at(text, line_start(text, opened.offset)):
        is_alone = not rest_of_line(text, opened.offset + 1).strip() and text[opened.offset] == openers[-1]
        if is_alone and line_column(text, opened.offset) == line_column(text, first):
            return None  # They close the bracket that has a line to itself, to which something else is lost.
    above = content_at(text, line_start(text, len(text[:first].rstrip())))
    is_doubled = text.startswith(closers.group(), above) and line_column(text, above) == line_column(text, first)
    if is_doubled or _goes_on(text, first) or _is_opened(text, first, openers):
        return None
    beyond = line_end(text, content_after(text, closers.end()))
    for place in deeper_lines_above(text, first):
        at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:place])
        if at is None or not is_in_content(right, at):
            continue
        for header in _headers(openers):
            if fits(right, at, header + text[place:beyond]):
                line, _ = line_and_column(text, first)
                words = f"perhaps a line that opens `{''.join(openers)}` is missing above this one, "
                words += f"for `{closers.group()}` on line {line} closes nothing"
                return Hint(place, words, Meant(place, place, header, is_sure=True))
    return None


def _line_further_left(text: str, offset: int) -> int:
    """Return where the first line below an offset that is further to the left begins; the end of the text for none."""
    column, place = line_column(text, offset), content_after(text, offset)
    while place < len(text) and line_column(text, place) >= column:
        place = content_after(text, place)
    return place


def _goes_on(text: str, first: int) -> bool:
    """Return whether the nearest line above closing brackets that is no deeper closes and opens one: `) : (`.

    They close what it goes on with, so an element between has lost its end.
    """
    above = line_above(text, first)
    return above is not None and _BETWEEN.match(text, *above) is not None


def _is_opened(text: str, first: int, openers: list[str]) -> bool:
    """Return whether the nearest line above closing brackets that is no deeper opens just these, in their column."""
    above = line_above(text, first)
    if above is None or line_column(text, above[0]) != line_column(text, first):
        return False
    start, end = above
    while text.startswith(_CHAINED, start) and (last := len(text[:start].rstrip())):
        start = content_at(text, line_start(text, last))  # As `{rows` above `.map((row) => (`.
    opened: list[str] = []
    for sign in _BRACKETS.findall(text, start, end):
        if sign in OPENERS:
            if opened and opened[-1] == OPENERS[sign]:
                opened.pop()
        else:
            opened.append(sign)
    return opened == openers


def line_above(text: str, first: int) -> tuple[int, int] | None:
    """Return where the nearest line above an offset that is no deeper begins and ends; None if there is none."""
    column, below = line_column(text, first), line_start(text, first)
    for _ in range(_MOST_ABOVE):
        end = len(text[:below].rstrip())
        below = line_start(text, end)
        if end == 0:
            return None
        if line_column(text, end - 1) <= column:
            return content_at(text, below), end
    return None


def _headers(openers: list[str]) -> Iterator[str]:
    """Yield the least lines that open brackets, the first of which opens a value in an element."""
    first, *others = openers
    inner = "".join(others[:-1])
    for last in (others[-1:], [f"{_ARROW}{others[-1]}"] if others else []):
        yield f"{first}{_NAME if others else ''}{inner}{''.join(last)} "
        if others and others[-1] == "{":
            yield f"{first}{_NAME if inner else ''}{inner}{''.join(last)} return "


def deeper_lines_above(text: str, first: int) -> Iterator[int]:
    """Yield where the line below the lost one begins: the deeper lines above closing brackets, down to the nearest."""
    column, below = line_column(text, first), line_start(text, first)
    found: list[int] = []
    for _ in range(_MOST_ABOVE):
        end = len(text[:below].rstrip())
        if end == 0 or line_column(text, end - 1) < column:
            break
        below = line_start(text, end - 1)
        found.append(content_at(text, below))
    yield from reversed(found)
