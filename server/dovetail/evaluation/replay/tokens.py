"""The tokens of a file: its pairs of brackets and quotes, its strings and comments, the ends of its lines."""

from __future__ import annotations

import re
import tokenize
from dataclasses import dataclass
from io import StringIO
from itertools import accumulate

_OPENERS = {"(": ")", "[": "]", "{": "}"}
_QUOTED = re.compile(r"(?s)[a-zA-Z]{0,2}(?P<quotes>'''|\"\"\"|'|\")")
_STRINGS = {tokenize.STRING, *(getattr(tokenize, name) for name in ("FSTRING_MIDDLE",) if hasattr(tokenize, name))}


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens and lines of a file, as replay needs them; places are offsets in characters."""

    pairs: dict[int, int]
    """Opener → closer: brackets, and the quotes of strings that have one quote on each side."""
    strings: tuple[tuple[int, int], ...]
    """The start and end of each string on one line."""
    long_strings: tuple[tuple[int, int], ...]
    """The same of strings with three quotes, such as docstrings."""
    comments: tuple[tuple[int, int], ...]
    ends: tuple[int, ...]
    """The end of each line with code, without what follows on it, in order; a statement of several lines has one."""
    names: tuple[tuple[int, int], ...]
    unit: str
    """One level of indentation; four blanks where the file has none."""


def read_tokens(text: str) -> Tokens:
    """Return the tokens of a program. Raises SyntaxError or tokenize.TokenError where the tokenizer fails."""
    offsets = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
    pairs: dict[int, int] = {}
    open_brackets: list[int] = []
    strings: list[tuple[int, int]] = []
    long_strings: list[tuple[int, int]] = []
    comments, ends, names, units = [], [], [], []
    for token in tokenize.generate_tokens(StringIO(text).readline):
        start, end = (offsets[line - 1] + column for line, column in (token.start, token.end))
        if token.type == tokenize.OP and token.string in _OPENERS:
            open_brackets.append(start)
        elif token.type == tokenize.OP and token.string in _OPENERS.values() and open_brackets:
            pairs[open_brackets.pop()] = start
        elif token.type in _STRINGS:
            quoted = _QUOTED.match(token.string)
            long = quoted is not None and len(quoted["quotes"]) == 3
            (long_strings if long else strings).append((start, end))
            if quoted is not None and not long:
                pairs[start + quoted.end() - 1] = end - 1
                pairs |= _inside(text, start + quoted.end(), end - 1)
        elif token.type == tokenize.COMMENT:
            comments.append((start, end))
        elif token.type == tokenize.NEWLINE:
            ends.append(start)
        elif token.type == tokenize.NAME:
            names.append((start, end))
        elif token.type == tokenize.INDENT:
            units.append(token.string)
    unit = min(units, key=len, default="    ")
    return Tokens(pairs, tuple(strings), tuple(long_strings), tuple(comments), tuple(ends), tuple(names), unit)


def _inside(text: str, start: int, end: int) -> dict[int, int]:
    """Return the pairs of brackets within a string."""
    pairs = {}
    open_brackets: list[int] = []
    for place in range(start, end):
        if text[place] in _OPENERS:
            open_brackets.append(place)
        elif open_brackets and text[place] == _OPENERS[text[open_brackets[-1]]]:
            pairs[open_brackets.pop()] = place
    return pairs
