"""Slips: a sign or word of a program that a person leaves out, doubles, or takes for another one.

Such a sign is alike, lies beside the right one on a keyboard, or is a form of another language.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.fuzz.one_mistake import changed

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from tests.fuzz.one_mistake import Break

LOST = [
    *(",", ":", "=", ".", "=>", "->", ":=", "==", "+", "-", "&&", "||", "?", "!", ";", "and", "or", "not", "in", "of"),
    *(
        "if",
        "else",
        "then",
        "do",
        "new",
        "func",
        "function",
        "def",
        "const",
        "local",
        "let",
        "range",
        "return",
        "import",
    ),
    *("from", "as", "class", "extends", "type", "interface"),
]
DOUBLED = [
    *(",", ":", "=", ".", "=>", "?", "in", "return", "const", "local", "func", "function", "def", "if", "else"),
    *("import", "not", "and"),
]
TAKEN = {
    "=": [":", ":=", "==", "=>"],
    ":": ["=", ";", "=>"],
    ",": [";", ".", ":"],
    ".": [",", "->", "::"],
    ";": [":", ","],
    "=>": ["=", "->", ">=", ":"],
    "->": ["=>", ":"],
    ":=": ["=", "=:"],
    "==": ["=", "=:"],
    "!=": ["=!", "<>", "~="],
    "~=": ["!=", "<>"],
    "<=": ["=<"],
    ">=": ["=>"],
    "+=": ["=+"],
    "++": ["+"],
    "&&": ["and", "&"],
    "||": ["or", "|"],
    "and": ["&&"],
    "or": ["||"],
    "not": ["!"],
    "else if": ["elif", "elseif", "else"],
    "elif": ["else if", "elseif"],
    "elseif": ["else if", "elif"],
    "null": ["nil"],
    "nil": ["null", "None"],
    "function": ["func", "def", "fn"],
    "func": ["function", "def", "fn"],
    "def": ["function", "func"],
    "then": [":", "{"],
    "do": [":", "{"],
    "in": ["of", ":"],
    "of": ["in", ":"],
    "const": ["final", "local"],
    "let": ["local", "var"],
    "local": ["let", "var"],
    "import": ["include", "require"],
    "(": ["[", "{"],
    "[": ["(", "{"],
    "{": ["(", "["],
    ")": ["]", "}", ";"],
}
"""The right sign or word → those that are written in its place."""

_PARAMETER = r"(?<=[(, ])[^\W\d]\w*(?=[,)])"
_PUT: dict[str, tuple[str, str]] = {
    "a type put before a parameter": (_PARAMETER, "int {}"),
    "a type put behind a parameter": (_PARAMETER, "{}: int"),
    "`new` put before a call": (r"(?<== )\w+(?=\()", "new {}"),
    "a colon put behind a header": (r"\)(?= *\{?$)", "{}:"),
    "a brace put behind a line": (r"[^{}\s]$", "{} {{"),
    "a semicolon put into brackets": (r"\w(?=\))", "{};"),
    "a word put behind another": (r"\b[^\W\d]\w+(?= )", "{} that"),
    "an operator put behind a value": (r"\w(?=[,)])", "{} +"),
}
"""Kind → the pattern of a text, and what it becomes."""


def slips() -> dict[str, Break]:
    """Return the kinds of slips: name → lines with one such slip at a line, or None where the line has no occasion."""
    found: dict[str, Break] = {}
    for sign in LOST:
        # With a word the blank behind it is left out.
        lost = re.compile(f"{_standing(sign).pattern} ?") if sign[0].isalpha() else _standing(sign)
        found[f"`{sign}` lost"] = changed(lost, lambda *_: "")
    for sign in DOUBLED:
        found[f"`{sign}` doubled"] = changed(_standing(sign), _twice)
    for sign, others in TAKEN.items():
        for other in others:
            found[f"`{other}` for `{sign}`"] = changed(_standing(sign), _always(other))
    for kind, (pattern, instead) in _PUT.items():
        found[kind] = changed(re.compile(pattern, re.MULTILINE), _formatted(instead))
    return found


def _standing(sign: str) -> re.Pattern[str]:
    """Return the pattern of a word, or of a sign that is no part of another one."""
    if sign[0].isalpha():
        return re.compile(rf"\b{sign}\b")
    other = "" if sign in "()[]{},;" else r"[=!<>:+*/&|.?~-]"
    return re.compile(rf"(?<!{other}){re.escape(sign)}(?!{other})" if other else re.escape(sign))


def _twice(_: Random, sign: str) -> str:
    return f"{sign} {sign}" if sign.isalpha() else 2 * sign


def _always(other: str) -> Callable[[Random, str], str]:
    return lambda _, __: other


def _formatted(instead: str) -> Callable[[Random, str], str]:
    return lambda _, text: instead.format(text)
