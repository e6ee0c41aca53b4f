"""Parts of a closing that nobody chose."""

from __future__ import annotations

from functools import cache

import pytest

import dovetail
from dovetail.decoding.placeholder_names import begins_with_name, is_placeholder


@cache
def language(name: str) -> dovetail.Language:
    return dovetail.load_language(name, target="3.12" if name == "python" else None)


@pytest.mark.parametrize(
    ("name", "left", "right", "closing", "made_up"),
    [
        ("python", "x = ", "\n", "A", True),
        ("python", "x = ", "\n", "0", True),
        ("python", "x = ", "\n", '""', True),
        ("python", "x = ", "\n", "()", True),
        ("python", "x = ", "\n", "...", True),
        ("python", "x = [a, b", " c]\n", "-", True),
        ("python", "x = [a, b", " c]\n", ",", True),
        ("python", "x = ", "a\n", "-", True),
        ("python", "f(a", " 3)\n", "=", True),
        ("python", "x = 1 ", " y z\n", "#", True),
        ("python", "# a", "\nb\n)\n", "\n(", True),
        ("python", "try:\n    a\n", "\n    b\n", "finally:", True),
        ("python", "if x", "\n", ": pass", True),
        ("python", "f(x", "\n", ")", False),
        ("python", "x = {\n    1", "\n", "\n}", False),
        ("python", "x = f(g('b", "\n", "'))", False),
        ("python", 'print(f"{a', "\n", '}")', False),
        ("python", '"""a', "\n", '"""', False),
        ("python", "if x", "\n    y\n", ":", False),
        ("python", "def f", "\n    return 1\n", "():", False),
        ("python", "x = y if a", " b\n", " else", False),
        ("python", "x", "\n", "", False),
        ("json", '{"a": 1, ', "}", '"":0', True),
        ("json", "{", ": 1}", '""', True),
        ("json", '{"a"', " 1}", ":", False),
        ("json", "[1", " 2]", ",", False),
        ("json", '{"a": [{"b": "c', "", '"}]}', False),
    ],
)
def test_what_something_else_can_replace_is_made_up(
    name: str, left: str, right: str, closing: str, made_up: bool
) -> None:
    """A name, an operator, a key, an empty string or comment is made up; closers and what has to come are not."""
    start = language(name).quotient(left, right).start

    assert start.accepts(closing)
    assert is_placeholder(start, closing) == made_up


def test_the_beginning_alone_is_judged() -> None:
    """A plan that begins with what has to come may be followed up to the part that is made up."""
    start = language("python").quotient("if x", "\n").start

    assert not begins_with_name(start, b": A")
    assert begins_with_name(start, b" + A: A")
    assert begins_with_name(start, "é".encode()[1:])
