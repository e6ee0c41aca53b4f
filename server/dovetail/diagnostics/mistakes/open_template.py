"""Open template: one that lost its last backtick, or a field of one that lost its `}`, as `${name` before a backtick.

The next backtick ends the template then, or begins another one. From there on code is read as text and text as code, up
to a place far below where that is found out.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.flaw import MIRRORED
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, line_end
from dovetail.diagnostics.reach import fits
from dovetail.lexing.lexemes import lexemes
from dovetail.parsing.configuration import Configuration
from dovetail.quotient.quoted import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.lexing.lexer import Lexer
    from dovetail.quotient.right_side import RightSide

_FIELD, _END, _BACKTICK = "${", "}", "`"
_VALUE_END = re.compile(r"(?<=[\w)\]])(?!\w)(?!(?:(?!\$\{)[^`\r\n])*\})")
"""The end of a word or a bracket, where the value in a field may end that has no brace behind it."""
_TEXT_END = re.compile(r"(?=[)\]};,]*[ \t]*(?:[\r\n]|\Z))")
"""The end of a line, or a place before what ends a statement or closes a bracket there."""
_MOST = 4
"""The most fields and templates that are tried, from the last one on."""
_MOST_PLACES = 12
"""The most places of one line that are tried."""


def find_open_template(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for a template, or a field of one, that was to end on its line, above a fault at an offset.

    With its end there the line of the fault fits. None if there is no such template.
    """
    begun = Configuration((right.stacks.bottom,), right.lexer.start)
    stop = line_end(text, content_after(text, offset))
    for opener in _nearest_first(text, list(left_open(right.lexer, text, offset))[-_MOST:]):
        is_field = text.startswith(_FIELD, opener)
        start, end = opener + len(_FIELD if is_field else _BACKTICK), _END if is_field else _BACKTICK
        before = begun.read(right.lexer, right.stacks, text[:opener])
        at = begun.read(right.lexer, right.stacks, text[:start])
        if before is None or at is None:
            continue
        ends = (_VALUE_END if is_field else _TEXT_END).finditer(text, start, line_end(text, opener))
        for place in [match.start() for match in ends][:_MOST_PLACES]:
            made = f"{text[start:place]}{end}"
            if _depth(right, at, made) <= _depth(right, before, "") and fits(right, at, f"{made}{text[place:stop]}\n"):
                words = f"{quoted(_FIELD if is_field else _BACKTICK)} is never closed"
                return Hint(opener, words, Meant(place, place, end, is_sure=True))
    return None


def _nearest_first(text: str, openers: list[int]) -> list[int]:
    """Return offsets by their lines, the last line first, and of one line in their order.

    A template begins in a field that is open because the field is: its end would leave the field open.
    """
    return sorted(openers, key=lambda opener: (-line_end(text, opener), opener))


def _depth(right: RightSide, at: Configuration, text: str) -> float:
    """Return how many modes are open after a text and a blank; without end if it does not fit."""
    after = at.read(right.lexer, right.stacks, f"{text} ")
    return math.inf if after is None else right.lexer.modes.depths[after.lexer.stack]


def left_open(lexer: Lexer, text: str, offset: int) -> Iterator[int]:
    """Yield where fields begin that are open at an offset, and templates that do not end on their line."""
    opened: list[tuple[int, str]] = []
    for start, end, terminal, _, depth in lexemes(lexer, text[:offset]):
        sign = text[start:end]
        if terminal is None:
            continue
        if depth > 0 or (sign in MIRRORED and lexer.compiled.literals[terminal] is not None):
            opened.append((start, sign))
        elif opened and (depth < 0 or sign in MIRRORED.values()):
            before, opener = opened.pop()
            if opener == _BACKTICK and line_end(text, before) < start:
                yield before
    yield from (start for start, sign in opened if sign in (_FIELD, _BACKTICK))
