"""Lost question: the first sign of a condition such as `a ? b : c` that is lost, doubled or another one.

Over several lines the text stops fitting only at the second sign, which often begins a line of its own.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.flaw import MIRRORED, OPENERS, signs
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, content_at, line_end, line_start
from dovetail.diagnostics.reach import fits
from dovetail.diagnostics.reported import line_and_column
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.quotient.right_side import RightSide

_FIRST, _SECOND, _DOUBLED = "?", ":", "??"
_JOINS = ("&&", "||")
"""The signs that have one value behind them, where a condition has two."""
_MOST_LINES = 20
"""Lines above the second sign that are looked at for the place of the first."""

_AS_SIGN = re.compile(r"[)\]}]?[ \t]*:")
"""The beginning of a line that goes on with a condition."""


def find_lost_question(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the sign of a condition that is lost, doubled or another one, before the second at an offset.

    None if there is none.
    """
    literals = right.lexer.compiled.literals
    begin = content_at(text, line_start(text, offset))
    if not text.startswith(_SECOND, offset) or not {_FIRST, _DOUBLED}.issubset(literals):
        return None
    if _AS_SIGN.fullmatch(text, begin, offset + 1) is None:
        return _find_doubled(right, text, offset) or _find_joined(right, text, offset)
    stops = (line_end(text, content_after(text, offset)), line_end(text, offset))
    doubled = _find_doubled(right, text, offset)
    if doubled is not None:
        return doubled
    for above in _lines_above(text, begin):
        at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:above])
        if at is not None and any(fits(right, at, f"{_FIRST} {text[above:stop]}\n") for stop in stops):
            line, _ = line_and_column(text, offset)
            words = f"perhaps a `{_FIRST}` is missing here, for `{_SECOND}` on line {line} has none"
            return Hint(above, words, Meant(above, above, f"{_FIRST} ", is_sure=True))
    return _find_joined(right, text, offset)


def _lines_above(text: str, begin: int) -> Iterator[int]:
    """Give the content of the line above one, and of further ones that are as deep, which have a condition between."""
    column, above = begin - line_start(text, begin), begin
    for number in range(_MOST_LINES):
        above = content_at(text, line_start(text, len(text[:above].rstrip())))
        if not text[:above].strip() or (number and above - line_start(text, above) < column):
            return
        if not text.startswith((_FIRST, _SECOND), above):
            yield above


def _find_doubled(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for a doubled sign before the second sign of a condition that was meant for the first."""
    start, _ = _last_before(right, text, offset, (_DOUBLED,))
    if start < 0:
        return None
    end = start + len(_DOUBLED)
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:start])
    stops = (line_end(text, content_after(text, offset)), line_end(text, offset))
    if at is None or not any(fits(right, at, f"{_FIRST} {text[end:stop]}\n") for stop in stops):
        return None
    words = f"`{_DOUBLED}` does not fit here; perhaps it should be `{_FIRST}`"
    return Hint(start, words, Meant(start, end, _FIRST, is_sure=True))


def _find_joined(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for a sign such as `&&` before the second sign of a condition that was meant for the first."""
    start, sign = _last_before(right, text, offset, _JOINS)
    value = content_after(text, offset)
    if start < 0 or not text[offset + 1 : line_end(text, offset)].strip(" \t{"):
        return None  # What ends its line is the end of a header in other languages.
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:start])
    stops = (line_end(text, value), line_end(text, offset))
    if at is None or not any(fits(right, at, f"{_FIRST}{text[start + len(sign) : stop]}\n") for stop in stops):
        return None
    line, _ = line_and_column(text, offset)
    above, _ = line_and_column(text, start)
    there = f" on line {line}" if above < line else ""
    words = f"perhaps `{sign}` should be `{_FIRST}`, for `{_SECOND}`{there} has none before it"
    return Hint(start, words, Meant(start, start + len(sign), _FIRST, is_sure=True))


def _last_before(right: RightSide, text: str, offset: int, wanted: tuple[str, ...]) -> tuple[int, str]:
    """Return the last of some signs before another one in the same bracket, with its offset; -1 for none."""
    found = [(-1, "")]
    for start, written in signs(right.lexer, text[:offset]):
        sign = written.strip()
        if sign in MIRRORED:
            found.append((-1, ""))
        elif sign in OPENERS and len(found) > 1:
            found.pop()
        elif sign in wanted:
            found[-1] = start, sign
    return found[-1]
