"""A language with a first line that is only read at the very beginning of a text, as `#!` is in many languages."""

from __future__ import annotations

import re

ALPHABET = "#!a-() \n"

_FIRST = re.compile(r"#![^\n]*")
_LEXEME = re.compile(r"(?P<name>#?a+)|(?P<bracket>[()])|-[^\n]*|[ \n]+")


def accepts(text: str) -> bool:
    """Return whether the text is a first line or none, and names with brackets that match."""
    first = _FIRST.match(text)
    place = first.end() if first else 0
    depth = 0
    while place < len(text):
        lexeme = _LEXEME.match(text, place)
        if lexeme is None:
            return False
        if lexeme["bracket"]:
            depth += 1 if lexeme["bracket"] == "(" else -1
        if depth < 0:
            return False
        place = lexeme.end()
    return depth == 0
