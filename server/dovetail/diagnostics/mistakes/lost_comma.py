"""Lost comma: the one between two values, as in `a, b = 0 []`, `f(x [])` and `a, b = b a`.

A list behind a value is read as an index, so the text stops fitting only within its brackets.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.flaw import MIRRORED, find_flaw
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import line_start, rest_of_line
from dovetail.diagnostics.misfit import wrong_lexeme
from dovetail.diagnostics.mistakes.lost_operator import is_comma_likely
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_BEFORE = re.compile(r"[\w)\]}\"'](?P<blanks>[ \t]+)\Z")
"""The end of a value and the blanks behind it. Where nothing stands between, an index is lost, or a length."""
_SEVERAL = re.compile(r"[ \t]*(?P<targets>[\w.]+(?:[ \t]*,[ \t]*[\w.]+)+)[ \t]*:?=(?!=)(?P<values>.*)\Z")
"""The beginning of a line that gives values to several variables, and the values before the offset."""
_HEADER = re.compile(r"^\S[^\r\n]*\{[ \t]*\r?$", re.MULTILINE)
"""The first line of a declaration at the margin."""
_RESULTS = re.compile(r"\)[ \t]*\([^()]*,[^()]*\)[ \t]*\{")
"""The several results of a function, at the end of its header, as in Go."""
_RETURN = re.compile(r"[ \t]*return\b")
_PLAIN = re.compile(r"[\w\"']")
_QUOTES = ("'", '"')
_OPERATOR = re.compile(r"\b(?:async|await|delete|len|new|typeof|void|yield)[ \t]+\Z")
"""A word of other languages that stands before its value."""
_COMMA = ","


def find_lost_comma(right: RightSide, text: str, start: int, offset: int) -> Hint | None:
    """Return the hint for a value at a fault, or a list before it, that a comma makes another value; None otherwise.

    Lists and braces stand in brackets, or in a line that gives as many values to several variables, and other values
    only there. Where braces are those of blocks, a bracket before them may be lost as well. `start`: where the lexeme
    at the fault begins.
    """
    place = start
    if text.startswith("]", offset) and text[:offset].rstrip(" \t").endswith("["):
        place = text.rindex("[", 0, offset)
    before = _BEFORE.search(text, line_start(text, place), place)
    has_layout = right.lexer.compiled.layout is not None
    has_words = bool(right.lexer.compiled.mistakes.closed_by)
    # Behind a text, the sign that joins two texts may be lost as well.
    is_joined = before is not None and (before.group()[0] in _QUOTES or _OPERATOR.search(text, 0, place) is not None)
    is_value = _PLAIN.match(text, place) is not None
    is_plain = is_value and (has_layout or (has_words and not is_joined) or _has_results(text, place))
    if before is None or not (is_plain or text.startswith(("[", "{") if has_layout else ("[",), place)):
        return None
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:place])
    if at is None or not fits(right, at, f"{_COMMA} {rest_of_line(text, place)}\n"):
        return None
    if not is_comma_likely(right, text, place):
        return None
    opened = find_flaw(right.lexer, text[:place])
    bracket = text[opened.offset] if opened is not None and opened.is_open else ""
    has_blocks = bool(right.lexer.compiled.blocks)
    is_block = bracket == "{" and has_blocks and not fits(right, at, f"{_COMMA}{MIRRORED[bracket]}")
    is_listed = bracket in MIRRORED and not is_block and not is_plain
    is_argument = has_words and is_plain and bracket == "(" and fits(right, at, MIRRORED[bracket])
    is_returned = (has_words if is_plain else has_layout) or _has_results(text, place)
    is_returned = is_returned and _RETURN.match(text, line_start(text, place)) is not None
    if not (is_listed or is_argument or is_returned or _lacks_value(text, place)):
        return None
    words = (
        f"{wrong_lexeme(right.lexer, at.lexer.stack, text, place, place)}; perhaps a `{_COMMA}` is missing before it"
    )
    end = before.start("blanks")
    return Hint(place, words, Meant(end, end, _COMMA, is_sure=True))


def is_next_result(text: str, place: int) -> bool:
    """Return whether a value at a place is one of several that a line lacks: it returns them, or gives them away."""
    is_returned = _RETURN.match(text, line_start(text, place)) is not None and _has_results(text, place)
    return is_returned or _lacks_value(text, place)


def _has_results(text: str, place: int) -> bool:
    """Return whether the nearest declaration above a place is that of a function with several results."""
    headers = _HEADER.findall(text, 0, place)
    return bool(headers) and _RESULTS.search(headers[-1]) is not None


def _lacks_value(text: str, place: int) -> bool:
    """Return whether a line gives fewer values to its variables up to a place than these are."""
    several = _SEVERAL.match(text, line_start(text, place), place)
    return several is not None and several["values"].count(_COMMA) < several["targets"].count(_COMMA)
