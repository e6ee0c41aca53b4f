"""Texts that nobody writes and everybody's editor may hold, by size: each name is a way to make one of about n pieces.

A text is (before the cursor, after it).
"""

from __future__ import annotations

from collections.abc import Callable

Text = tuple[str, str]
Maker = Callable[[int], Text]


def _levels(count: int) -> str:
    return "".join(" " * level + "if x:\n" for level in range(count))


PYTHON: dict[str, Maker] = {
    "newlines before": lambda n: ("\n" * n, "x = 1\n"),
    "newlines after": lambda n: ("x = 1\n", "\n" * n),
    "newlines of two characters after": lambda n: ("x = 1\n", "\r\n" * n),
    "newlines in a bracket after": lambda n: ("x = (", "\n" * n + ")\n"),
    "comments after": lambda n: ("x = 1\n", "  # a\n" * n),
    "blanks after": lambda n: ("x =", " " * n + "1\n"),
    "continuations before": lambda n: ("x = " + "\\\n" * n, "1\n"),
    "continuations after": lambda n: ("x = ", "\\\n" * n + "1\n"),
    "one line before": lambda n: ("x = [" + "1, " * n, "]\n"),
    "one line after": lambda n: ("x = [", "1, " * n + "]\n"),
    "a long string around": lambda n: ("x = '" + "a" * n, "a" * n + "'\n"),
    "a long name around": lambda n: ("a" * n, "a" * n + "\n"),
    "an open string before": lambda n: ("x = '" + "a" * n, "\n"),
    "a sum around": lambda n: ("x = 1" + "+1" * n, "+1" * n + "\n"),
    "minus signs after": lambda n: ("x = ", "-" * n + "1\n"),
    "calls after": lambda n: ("x = a", "()" * n + "\n"),
    "attributes after": lambda n: ("x = a", ".a" * n + "\n"),
    "lambdas after": lambda n: ("x = ", "lambda: " * n + "1\n"),
    "conditions after": lambda n: ("x = ", "1 if 1 else " * n + "1\n"),
    "targets after": lambda n: ("x = ", "x = " * n + "1\n"),
    "decorators after": lambda n: ("@a\n", "@a\n" * n + "def f(): pass\n"),
    "statements after": lambda n: ("", "x = 1\n" * n),
    "branches after": lambda n: ("if x:\n pass\n", "elif x:\n pass\n" * n),
    "functions around": lambda n: ("def f(x):\n    return x\n\n\n" * n, "def g():\n    pass\n" * n),
    "brackets within": lambda n: ("x = ", "(" * n + "1" + ")" * n + "\n"),
    "brackets beside each other": lambda n: ("x = [", "(1,), " * n + "]\n"),
    "strings with fields": lambda n: ("x = ", "f'{a}' " * n + "\n"),
    "special tokens": lambda n: ("x = '''" + "<|fim_middle|>" * n, "</s><|endoftext|>" * n + "'''\n"),
}
"""Texts that fit: something can be put in between, in time that grows as the text does."""

DEEP: dict[str, Maker] = {
    "brackets open": lambda n: ("x = " + "(" * n, ""),
    "brackets around": lambda n: ("x = " + "(" * n, ")" * n + "\n"),
    "brackets with one closer missing": lambda n: ("x = " + "(" * n, ")" * (n - 1) + "\n"),
    "brackets of every kind around": lambda n: ("x = " + "([{" * n, "}])" * n + "\n"),
    "levels before": lambda n: (_levels(n), ""),
    "levels after": lambda n: ("", _levels(n) + " " * n + "pass\n"),
    "levels around": lambda n: (
        _levels(n),
        " " * n + "pass\n" + "".join(" " * level + "y = 1\n" for level in reversed(range(n))),
    ),
}
"""Texts that are soon deeper than Python goes; a text of n levels is of n² characters."""

JSON: dict[str, Maker] = {
    "lists open": lambda n: ("[" * n, ""),
    "objects open": lambda n: ('{"a":' * n, ""),
    "lists around": lambda n: ("[" * n, "]" * n),
    "lists with one closer missing": lambda n: ("[" * n, "]" * (n - 1)),
    "closers alone": lambda n: ("", "]" * n),
    "closers of both kinds": lambda n: ("", "]}" * n),
    "a long list": lambda n: ("[" + "1," * n, "1" + ",1" * n + "]"),
    "a long string": lambda n: ('"' + "a" * n, "a" * n + '"'),
    "blanks": lambda n: (" " * n, " " * n),
}
"""Nothing in JSON bounds its depth."""
