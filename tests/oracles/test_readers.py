"""The reference readers against the grammars of characters, and by hand where there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.oracles import arithmetic, cpython, indented, interchange, lexical, template
from tests.oracles.cuts import Middles, accepted
from tests.oracles.extraction import Quotients
from tests.oracles.productions import texts

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.oracles.productions import Grammar

LANGUAGES = [
    pytest.param(arithmetic.accepts, arithmetic.CHARACTERS, arithmetic.ALPHABET, 5, "", id="arithmetic"),
    pytest.param(interchange.accepts, interchange.CHARACTERS, interchange.ALPHABET, 4, "", id="json"),
    pytest.param(template.accepts, template.CHARACTERS, template.ALPHABET, 4, "", id="template"),
    pytest.param(indented.accepts, indented.characters(3), indented.ALPHABET, 5, "\n", id="indented"),
]


@pytest.mark.parametrize(("accepts", "grammar", "alphabet", "length", "end"), LANGUAGES)
def test_reader_and_grammar_agree(
    accepts: Callable[[str], bool], grammar: Grammar, alphabet: str, length: int, end: str
) -> None:
    """Reader and grammar, written apart, accept the same texts up to a length."""
    by_grammar = {"".join(text) for text in texts(grammar, length + len(end))}
    expected = {text.removesuffix(end) for text in by_grammar if text.endswith(end)}

    assert set(accepted(accepts, alphabet, length)) == expected


@pytest.mark.parametrize(("accepts", "grammar", "alphabet", "length", "end"), LANGUAGES)
def test_construction_agrees_with_enumeration(
    accepts: Callable[[str], bool], grammar: Grammar, alphabet: str, length: int, end: str
) -> None:
    """The construction finds a middle of the same length if enumeration finds a shortest one."""
    quotients = Quotients(grammar, end)
    bounded = accepted(accepts, alphabet, length)
    middles = Middles(bounded)
    for text in bounded[:: len(bounded) // 100 + 1]:
        for low in range(len(text) + 1):
            for high in range(low, len(text) + 1):
                left, right = text[:low], text[high:]

                assert quotients.missing(left, right) == middles.missing(left, right)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a", True),
        ("b:\n a", True),
        ("b:\n\n # nothing\n a\na", True),
        ("b:\n\ta\n        a", False),
        ("b:\n\ta\n\ta\n", True),
        ("b:\n  a\n a", False),
        ("b:\n  b:\n   a\n  a\na", True),
        ("(\n a ( )\n\t)", True),
        ("(a\n", False),
        (" a", False),
        ("b:", False),
        ("aa", False),
        ("a)", False),
    ],
)
def test_indented_by_hand(text: str, expected: bool) -> None:
    """Columns, brackets, blank lines and comments are read as CPython reads them."""
    assert indented.accepts(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", True),
        ("1e", True),
        ("1e1", True),
        ("1ae", False),
        ("a1ae", True),
        ("a1eae", False),
        ("a 1 ae", True),
        ("a 1ae", True),
        ("++1", True),
        ("++e", False),
        ("+ +e", True),
        ("+", False),
        ("+'", False),
        ("'a'#'", True),
        ("'a\n'", False),
        ("ea ee", True),
        ("a", False),
    ],
)
def test_lexical_by_hand(text: str, expected: bool) -> None:
    """The longest match decides, and an open quote is an error."""
    assert lexical.accepts(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = 1\n", True),
        ("x = \n", False),
        ('"\\d"', True),
        ("\0", None),
        ("x\\\n", False),
        ("x\\\r\n", None),
        ("(" * 300 + ")" * 300, None),
        ("\ud800", None),
        ("'\\N{no such name}'", None),
    ],
)
def test_interpreter_by_hand(text: str, expected: bool | None) -> None:
    """Syntax is judged, warnings are not heard, and limits are no verdict."""
    assert cpython.parses(text) is expected
