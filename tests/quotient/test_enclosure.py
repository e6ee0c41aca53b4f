"""Enclosures: brackets, replacement fields, formatted strings, templates, strings."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dovetail


@cache
def language(name: str) -> dovetail.Language:
    return dovetail.load_language(name)


@pytest.mark.parametrize(
    ("left", "depth"),
    [
        ("x", 0),
        ("f(", 1),
        ("f(a)[{", 2),
        ('x = "', 1),
        ('x = "a', 1),
        ('x = "a\\', 1),
        ('x = "a"', 0),
        ('x = ""', 0),
        ('x = """a"', 1),
        ('x = """a"""', 0),
        ('x = rb"', 1),
        ('f("a', 2),
        ('f(f"a', 2),
        ('f(f"{a', 3),
        ('f(f"{a}', 2),
        ('f(f"{a}"', 1),
        ("f(t'{a:{b", 4),
        ("x = 1e", 0),
        ("x = 1_", 0),
        ("x !", 0),
        ("# (", 0),
    ],
)
def test_the_depth_of_a_place_in_python(left: str, depth: int) -> None:
    """Each bracket, field, formatted string, template and string that is open counts once; a comment does not."""
    assert language("python").quotient(left, "").start.enclosure.depth == depth


JSON = st.recursive(
    st.sampled_from(["1", "null", '"a"', '"[{"', '"\\""']),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda values: f"[{', '.join(values)}]"),
        st.lists(inner, max_size=3).map(lambda values: "{" + ", ".join(f'"k": {value}' for value in values) + "}"),
    ),
    max_leaves=6,
)


def counted(text: str) -> int:
    """Return the brackets and strings that are open after some JSON, counted by its characters."""
    depth, inside, escaped = 0, False, False
    for character in text:
        if inside:
            inside, escaped = escaped or character != '"', not escaped and character == "\\"
        else:
            inside = character == '"'
            depth += (character in "[{") - (character in "]}")
    return depth + inside


@given(JSON, st.integers(0, 40))
def test_the_depth_of_a_place_in_json(text: str, cut: int) -> None:
    """The brackets are counted without modes, from the productions, and strings from the lexer."""
    left = text[: min(cut, len(text))]

    assert language("json").quotient(left, "").start.enclosure.depth == counted(left)
