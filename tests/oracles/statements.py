"""Statements that line ends finish where one may end, with slashes that divide or begin a pattern."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.oracles.productions import Grammar

ALPHABET = "x/() \n"

CHARACTERS: Grammar = {
    "start": [("gap",), ("gap", "statement", "blanks"), ("gap", "statement", "blanks", "\n", "start")],
    "statement": [("operand",), ("statement", "blanks", "/", "gap", "operand")],
    "operand": [("x",), ("/", "pattern", "/"), ("(", "gap", "inner", "gap", ")")],
    "inner": [("operand",), ("inner", "gap", "/", "gap", "operand")],
    "pattern": [("x",), ("(",), ("pattern", "x"), ("pattern", "(")],
    "blanks": [(), ("blanks", " ")],
    "gap": [(), ("gap", " "), ("gap", "\n")],
}
"""The language over `ALPHABET`, character by character."""


def accepts(text: str) -> bool:
    """Return whether the text is statements, by keeping the open brackets and what may come next."""
    depth, ended, offset = 0, False, 0
    # `ended`: an operand has just ended, so a slash divides and a line end outside brackets finishes the statement.
    finishes = True
    while offset < len(text):
        character = text[offset]
        offset += 1
        if character == " " or (character == "\n" and (depth or not ended)):
            continue
        if not ended and character == "/":
            closing = text.find("/", offset)
            if closing <= offset or not set(text[offset:closing]) <= {"x", "("}:
                return False
            offset, ended = closing + 1, True
        elif not ended and character == "x":
            ended = True
        elif not ended and character == "(":
            depth += 1
        elif ended and character == "/":
            ended = False
        elif ended and character == ")" and depth:
            depth -= 1
        elif ended and character == "\n":
            ended, finishes = False, True
            continue
        else:
            return False
        finishes = ended and not depth
    return finishes
