"""Places to cut a program: the two ways of Melcer et al. 2024 (section VII.A), and the places where editors are."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.comparison.cuts import Cut, at_end, span

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

_LEXEME = re.compile(
    r"""(?P<comment>\#[^\n]*)|(?P<string>[rbuRBU]{,2}(?:'''(?:\\.|[^\\])*?'''|\"\"\"(?:\\.|[^\\])*?\"\"\"|'(?:\\.|[^\\\n'])*'
    |"(?:\\.|[^\\\n"])*"))|(?P<formatted>[rR]?[fF][rR]?(?:'''(?:\\.|[^\\])*?'''|\"\"\"(?:\\.|[^\\])*?\"\"\"
    |'(?:\\.|[^\\\n'])*'|"(?:\\.|[^\\\n"])*"))|(?P<blank>^[ \t]*\n)|(?P<indentation>^[ \t]+(?=\S))|(?P<word>\w+)
    |(?P<operator>[^\w\s]+)""",
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)
"""A rough idea of Python's lexemes; a wrong one only makes a cut somewhere else."""


def _inside(kind: str) -> Callable[[Random, str], Cut | None]:
    """Return a cut that begins inside a lexeme of a kind."""

    def cut(random: Random, text: str) -> Cut | None:
        found = [match for match in _LEXEME.finditer(text) if match.lastgroup == kind]
        if not found:
            return None
        match = random.choice(found)
        begin = random.randint(match.start(), match.end())
        return begin, min(len(text), begin + random.choice([0, 0, 1, 3, 10, 40]))

    return cut


def _boundary(random: Random, text: str) -> Cut | None:
    """Return a cut from within one lexeme to another on a line of the same indentation."""
    begins = [match.start() for match in _LEXEME.finditer(text) if match.lastgroup in ("word", "operator", "string")]
    if not begins:
        return None
    first = random.choice(begins)
    depth = _depth(text, first)
    others = [begin for begin in begins if first < begin <= first + 600 and _depth(text, begin) == depth]
    if not others:
        return None
    second = random.choice(others)
    return random.randint(first, min(second, first + 8)), second


def _depth(text: str, offset: int) -> int:
    line = text[text.rfind("\n", 0, offset) + 1 :]
    return len(line) - len(line.lstrip(" \t"))


CUTS: dict[str, Callable[[Random, str], Cut | None]] = {
    "boundary": _boundary,
    "random span": span,
    "in a string": _inside("string"),
    "in an f-string": _inside("formatted"),
    "in a comment": _inside("comment"),
    "in indentation": _inside("indentation"),
    "at a blank line": _inside("blank"),
    "in an operator": _inside("operator"),
    "at an end": at_end,
}
"""Name → cut, or None where the text has no such place."""
