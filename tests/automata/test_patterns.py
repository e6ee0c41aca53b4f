"""Patterns of the dialect are read, others refused with a place."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dovetail.automata import characters
from dovetail.automata.patterns import PatternError, parse_pattern

RANGES = st.lists(
    st.tuples(st.integers(0, 0x2FF), st.integers(0, 40)).map(lambda pair: (pair[0], pair[0] + pair[1])), max_size=6
)


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("a(?=b)", "only plain groups"),
        ("(?<!a)b", "only plain groups"),
        ("(?P<name>a)", "only plain groups"),
        ("a*?", "lazy"),
        ("a++", "lazy"),
        ("^a", "anchors"),
        ("a$", "anchors"),
        (r"a\b", "an anchor"),
        (r"\07", "an octal number"),
        (r"\Ba", "not regular or not known"),
        (r"(a)\1", "not regular or not known"),
        (r"\p{Lu}", "unknown character property"),
        ("[z-a]", "bad range"),
        ("a{3,2}", "wrong order"),
        ("*a", "nothing to repeat"),
        ("(a", "missing )"),
        ("a)", "unmatched )"),
        ("[ab", "unexpected end"),
        (r"\xZZ", "bad character number"),
    ],
)
def test_what_is_not_regular_is_refused(pattern: str, reason: str) -> None:
    """The message says what is wrong and at which character."""
    with pytest.raises(PatternError, match=re.escape(reason)) as raised:
        parse_pattern(pattern)

    assert "at character" in str(raised.value)


@given(RANGES, RANGES, st.integers(0, 0x350))
def test_sets_are_sets(one: list[tuple[int, int]], other: list[tuple[int, int]], code: int) -> None:
    """Union, intersection and complement hold what sets of the same characters hold."""
    first, second = characters.union(one), characters.union(other)
    in_first = any(low <= code <= high for low, high in one)
    in_second = any(low <= code <= high for low, high in other)

    assert characters.contains(first, code) == in_first
    assert characters.contains(characters.union(first, second), code) == (in_first or in_second)
    assert characters.contains(characters.intersection(first, second), code) == (in_first and in_second)
    assert characters.contains(characters.complement(first), code) == (not in_first)


def test_identifiers_are_those_of_the_interpreter() -> None:
    """XID_Start and XID_Continue hold what `str.isidentifier` says, less the underscore at the start."""
    start, part = characters.unicode_property("XID_Start"), characters.unicode_property("XID_Continue")
    assert start is not None
    assert part is not None

    for code in [*range(0x500), 0x1D400, 0x2118, 0x309B, 0x10FFFF]:
        character = chr(code)

        assert characters.contains(start, code) == (character.isidentifier() and character != "_")
        assert characters.contains(part, code) == f"a{character}".isidentifier()
