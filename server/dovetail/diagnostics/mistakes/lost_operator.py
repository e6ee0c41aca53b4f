"""Lost operator: the sign between two values that stand side by side, where commas separate none.

A comma would make another program of them, as in `rows[index 1]`, `${index 1}` and `(a b)`. Two blanks between them
stood around an operator, too: no blank stands before a comma.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from dovetail.diagnostics.flaw import MIRRORED, OPENERS, closer_of
from dovetail.diagnostics.line_places import goes_deeper, line_start, rest_of_line
from dovetail.diagnostics.reach import fits
from dovetail.lexing.lexemes import lexemes
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_COMMA = ","
_OPERATOR = "+"
_VALUE = "0"
_OPERAND = re.compile(r"[\w\"'$]")
_BEFORE = re.compile(r"[\w)\]}\"'`](?P<blanks>[ \t]+)\Z")
"""The end of a value and the blanks behind it."""
_CALLED = re.compile(r"(?<![\w$])([^\W\d][\w$]*)\s*\Z")
_GLUED = re.compile(r"[\w$)\]}\"'`]\Z")
_GOES_ON = re.compile(r"\)\s*(?:=>|\{|:)")
"""The end of parameters, and what follows it."""
_LOST = "perhaps an operator is missing before it"


class _Innermost(NamedTuple):
    """A bracket that is open at an offset."""

    offset: int
    sign: str
    is_field: bool
    """True for one in a text or an element, as that of `${`."""
    has_comma: bool
    """True if a comma stands in it, and in no other one, before the offset."""


def is_comma_likely(right: RightSide, text: str, offset: int) -> bool:
    """Return whether a comma may be what is lost between the values before and behind an offset.

    It is not behind several blanks, above a deeper line, in a field of a text, and in an index or a parenthesis with
    one value.
    """
    before = _BEFORE.search(text, line_start(text, offset), offset)
    if before is not None and len(before["blanks"]) > 1:
        return False
    if not text[line_start(text, offset) : offset].strip() and goes_deeper(text, len(text[:offset].rstrip())):
        return False
    bracket = _innermost(right, text[:offset])
    if bracket is None or bracket.sign == "{":
        return bracket is None or not bracket.is_field
    return bracket.has_comma or _is_list(right, text, bracket)


def is_in_field(right: RightSide, text: str, offset: int) -> bool:
    """Return whether the innermost bracket that is open at an offset is that of a value in a text."""
    bracket = _innermost(right, text[:offset])
    return bracket is not None and bracket.is_field


def words_of_lost_operator(right: RightSide, at: Configuration, text: str, offset: int) -> str:
    """Return the end of a message about the value at an offset, behind another one; empty if no operator joins them.

    `at`: the configuration there. Which operator is lost nobody knows.
    """
    is_behind = _BEFORE.search(text, line_start(text, offset), offset) is not None
    if not is_behind or not _OPERAND.match(text, offset) or is_comma_likely(right, text, offset):
        return ""
    bracket = _innermost(right, text[:offset])
    if bracket is None or (bracket.sign == "{" and not bracket.is_field):
        return ""  # In a statement the sign of an assignment is as likely.
    return _LOST if fits(right, at, f"{_OPERATOR} {rest_of_line(text, offset)}\n") else ""


def _is_list(right: RightSide, text: str, bracket: _Innermost) -> bool:
    """Return whether a parenthesis or a square bracket with one value may be that of a list: no group, and no index."""
    if bracket.sign == "[":
        return _GLUED.search(text, 0, bracket.offset) is None
    called = _CALLED.search(text, 0, bracket.offset)
    is_called = called is not None and called[1] not in right.lexer.compiled.literals
    if is_called or _GLUED.search(text, 0, bracket.offset) is not None:
        return True
    at = Configuration((right.stacks.bottom,), right.lexer.start)
    begun = at.read(right.lexer, right.stacks, text[: bracket.offset + 1])
    if begun is None or not fits(right, begun, _VALUE):
        return True
    closer = closer_of(right.lexer, text, bracket.offset)
    return closer is not None and _GOES_ON.match(text, closer) is not None


def _innermost(right: RightSide, text: str) -> _Innermost | None:
    """Return the innermost bracket that is open at the end of a text; None if there is none."""
    opened: list[_Innermost] = []
    literals = right.lexer.compiled.literals
    for start, end, terminal, _, depth in lexemes(right.lexer, text):
        sign = text[start:end].strip()
        is_bracket = depth != 0 or (terminal is not None and literals[terminal] is not None)
        if depth > 0 or (is_bracket and sign in MIRRORED):
            is_field = sign not in MIRRORED or (bool(opened) and opened[-1].sign not in MIRRORED)
            opened.append(_Innermost(start, sign[-1:], is_field, has_comma=False))
        elif depth < 0 or (is_bracket and sign in OPENERS):
            if opened:
                opened.pop()
        elif sign == _COMMA and opened:
            opened[-1] = opened[-1]._replace(has_comma=True)
    return opened[-1] if opened else None
