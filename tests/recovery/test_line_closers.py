"""Closing brackets behind the cursor in a block that is not closed yet."""

from __future__ import annotations

import pytest
from tests.languages import shared_language

CASES = [
    ("go", "package a\n\nfunc g() {\n\ts := &Store{items: ", "}\n", "}", ["items", "nil, n: 1"]),
    ("go", "package a\n\nfunc g() {\n\ts := &Store{items: ", "}\n\nfunc h() {\n}\n", "}", ["items"]),
    ("javascript", "function f() {\n  const a = {b: ", "};\n", "}", ["c", "{ d }, e: 1"]),
    ("javascript", "function f() {\n  const a = {b: ", "};\r\n\r\ng();\r\n", "}", ["c"]),
    ("javascript", "f(\n  g(", ")", ")", ["", "1, 2", "h()"]),
    ("javascript", "const a = [\n  [1, ", "]\n", "]", ["", "2", "[3]"]),
    ("typescript", "class A {\n  m() { return this.n({ a: ", "}); }\n", "", []),
    ("lua", "local a = {\n  { b = ", "}\n", "}", ["c", "{}", "f(1)"]),
]
"""Language, the texts around a cursor, the closers that are missing below its line, and middles that fit then."""


@pytest.mark.parametrize(("name", "left", "right", "missing", "middles"), CASES)
def test_the_closers_of_the_line_are_its_own(
    name: str, left: str, right: str, missing: str, middles: list[str]
) -> None:
    """In an editor what is missing is read below the line, and middles do not close the brackets once more."""
    language = shared_language(name)
    strict, quotient = language.quotient(left, right, tolerant=False), language.quotient(left, right, ends_headers=True)
    first, end, rest = right.partition("\r\n" if "\r" in right else "\n")
    whole = f"{first}\n{missing}{end}{rest}" if missing else right

    assert [part.instead for part in quotient.ignored] == ([f"\n{missing}"] if missing else [])
    for middle in [*middles, *(f"{each}{missing}" for each in middles)]:
        state = quotient.start.advance(middle)
        assert (state is not None and state.accepting) == language.accepts(left + middle + whole)
    assert all(quotient.start.advance(middle) for middle in middles)
    # A program that fits needs them where they are.
    assert not missing or all(strict.start.advance(middle + missing) for middle in middles)


@pytest.mark.parametrize(("name", "left", "right", "missing", "middles"), CASES)
def test_a_document_says_the_same(name: str, left: str, right: str, missing: str, middles: list[str]) -> None:
    """So does the quotient of a text under edit, after each key."""
    language = shared_language(name)
    document = language.document(left + right)
    expected = language.quotient(left, right, ends_headers=True)

    assert document.quotient(len(left), ends_headers=True).ignored == expected.ignored
    for middle in middles[:1]:
        for at in range(1, len(middle) + 1):
            document.edit(len(left) + at - 1, len(left) + at - 1, middle[at - 1])
            known = language.quotient(left + middle[:at], right, ends_headers=True)
            assert document.quotient(len(left) + at, ends_headers=True).ignored == known.ignored


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("function f() {\n  const a = {b: ", "}\n}\n"),  # All is closed.
        ("function f() {\n  return a ", "}\n"),  # The line opens nothing.
        ("function f() {\n  const a = {b: ", "} // c\n"),  # More stands behind it.
        ("function f() {\n  g(", "}\n"),  # Another bracket.
    ],
)
def test_nothing_is_put_in_where_the_closers_are_not_taken_away(left: str, right: str) -> None:
    """The quotient is that of the text as it stands."""
    language = shared_language("javascript")

    assert language.quotient(left, right, ends_headers=True).ignored == ()
