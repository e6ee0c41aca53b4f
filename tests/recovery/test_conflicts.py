"""Merge conflicts in TypeScript, where a parser reads the last mark as seven closing brackets of types."""

from __future__ import annotations

import pytest
from tests.fuzz.broken import kept
from tests.languages import shared_language

CURSOR = "‸"

CASES = {
    "the cursor in the second side": (
        "<<<<<<< a\nconst b = 1;\n=======\nconst b = ‸;\n>>>>>>> c\nconst c = 1;\n",
        "const b = 1;\nconst b = ‸;\nconst c = 1;\n",
    ),
    "the cursor in the second of two headers": (
        "<<<<<<< a\nfunction f() {\n=======\nfunction g() {\n  ‸\n>>>>>>> c\n  return 1;\n}\n",
        "function g() {\n  ‸\n  return 1;\n}\n",
    ),
    "a line of the second side that fits no side": (
        "<<<<<<< a\nlet b = 1;\n=======\nlet b c;\nlet b = ‸;\n>>>>>>> c\nlet d = 1;\n",
        "let b = ‸;\nlet d = 1;\n",
    ),
    "the cursor in the first side": (
        "<<<<<<< a\nconst b = ‸;\n=======\nconst b = 1;\n>>>>>>> c\nconst c = 1;\n",
        "const b = ‸;\nconst b = 1;\nconst c = 1;\n",
    ),
    "members of a type": (
        "type A = {\n<<<<<<< a\n  b: 1\n||||||| d\n  b: 2\n=======\n  b: 3\n>>>>>>> c\n};\nconst c = ‸;\n",
        "type A = {\n  b: 1\n  b: 3\n};\nconst c = ‸;\n",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_value_fits_at_the_cursor(name: str) -> None:
    """The marks are left out, and a side that does not fit the other; what a person would write there fits."""
    document, wanted = CASES[name]
    language = shared_language("typescript")
    left, right = document.split(CURSOR)
    quotient = language.quotient(left, right)
    before, after = kept(quotient, left, right)

    assert before + CURSOR + after == wanted
    assert quotient.start.accepts("f(1)")
    assert language.accepts(f"{before}f(1){after}")
