"""Patterns of the dialect are read, others refused with a place."""

from __future__ import annotations

import re
import sys
import unicodedata
from importlib.metadata import version

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dovetail.automata import characters
from dovetail.automata.patterns import Characters, PatternError, parse_pattern
from dovetail.automata.unicode_properties import library_version, unicode_property

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
        (r"\p{Nonsense}", "unknown character property"),
        (r"\p{Script=Nonsense}", "unknown character property"),
        (r"\p{1,2}", "unknown character property"),
        (r"\p{a|b}", "unknown character property"),
        (r"[\p{}]", "unknown character property"),
        (r"\pL", "without braces"),
        (r"\p{L", "without braces"),
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


@pytest.mark.parametrize(
    "category", ["Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Nd", "Nl", "No", "Pc", "Sc", "Zs", "Cc"]
)
def test_categories_are_those_of_unicode(category: str) -> None:
    """Of all characters that Python's Unicode has, those of a category are in its set, and no others."""
    found = unicode_property(category)
    assert found is not None
    differing = [
        code
        for code in range(sys.maxunicode + 1)
        if (its := unicodedata.category(chr(code))) not in ("Cn", "Cs")
        and (its == category) != characters.contains(found, code)
    ]

    # A newer Unicode may move a character from one category to another; it has done so for a handful in all.
    assert len(differing) <= 5


@pytest.mark.parametrize(
    ("pattern", "inside", "outside"),
    [
        (r"\p{L}", "aßΩ東", "1_ "),
        (r"\P{L}", "1_ ", "aß"),
        (r"\p{^L}", "1_ ", "aß"),
        (r"[\p{Nd}_]", "7_٣", "a½"),
        (r"[^\p{Nd}_]", "a½", "7_٣"),
        (r"\p{Script=Greek}", "Ωα", "aя"),
        (r"\p{Greek}", "Ωα", "aя"),
        (r"\p{Uppercase_Letter}", "AΩ", "aα"),
        (r"\p{uppercase letter}", "AΩ", "aα"),
        (r"\p{ID_Start}", "aΩ", "1_"),
        (r"\p{Block=Box_Drawing}", "─╬", "-|"),
        (r"\p{Numeric_Value=1/2}", "½", "2"),
    ],
)
def test_properties_in_patterns(pattern: str, inside: str, outside: str) -> None:
    """A property stands for its characters, alone and in a class, by any of its names, and turned round."""
    parsed = parse_pattern(pattern)
    assert isinstance(parsed, Characters)

    assert [characters.contains(parsed.ranges, ord(character)) for character in inside] == [True] * len(inside)
    assert [characters.contains(parsed.ranges, ord(character)) for character in outside] == [False] * len(outside)


def test_no_property_holds_surrogates() -> None:
    """No text holds a surrogate, so no set does, whatever the property says of them."""
    assert unicode_property("Cs") == ()
    assert not any(characters.contains(unicode_property("Any") or (), code) for code in (0xD800, 0xDFFF))
    assert unicode_property("Any") == characters.EVERY


def test_identifiers_are_those_of_the_interpreter() -> None:
    """XID_Start and XID_Continue hold what `str.isidentifier` says, less the underscore at the start."""
    start, part = unicode_property("XID_Start"), unicode_property("XID_Continue")
    assert start is not None
    assert part is not None

    for code in [*range(0x500), 0x1D400, 0x2118, 0x309B, 0x10FFFF]:
        character = chr(code)

        assert characters.contains(start, code) == (character.isidentifier() and character != "_")
        assert characters.contains(part, code) == f"a{character}".isidentifier()


def test_the_version_of_the_properties() -> None:
    """The version that is found by the name of a folder is that of the library's own facts."""
    assert library_version() == version("regex")
