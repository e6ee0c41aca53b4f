"""Statements that line ends finish where one may end, slashes that divide or begin a pattern, and calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.oracles.productions import Grammar

ALPHABET = "x/() \n"

CHARACTERS: Grammar = {
    "start": [("gap",), ("gap", "statement", "blanks"), ("gap", "statement", "blanks", "\n", "start")],
    "statement": [("first",), ("statement", "blanks", "/", "gap", "operand")],
    "first": [("atom",), ("first", "blanks", "bracket")],
    "operand": [("atom",), ("bracket",), ("operand", "blanks", "bracket")],
    "inner": [("called",), ("inner", "gap", "/", "gap", "called")],
    "called": [("atom",), ("bracket",), ("called", "gap", "bracket")],
    "bracket": [("(", "gap", "inner", "gap", ")")],
    "atom": [("x",), ("/", "pattern", "/")],
    "pattern": [("x",), ("(",), ("pattern", "x"), ("pattern", "(")],
    "blanks": [(), ("blanks", " ")],
    "gap": [(), ("gap", " "), ("gap", "\n")],
}
"""The language over `ALPHABET`, character by character."""


def accepts(text: str) -> bool:
    """Return whether the text is statements, by keeping the open brackets and what may come next."""
    depth, offset = 0, 0
    begun = False  # a statement has begun
    ended = False  # an operand has just ended, so a slash divides, and a line end outside brackets finishes
    while offset < len(text):
        character = text[offset]
        offset += 1
        if character == " " or (character == "\n" and (depth or not ended)):
            continue
        if character == "\n":
            begun = ended = False
        elif not ended and character == "/":
            closing = text.find("/", offset)
            if closing <= offset or not set(text[offset:closing]) <= {"x", "("}:
                return False
            offset, begun, ended = closing + 1, True, True
        elif not ended and character == "x":
            begun = ended = True
        elif begun and character == "(":
            depth, ended = depth + 1, False
        elif ended and character == "/":
            ended = False
        elif ended and character == ")" and depth:
            depth -= 1
        else:
            return False
    return not depth and ended == begun
