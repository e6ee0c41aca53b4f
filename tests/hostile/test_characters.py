"""Characters that nobody types: a verdict for each, in every place of a text, and positions that mean something."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest
from tests.lsp.reference import units
from tests.oracles.cpython import parses

from dovetail.decoding import formats
from dovetail.lsp.positions import LineIndex

if TYPE_CHECKING:
    from dovetail import Language

CONTROL = [chr(code) for code in (*range(0x20), *range(0x7F, 0xA0))]
BIDIRECTIONAL = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
SEPARATORS = "\u2028\u2029\x85\u180e\u200b\u2060\ufeff\u00ad\ufffd\ufffe\uffff\U0010ffff"
SURROGATES = ["\ud800", "\udfff", "\udc00\ud83d"]
PLACES = {
    "in code": ("x =", " 1\n"),
    "in a name": ("x = a", "b\n"),
    "in a string": ("x = 'a", "b'\n"),
    "in a comment": ("x = 1 # a", "b\n"),
    "at the start of a line": ("if x:\n", "    y = 1\n"),
    "between lines": ("x = 1\n", "\ny = 2\n"),
}


@pytest.mark.parametrize("place", PLACES)
def test_no_character_is_too_odd(python: Language, place: str) -> None:
    """The text with it gets the interpreter's verdict, and whatever fits beside it makes a program."""
    left, right = PLACES[place]
    for number, odd in enumerate((*CONTROL, *BIDIRECTIONAL, *SEPARATORS, *SURROGATES)):
        verdict = parses(left + odd + right)
        if verdict is not None:
            assert python.accepts(left + odd + right) == verdict, ascii(odd)
        if number % len(PLACES) != list(PLACES).index(place):
            continue  # a quotient takes longer, so each character has one place
        for before, after in ((left + odd, right), (left, odd + right)):
            quotient = python.quotient(before, after)
            closing = quotient.start.closing() if quotient.viable else ""

            assert closing is not None, ascii(odd)
            if quotient.viable and not quotient.ignored:
                assert parses(before + closing + after) is not False, ascii(odd)


def test_special_tokens_in_a_text_are_text(python: Language) -> None:
    """The tokens by which models tell prefix from suffix mean nothing in a document, in a string or outside of one."""
    tokens = sorted({*formats.STARTS, *(mark for known in formats.FORMATS for mark in known.marks)})

    assert len(tokens) >= 6
    for token in tokens:
        assert python.accepts(f"x = {token!r}\n")
        assert python.quotient(f"x = '{token}", f"{token}'\n", tolerant=False).start.closing() == ""
        assert python.accepts(f"x = {token}\n") == parses(f"x = {token}\n")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_half_a_character_is_the_place_before_it(encoding: str) -> None:
    """A column within a character of several units, or of half a pair, is where that character begins."""
    for text in map("".join, product(["a", "é", "😀", "\ud83d", "\ude00"], repeat=3)):
        lines = LineIndex(text)
        for column in range(units(text, encoding) + 3):
            offset = lines.offset(0, column, encoding)  # type: ignore[arg-type]

            assert units(text[:offset], encoding) <= column
            assert offset == len(text) or units(text[: offset + 1], encoding) > column
