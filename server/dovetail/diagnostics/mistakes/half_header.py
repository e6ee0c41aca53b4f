"""Half a header: one that lost what closes its parentheses, as `run( {` and `if (a && {`.

The brace behind it is read as that of a value or a pattern, so the text stops fitting inside of the block.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.flaw import brackets_of, closer_of, find_flaw
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, content_at, line_end
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.lexing.lexer import Lexer
    from dovetail.quotient.right_side import RightSide

_OPENER, _BRACE = "(", "{"
_ENDS = (
    (") ", "expected `)`"),
    ("0) ", "expected an expression and `)`"),
    ("x) ", "expected a name and `)`"),
    (";;) ", ""),
)
"""Ends that may be lost before the brace, with words; without words the parenthesis is reported."""
_BREAK = re.compile(r"[\r\n]")
_LAST = re.compile(r"\{[ \t]*(?=[\r\n]|\Z)")
"""A brace at the end of its line, or before a comment there, which is blank."""
_ENDED = re.compile(r"\}[ \t]*(?=[\r\n]|\Z)(?!\s*[),.])")
"""The end of a block, behind which no arguments or parameters go on."""
_MOST = 4
"""The most headers around a fault that are tried."""


def find_half_header(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for a header whose block a fault at an offset stands in and whose parenthesis is never closed.

    With its end before the brace the line of the fault fits, and all brackets around the header are closed. None if
    there is no such header.
    """
    begun = Configuration((right.stacks.bottom,), right.lexer.start)
    stops = (line_end(text, content_after(text, offset)), line_end(text, offset))
    for opener, brace, around in _headers(right.lexer, text, offset)[:_MOST]:
        closer = None if _LAST.match(text, brace) else closer_of(right.lexer, text, brace)
        is_block = closer is None or _ENDED.match(text, closer) is not None
        if not is_block or not _is_open(right.lexer, text, opener, brace, around):
            continue
        at = begun.read(right.lexer, right.stacks, text[:brace])
        if at is None:
            continue
        for end, words in _ENDS:
            if any(fits(right, at, f"{end}{text[brace:stop]}\n") for stop in stops):
                return _hint(text, opener, brace, end, words)
    return None


def _headers(lexer: Lexer, text: str, offset: int) -> list[tuple[int, int, int]]:
    """Return the parentheses open at an offset that a brace follows among the open brackets, the innermost first.

    Each comes with its brace and with the bracket around it, or -1.
    """
    opened = [(-1, ""), *brackets_of(lexer, text[:offset]).opened]
    return [
        (opened[at][0], opened[at + 1][0], opened[at - 1][0])
        for at in range(len(opened) - 2, 0, -1)
        if opened[at][1] == _OPENER and opened[at + 1][1] == _BRACE
    ]


def _is_open(lexer: Lexer, text: str, opener: int, brace: int, around: int) -> bool:
    """Return whether an end before a brace closes a header that is open, and perhaps what is around it.

    With more mistakes in a text, one may be around it: then the block ends at the end of a line.
    """
    outer = opener if around < 0 else around
    if closer_of(lexer, text, opener) is not None and closer_of(lexer, text, outer) is not None:
        return False
    closer = closer_of(lexer, text, brace)
    if closer is not None and _ENDED.match(text, closer) and closer_of(lexer, text, opener) is None:
        return True
    made = f"{text[:brace]}){text[brace:]}"
    if around >= 0:
        return closer_of(lexer, text, around) is None and closer_of(lexer, made, around) is not None
    flaw = find_flaw(lexer, made)
    end = closer_of(lexer, made, brace + 1)
    return end is not None and (flaw is None or flaw.offset > end)


def _hint(text: str, opener: int, brace: int, end: str, words: str) -> Hint:
    """Return the hint for an end that is lost before a brace."""
    meant = Meant(brace, brace, end, is_sure=True)
    last = len(text[:brace].rstrip())
    if not words:
        return Hint(opener, f"`{_OPENER}` is never closed", meant)
    if _BREAK.search(text, last, content_at(text, last)):
        return Hint(last, f"{words} at the end of this line", meant)
    return Hint(brace, f"{words} before `{_BRACE}`", meant)
