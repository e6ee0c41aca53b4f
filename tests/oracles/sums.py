"""Sums, each on a line of its own, that go on over line ends in brackets and after a sign."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.oracles.productions import Grammar

ALPHABET = "x+() \n"

CHARACTERS: Grammar = {
    "start": [("blanks",), ("blanks", "sum", "blanks"), ("blanks", "sum", "blanks", "end", "start")],
    "sum": [("part",), ("sum", "blanks", "+", "gap", "part")],
    "inner": [("part",), ("inner", "gap", "+", "gap", "part")],
    "part": [("x",), ("(", "gap", "inner", "gap", ")")],
    "end": [("\n",), ("end", "\n"), ("end", " ")],
    "blanks": [(), ("blanks", " ")],
    "gap": [(), ("gap", " "), ("gap", "\n")],
}
"""The language over `ALPHABET`, character by character."""


def accepts(text: str) -> bool:
    """Return whether the text is sums, by keeping the open brackets and what may come next."""
    depth = 0
    wanted = False  # an operand has to come
    ended = False  # an operand has just ended
    between = False  # a line end has finished the sum before
    for character in text:
        if character == "x" and not ended:
            wanted, ended = False, True
        elif character == "(" and not ended:
            depth, wanted = depth + 1, True
        elif character == "+" and ended:
            wanted, ended = True, False
        elif character == ")" and ended and depth:
            depth -= 1
        elif character == "\n" and not (depth or wanted):
            if not (ended or between):
                return False
            ended, between = False, True
        elif character not in " \n":
            return False
    return not (depth or wanted)
