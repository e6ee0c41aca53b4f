"""Block of keys: an object that is read as a block, whose keys are labels then, as in `() => { a: 1, b: 2 }`.

The text stops fitting at the second key, or at the comma behind the value of the last.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.flaw import brackets_of, closer_of, find_flaw
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, line_end, line_start, rest_of_line
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_ARROW, _RETURN, _BRACE = "=>", "return", "{"
_KEY = re.compile(r"\{\s*(?:[A-Za-z_$][\w$]*|\"[^\"\r\n]*\"|'[^'\r\n]*')\s*:(?!:)")
_ENDED = re.compile(r"\}[ \t]*\)+\Z")
"""The end of braces, before the parentheses behind them."""
_METHOD = re.compile(r"\{\s*(?:async[ \t]+)?([A-Za-z_$][\w$]*)[ \t]*\([^()\r\n]*\)[ \t]*\{")
"""The beginning of an object with a method, which in a block is a call before a brace."""


def find_block_of_keys(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for braces around a fault at an offset that fit as those of an object; None if there are none.

    They stand behind an arrow, where an object needs parentheses, or have a line to themselves, where a word is lost.
    """
    if not {_ARROW, _RETURN}.issubset(right.lexer.compiled.literals):
        return None
    begin = _brace_before(right, text, offset)
    if begin is None:
        opened = find_flaw(right.lexer, text[:offset])
        if opened is None or not opened.is_open:
            return None
        begin = opened.offset
    is_function = text[:begin].rstrip().endswith(_ARROW)
    if _KEY.match(text, begin) is None and (is_function or not _begins_with_method(right, text, begin)):
        return None
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:begin])
    if at is None:
        return None
    if is_function:
        closer = closer_of(right.lexer, text, begin)
        if closer is None:
            return None
        # Of the parentheses the first may be lost alone.
        rest = f"{rest_of_line(text, closer + 1)}\n"
        objects = (f"({text[begin : closer + 1]})", f"({text[begin : closer + 1]}")
        made = next((each for each in objects if fits(right, at, each + rest)), None)
        if made is None:
            return None
        words = f"an object needs parentheses around it behind `{_ARROW}`"
        return Hint(begin, words, Meant(begin, closer + 1, made, is_sure=True))
    if text[line_start(text, begin) : line_end(text, begin)].strip() != _BRACE:
        return None
    stops = (line_end(text, content_after(text, offset)), line_end(text, offset))
    if not any(fits(right, at, f"{_RETURN} {text[begin:stop]}\n") for stop in stops):
        return None
    words = f"`{_BRACE}` does not fit here; perhaps a `{_RETURN}` is missing before it"
    return Hint(begin, words, Meant(begin, begin, f"{_RETURN} ", is_sure=True))


def _brace_before(right: RightSide, text: str, offset: int) -> int | None:
    """Return where the braces with a key open that end before the parenthesis at an offset; None if none do.

    Of a single key the block fits, and of the parentheses behind it one closes nothing.
    """
    ended = _ENDED.search(text, 0, offset) if text.startswith(")", offset) else None
    last = None if ended is None else brackets_of(right.lexer, text[: ended.start() + 1]).last
    if ended is None or last is None or last[1] != ended.start() or _KEY.match(text, last[0]) is None:
        return None
    return last[0] if text[: last[0]].rstrip().endswith(_ARROW) else None


def _begins_with_method(right: RightSide, text: str, brace: int) -> bool:
    """Return whether a method stands behind the brace at an offset, and no statement with a condition."""
    method = _METHOD.match(text, brace)
    return method is not None and method[1] not in right.lexer.compiled.literals
