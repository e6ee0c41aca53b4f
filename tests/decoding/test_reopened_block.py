"""Texts that end a block only to begin another for the end below."""

from __future__ import annotations

import pytest

import dovetail
from dovetail.decoding.reopened_block import find_reopened


@pytest.mark.parametrize(
    ("language", "left", "right", "text", "kept"),
    [
        ("lua", "local function f()\n  ", "\nend\n", "return 1\nend do", "return 1\nend"),
        ("lua", "local function f()\n  ", "\nend\nend\n", "return 1\nend\ndo do ", "return 1\nend"),
        ("lua", "local function f()\n  ", "\nend\nend\n", "if a then", None),
        ("lua", "if a ", "\nend\n", "then", None),
        ("lua", "local function f()\n  ", "\nend\n", "return 1", None),
        ("lua", "if a then\n  ", "\nend\n", "b()\nelse", None),
        ("javascript", "function f() {\n  ", "\n}\n", "return 1;\n} {", "return 1;\n}"),
        ("javascript", "function f() {\n  ", "\n}\n", "return 1;\n}\nfunction g() {", None),
        ("javascript", "if (a) {\n  ", "\n}\n", "b();\n} else {", None),
        ("javascript", "function f() {\n  ", "\n}\n}\n", "if (a) {", None),
        ("javascript", "function f() {\n  ", "\n}\n", "return 1;\n}\nlet a = {", None),
        ("typescript", "", "\n}\n", "function f(): {\n  a: string;\n} {", None),
        ("typescript", "function f() {\n  ", "\n}\n", "return {};\n}\n{", "return {};\n}"),
        ("lua", "if a then\n  if b then\n    ", "\n  end\nend\n", "c()\n  end\n  else", None),
        ("typescript", "const s: {\n  a: ", "\n}\n", "string;\n} = {", None),
        ("javascript", "function f() {\n", "\n}\n}\n", "  return {", None),
        ("python", "if a:\n    ", "\n    c()\n", "b()\nelse:", None),
        ("go", "package a\n", "\n}\n", "func f() {", None),
        ("go", "package a\n\nfunc f() {\n\tx := map[string]", "\n}\n}\n", "struct{}{", None),
    ],
)
def test_the_block_that_nobody_would_begin_is_found(
    language: str, left: str, right: str, text: str, kept: str | None
) -> None:
    """It is what follows the end of a block at once, and ends the text; a block with a header of its own is wanted."""
    quotient = dovetail.load_language(language).quotient(left, right)
    found = find_reopened(text, quotient.start, quotient.block_ends)

    assert (None if found is None else text[:found]) == kept
