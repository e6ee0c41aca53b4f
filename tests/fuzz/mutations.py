"""Middles that are nearly right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.comparison.mutation import Mutation

if TYPE_CHECKING:
    from random import Random

FRAGMENTS: list[str] = [
    *"()[]{}:,=.;@#'\"\\!$?*+-~_x1 \n\t\f\r",
    *("==", ":=", "->", "...", "**", "//", "!=", ">>=", " = ", ", "),
    *('"""', "'''", "f'", 'f"{', "rb'", "b''", "}'", '"""doc"""\n', "\\x4", "\\N{"),
    *("\n    ", "\n        ", "\n\n", "\r\n", "\\\n", "    ", "  ", " # comment\n"),
    *("if ", " if ", " else ", "elif x:\n", "else:\n", "while ", "for x in ", " in "),
    *(" not ", "not ", " is ", " or ", "lambda x: ", "lambda: 0", "await ", "async "),
    *("return ", "yield ", "yield from ", "raise ", "assert ", "pass", "pass\n", "break\n"),
    *("def f(x, /, *, y=1):\n", "class C(B):\n", "import os\n", "from x import y\n", "@d\n"),
    *("match x:\n", "case _:\n", "case [a, *b]:\n", "type ", "match", "case", "print"),
    *("try:\n", "except E:\n", "except* E as e:\n", "finally:\n", "with a as b:\n", "with (a, b):\n"),
    *("del x", "global x", "nonlocal x\n", "x: int", "x: int = 1\n", "self.", "None", "True"),
    *("*a", "**k", "a=1", "(x for x in y)", "[*a]", "1if x else y", "0or 1"),
    *("0x", "0x1", "1e", "1e5", "1_0", "0777", "0o17", "1j", ".5", "1__0", "0b2"),
    *("é", "λ", "變數", "𝒳", "\xa0", "\u2028", "\ufeff", "ﬁ"),
]
"""Pieces of programs, good and bad."""


_MUTATION = Mutation(FRAGMENTS)


def mutated(random: Random, middle: str) -> str:
    """Return the middle with one to three random changes."""
    return _MUTATION.mutated(random, middle)
