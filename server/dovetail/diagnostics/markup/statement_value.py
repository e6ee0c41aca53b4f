"""Statement as a value: `if`, `return` and the like in the braces of markup, where only values may stand."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.flaw import closer_of
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.markup.tags import is_in_content, is_in_tag
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_BRACE = "{"
_WORD = re.compile(r"[a-z]+\b")
_CHOICE = "is no value; write a condition with `&&`, or with `?` and `:`"
_LOOP = "is no value; write a call such as `items.map(...)`"
_STATEMENT = "is no value; write the statement above the element"
_FUNCTION = "is no value; write a function around it: `() => {`, and a further `}`"
_WORDS = {
    "if": _CHOICE,
    "switch": _CHOICE,
    "for": _LOOP,
    "while": _LOOP,
    "do": _LOOP,
    "const": _STATEMENT,
    "let": _STATEMENT,
    "var": _STATEMENT,
    "try": _STATEMENT,
    "throw": _STATEMENT,
}
_RETURN = "return"
_CONTENT = re.compile(r"[^\r\n]")
_VALUE = "0"


def find_statement_value(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for a statement at an offset, at which the braces of an element begin; None if there is none.

    The braces up to their end are left out.
    """
    word = _WORD.match(text, offset)
    brace = len(text[:offset].rstrip()) - 1
    if word is None or brace < 0 or text[brace] != _BRACE or not right.lexer.compiled.mistakes.elements:
        return None
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:brace])
    is_attribute = _is_attribute(right, text, brace)
    if at is None or not (is_attribute or is_in_content(right, at)):
        return None
    if word.group() == _RETURN:
        after = at.read(right.lexer, right.stacks, f"{_BRACE}{_VALUE}")
        words = f"`{_RETURN}` does not fit here; leave it out"
        return None if after is None else Hint(offset, words, Meant(offset, word.end(), "", is_sure=True))
    if word.group() not in _WORDS:
        return None
    words = f"`{word.group()}` {_FUNCTION if is_attribute else _WORDS[word.group()]}"
    closer = closer_of(right.lexer, text, brace)
    if closer is None:
        return Hint(offset, words)
    left_out = _VALUE + _CONTENT.sub(" ", text[offset + len(_VALUE) : closer])
    is_fitting = fits(right, at, f"{_BRACE}{left_out}{text[closer]}")
    return Hint(offset, words, Meant(offset, closer, left_out, is_sure=True) if is_fitting else None)


def _is_attribute(right: RightSide, text: str, brace: int) -> bool:
    """Return whether a brace begins the value of an attribute."""
    sign = len(text[:brace].rstrip()) - 1
    if sign < 0 or text[sign] != "=":
        return False
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:sign])
    return at is not None and is_in_tag(right, at)
