"""Arithmetic: sums of products of numbers and bracketed sums, with blanks between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.oracles.productions import Grammar

ALPHABET = "10+*() "

CHARACTERS: Grammar = {
    "start": [("blanks", "total")],
    "total": [("product",), ("total", "+", "blanks", "product")],
    "product": [("operand",), ("product", "*", "blanks", "operand")],
    "operand": [("digits", "blanks"), ("(", "blanks", "total", ")", "blanks")],
    "digits": [("digit",), ("digits", "digit")],
    "digit": [("0",), ("1",)],
    "blanks": [(), ("blanks", " ")],
}
"""The same language character by character; no two lexemes that may stand side by side can run together."""


def accepts(text: str) -> bool:
    """Return whether the text is of the language, by recursive descent."""

    def blanks(place: int) -> int:
        while text[place : place + 1] == " ":
            place += 1
        return place

    def operand(place: int) -> int | None:
        place = blanks(place)
        if text[place : place + 1] == "(":
            end = total(place + 1)
            return None if end is None or text[end : end + 1] != ")" else blanks(end + 1)
        end = place
        while text[end : end + 1].isdecimal():
            end += 1
        return blanks(end) if end > place else None

    def product(place: int) -> int | None:
        end = operand(place)
        while end is not None and text[end : end + 1] == "*":
            end = operand(end + 1)
        return end

    def total(place: int) -> int | None:
        end = product(place)
        while end is not None and text[end : end + 1] == "+":
            end = product(end + 1)
        return end

    return total(0) == len(text)
