"""Left texts, middles and right texts by chance: some are nearly programs, some come back to the same again."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

PYTHON = [
    *("x = ", "[", "]", "(", ")", "{", "}", "1, ", "'a'", ": ", "f'{", "}'", "a", "b.c", "+", "=", "*", ";", "@"),
    *("\n", "\n    ", "\n        ", "\t", "  ", "\\\n", "#c\n", '"', "'''", "1, 1, 1, ", "(1, 2), ", "'a': 1, "),
    *("if x:", "else:", "def f(a):", "class A:", "try:", "except:", "match x:", "case 1:", "async "),
    *("return ", "pass", "lambda: ", "for i in ", "a = 1\n", "    a = 1\n    b\n", "+1+1+1", "))))", "((("),
]
JAVASCRIPT = [
    *("x = ", "[", "]", "(", ")", "{", "}", "1, ", "'a'", ": ", "`${", "}`", "a", "b.c", "+", "/a/", "/", ";", "=>"),
    *("\n", "\n  ", " // c\n", '"', "`", "{a: 1}, ", "(b) => ", "async ", "function f(a) {", "class A {", "m() {"),
    *("if (x) ", "else ", "for (;;) ", "case 1: ", "return ", "let y = 2\n", "+1+1+1", "))))", "((((", "}}}", "y++\n"),
]
JSON = ["[", "]", "{", "}", "1, ", "1", '"a"', ": ", ", ", "null", '"a": 1, ', "1, 1, 1, ", "]]]", "[[["]


def contexts(pieces: list[str], random: Random, count: int) -> list[tuple[str, list[str], str]]:
    """Return (left, pieces of a middle, right)."""
    found = []
    for _ in range(count):
        chosen = [random.choice(pieces) for _ in range(random.randrange(1, 14))]
        low, high = sorted((random.randrange(len(chosen) + 1), random.randrange(len(chosen) + 1)))
        left = "".join(chosen[:low]) if random.random() < 0.7 else ""
        found.append((left, [*chosen[low:high], random.choice(pieces)], "".join(chosen[high:])))
    return found
