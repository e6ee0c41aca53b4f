"""JSON: the standard library's reader, and the language over a few characters as a grammar of characters."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from tests.oracles.productions import Grammar

ALPHABET = '[]{},:"\\u-01.e+ nl\n'
"""Enough for every kind of lexeme; `true` and `false` are left out, which lengthens no shortest text."""

_PLAIN = [character for character in ALPHABET if character not in '"\\\n']

CHARACTERS: Grammar = {
    "start": [("blanks", "value")],
    "value": [("array",), ("object",), ("string",), ("number", "blanks"), ("n", "u", "l", "l", "blanks")],
    "array": [("[", "blanks", "]", "blanks"), ("[", "blanks", "values", "]", "blanks")],
    "values": [("value",), ("values", ",", "blanks", "value")],
    "object": [("{", "blanks", "}", "blanks"), ("{", "blanks", "members", "}", "blanks")],
    "members": [("member",), ("members", ",", "blanks", "member")],
    "member": [("string", ":", "blanks", "value")],
    "string": [('"', "inside", '"', "blanks")],
    "inside": [(), ("inside", "plain"), ("inside", "\\", "escaped")],
    "plain": [(character,) for character in _PLAIN],
    "escaped": [('"',), ("\\",), ("n",), ("u", "hex", "hex", "hex", "hex")],
    "hex": [("0",), ("1",), ("e",)],
    "number": [("whole",), ("-", "whole")],
    "whole": [("integer",), ("integer", "fraction"), ("integer", "power"), ("integer", "fraction", "power")],
    "integer": [("0",), ("1",), ("1", "digits")],
    "fraction": [(".", "digits")],
    "power": [("e", "digits"), ("e", "+", "digits"), ("e", "-", "digits")],
    "digits": [("digit",), ("digits", "digit")],
    "digit": [("0",), ("1",)],
    "blanks": [(), ("blanks", " "), ("blanks", "\n")],
}
"""JSON over the characters of `ALPHABET`."""


def accepts(text: str) -> bool:
    """Return whether the text is one JSON value; NaN and Infinity are not JSON."""
    try:
        # Numbers stay text: the reader refuses to make integers of thousands of digits.
        json.loads(text, parse_constant=_refuse, parse_int=str, parse_float=str)
    except ValueError:
        return False
    return True


def _refuse(name: str) -> NoReturn:
    raise ValueError(name)
