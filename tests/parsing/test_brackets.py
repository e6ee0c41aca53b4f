"""The brackets that a grammar shows in its productions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import dovetail
from dovetail.parsing.brackets import find_brackets

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("grammar", "brackets"),
    [
        ('start: "(" start ")" | "x"', {"(": 1, ")": -1}),
        ('start: "<" start ">" "{" start "}" | "x"', {"<": 1, ">": -1, "{": 1, "}": -1}),
        ('start: "(" start ")" | "x" ")"', {}),
        ('start: "if" start "end" | "x"', {}),
        ('start: "*" "x" "," | "x" ","', {}),
        ('start: "|" start "|" | "x"', {}),
    ],
)
def test_pairs_of_marks(tmp_path: Path, grammar: str, brackets: dict[str, int]) -> None:
    """Two punctuation marks are a pair if neither ever stands without the other; words are no brackets."""
    (tmp_path / "small.lark").write_text(grammar)
    compiled = dovetail.load_language(tmp_path / "small.lark").machine.compiled

    assert {compiled.literals[terminal]: sign for terminal, sign in find_brackets(compiled).items()} == brackets


def test_brackets_that_modes_count_are_left_out() -> None:
    """In Python every bracket opens a mode, so none is counted twice."""
    assert find_brackets(dovetail.load_language("python").machine.compiled) == {}


def test_brackets_that_a_description_names(tmp_path: Path) -> None:
    """A closer with two openers is one of both, and both are counted."""
    (tmp_path / "small.lark").write_text('start: "(" start ")" | L start ")" | "x"\nL: /\\n+\\(/')
    (tmp_path / "small.toml").write_text('brackets = { "(" = ")", L = ")" }')
    language = dovetail.load_language(tmp_path / "small.lark")
    compiled = language.machine.compiled
    signs = {compiled.productions.names[terminal]: sign for terminal, sign in find_brackets(compiled).items()}

    assert signs == {"LPAR": 1, "L": 1, "RPAR": -1}
    assert language.quotient("(\n(", "))").start.enclosure.depth == 2
