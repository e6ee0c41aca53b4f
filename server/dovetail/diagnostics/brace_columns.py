"""Brace columns: which of several brackets lacks its end, by the columns of their lines.

Read without columns, it is always the outermost bracket that is never closed: each closing bracket closes the last one.
One that is closed by one further to the left was meant to be closed before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.diagnostics.flaw import MIRRORED, signs
from dovetail.diagnostics.line_places import line_column, line_start

if TYPE_CHECKING:
    from dovetail.lexing.lexer import Lexer


def unclosed_brace(lexer: Lexer, text: str, offset: int) -> int:
    """Return the offset of the bracket that lacks its end; `offset` is that of one of its kind that is never closed.

    The same where columns name no other.
    """
    opened: list[int] = []
    opener = text[offset]
    closer = MIRRORED[opener]
    for start, sign in signs(lexer, text):
        if start < offset:
            continue
        if sign == opener:
            opened.append(start)
        elif sign == closer and opened:
            bracket = opened.pop()
            is_first = not text[line_start(text, start) : start].strip()
            if is_first and bracket > offset and line_column(text, start) < line_column(text, bracket):
                return bracket
    return offset
