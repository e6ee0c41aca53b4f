"""Middles that are nearly right."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
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

WORDS = re.compile(r"\w+|[ \t]+|\n[ \t]*|[^\w\s]|\s")


def mutated(random: Random, middle: str) -> str:
    """Return the middle with one to three random changes."""
    for _ in range(random.choice([1, 1, 1, 2, 3])):
        change: Callable[[Random, str], str] = random.choice(CHANGES)
        middle = change(random, middle)
    return middle


def _lose_character(random: Random, middle: str) -> str:
    place = random.randrange(len(middle) + 1)
    return middle[:place] + middle[place + 1 :]


def _insert(random: Random, middle: str) -> str:
    place = random.randrange(len(middle) + 1)
    return middle[:place] + random.choice(FRAGMENTS) + middle[place:]


def _lose_word(random: Random, middle: str) -> str:
    words = WORDS.findall(middle)
    if words:
        del words[random.randrange(len(words))]
    return "".join(words)


def _repeat_word(random: Random, middle: str) -> str:
    words: list[str] = WORDS.findall(middle)
    if words:
        place = random.randrange(len(words))
        words.insert(place, words[place])
    return "".join(words)


def _replace_word(random: Random, middle: str) -> str:
    words: list[str] = WORDS.findall(middle) or [""]
    words[random.randrange(len(words))] = random.choice(FRAGMENTS)
    return "".join(words)


def _swap_words(random: Random, middle: str) -> str:
    words = WORDS.findall(middle)
    if len(words) > 1:
        first, second = random.sample(range(len(words)), 2)
        words[first], words[second] = words[second], words[first]
    return "".join(words)


def _end_early(random: Random, middle: str) -> str:
    return middle[: random.randrange(len(middle) + 1)]


def _write_anew(random: Random, middle: str) -> str:
    return "".join(random.choice(FRAGMENTS) for _ in range(random.randint(0, 3)))


CHANGES = [
    _lose_character,
    _insert,
    _insert,
    _lose_word,
    _repeat_word,
    _replace_word,
    _swap_words,
    _end_early,
    _write_anew,
]
