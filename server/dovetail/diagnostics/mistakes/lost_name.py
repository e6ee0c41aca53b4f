"""Lost name: one beside a dot, as in `count = .size` and `found.(all)`, or before a word, as in `for (const of a)`.

Which name it was nobody knows. Without the dot, and with a comma for it, another program would fit.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import line_start, rest_of_line
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_DOT = "."
_NAME = "x"
"""The look of a name."""
_BEHIND = re.compile(r"(?<![.?])\.[ \t]*\Z")
_ASSERTED = re.compile(r"[\w)\]](\.)\(\Z")
"""The beginning of what asserts a type in Go, where a call was meant."""
_MEMBER = re.compile(r"\.[^\W\d]")
_VALUE = re.compile(r"[\w)\]}\"'`.?][ \t]*\Z")
"""The end of a value, or a sign that goes on with a dot."""
_ENDED = ("", ";", "{", "}")
"""The last signs of lines that are whole."""
_WORD = re.compile(r"(?<![\w$.])([^\W\d]\w*)[ \t]+\Z")
_OPENER = re.compile(r"[(\[]")
"""A bracket in which a value would stand; of other signs the list of what is expected says more."""


def find_lost_name(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for a name that is lost beside the dot, or before the word, at a fault; None for anything else.

    With a name there, the line of the fault fits.
    """
    shown = None
    if (dot := _BEHIND.search(text, line_start(text, offset), offset)) and _OPENER.match(text, offset):
        place, shown, words = offset, dot.start(), f"expected a name after `{_DOT}`"
    elif asserted := _ASSERTED.search(text, line_start(text, offset), offset):
        place, shown, words = asserted.end(1), asserted.start(1), f"expected a name after `{_DOT}`"
    elif _MEMBER.match(text, offset) and (_is_operand(text, offset) or _is_behind_keyword(right, text, offset)):
        place, words = offset, f"expected a name before `{_DOT}`"
    elif (word := _WORD.search(text, line_start(text, offset), offset)) is not None:
        if word[1] not in right.lexer.compiled.literals:
            return None
        place, words = word.start(), f"expected a name before `{word[1]}`"
    else:
        return None
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:place])
    blank = " " if place < offset and shown is None else ""
    if at is None or not fits(right, at, f"{_NAME}{blank}{rest_of_line(text, place)}\n"):
        return None
    return Hint(place if shown is None else shown, words, Meant(place, place, _NAME + blank, is_sure=True))


def _is_behind_keyword(right: RightSide, text: str, dot: int) -> bool:
    """Return whether a dot stands behind a keyword, as in `return .size`."""
    word = _WORD.search(text, line_start(text, dot), dot)
    return word is not None and word[1] in right.lexer.compiled.literals


def _is_operand(text: str, dot: int) -> bool:
    """Return whether nothing that a dot may go on with stands before it, on its line or the one above."""
    if text[line_start(text, dot) : dot].strip():
        return _VALUE.search(text, line_start(text, dot), dot) is None
    return text[:dot].rstrip()[-1:] in _ENDED
