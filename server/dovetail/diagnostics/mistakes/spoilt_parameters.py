"""Spoilt parameters: those with another sign in the place of a comma, as `(a. b) => {` and `(a; b) => {`.

The former are read as a value in brackets, and only the arrow behind them does not fit.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.flaw import closer_of, find_flaw
from dovetail.diagnostics.hint import Hint, Meant, remedy
from dovetail.diagnostics.line_places import line_end
from dovetail.diagnostics.reach import fits
from dovetail.lexing.lexemes import lexemes
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_ARROW, _OPENER, _CLOSER, _COMMA, _END = "=>", "(", ")", ",", ";"
_LISTS = frozenset("([")
_ANY_TYPE = ": a[]"
"""The look of a type, which no value has, behind its sign."""
_TYPE = re.compile(r"[ \t]*(?:[A-Z]|(?:any|boolean|number|object|string|unknown|void)\b)")
_LAST = re.compile(r"[ \t]*[)\]]")


def find_spoilt_parameters(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the arrow at an offset if its parameters fit with one sign exchanged for a comma; else None.

    What ends a statement may stand at the offset itself, in brackets that are closed on its line.
    """
    if text.startswith(_END, offset):
        return _exchanged(right, text, offset, _END, offset) if _is_in_list(right, text, offset) else None
    before = text[:offset].rstrip()
    if not text.startswith(_ARROW, offset) or not before.endswith(_CLOSER):
        return None
    signs = _signs(right, text, len(before))
    hints = (_exchanged(right, text, place, sign, offset) for place, sign in signs)
    return next((hint for hint in hints if hint is not None), None)


def _exchanged(right: RightSide, text: str, place: int, sign: str, offset: int) -> Hint | None:
    """Return the hint for a sign at a place if the line of an offset fits with a comma instead; None otherwise."""
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:place])
    rest = text[place + len(sign) : line_end(text, offset)]
    # Before the end of a list there is nothing that a comma could part.
    instead = " " if _LAST.match(rest) else _COMMA
    if at is not None and _TYPE.match(rest) and _may_have_type(right, at) and fits(right, at, f":{rest}\n"):
        instead = _ANY_TYPE[0]
    if at is None or not fits(right, at, f"{instead}{rest}\n"):
        return None
    meant = Meant(place, place + len(sign), instead, is_sure=True)
    return Hint(place, f"`{sign}` does not fit here; {remedy(instead)}", meant)


def _may_have_type(right: RightSide, at: Configuration) -> bool:
    """Return whether a type may follow at a configuration; where columns make blocks, types look like values."""
    return right.lexer.compiled.layout is not None or fits(right, at, _ANY_TYPE)


def _is_in_list(right: RightSide, text: str, offset: int) -> bool:
    """Return whether an offset stands in round or square brackets that are closed on its line."""
    opened = find_flaw(right.lexer, text[:offset])
    if opened is None or not opened.is_open or text[opened.offset] not in _LISTS:
        return False
    closer = closer_of(right.lexer, text, opened.offset)
    return closer is not None and closer <= line_end(text, offset)


def _signs(right: RightSide, text: str, end: int) -> list[tuple[int, str]]:
    """Return the signs, with their offsets, in the bracket that is closed at the end of a part of a text."""
    opened: list[list[tuple[int, str]]] = []
    found: list[tuple[int, str]] = []
    for start, stop, terminal, _, _ in lexemes(right.lexer, text[:end]):
        sign = "" if terminal is None else text[start:stop].strip()
        if sign == _OPENER:
            opened.append([])
        elif sign == _CLOSER and opened:
            found = opened.pop()
        elif sign and opened and sign != _COMMA and not any(each.isalnum() or each in "\"'`_$()[]{}" for each in sign):
            opened[-1].append((start, sign))
    return found
