"""Comma for semicolon: what to write for a comma with which no list goes on, by how the statements of the text end."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.reach import fits
from dovetail.lexing.lexemes import lexemes

if TYPE_CHECKING:
    from dovetail.lexing.lexer import Lexer
    from dovetail.parsing.configuration import Configuration
    from dovetail.quotient.right_side import RightSide

_ENDS_STATEMENT = re.compile(r";[ \t]*[\r\n]")


def for_comma(right: RightSide, at: Configuration, text: str, rest: str) -> str:
    """Return the sign to write for a comma that does not fit: a semicolon in a text that has them, else a blank.

    `at`: the configuration before the comma. `rest`: the text behind it, which has to fit.
    """
    return ";" if _ends_statements(right.lexer, text) and fits(right, at, f";{rest}") else " "


def _ends_statements(lexer: Lexer, text: str) -> bool:
    """Return whether semicolons end statements of a text; False where columns mean something, so that line ends do.

    Those in strings and comments end nothing.
    """
    if lexer.compiled.layout is not None:
        return False
    places = {found.start() for found in _ENDS_STATEMENT.finditer(text)}
    return bool(places) and any(each.start in places for each in lexemes(lexer, text))
