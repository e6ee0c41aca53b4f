"""Strings of two quotes with fields that hold items again, to any depth, and formats after a colon."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.oracles.productions import Grammar

ALPHABET = "x[]'\"{}: "

CHARACTERS: Grammar = {
    "start": [("blanks", "items")],
    "items": [("item", "blanks"), ("items", "item", "blanks")],
    "item": [("x",), ("[", "blanks", "items", "]"), ("'", "parts '", "'"), ('"', 'parts "', '"')],
    "blanks": [(), ("blanks", " ")],
    **{
        f"parts {quote}": [
            (),
            *[(f"parts {quote}", character) for character in ALPHABET if character not in quote + "{}"],
            (f"parts {quote}", "{", "blanks", "items", "}"),
            (f"parts {quote}", "{", "blanks", "items", ":", f"parts {quote}", "}"),
        ]
        for quote in "'\""
    },
}
"""The language over `ALPHABET`, character by character."""


def accepts(text: str) -> bool:
    """Return whether the text is one item or more, by keeping what is open on a stack."""
    # What is open: the outer text, a bracket, a string, a field, a format; each with its quote, and for those
    # that hold items whether one has been seen.
    opened = [("outer", "", False)]
    for character in text:
        kind, quote, seen = opened[-1]
        if kind in {"string", "format"}:
            if character == "{":
                opened.append(("field", quote, False))
            elif (kind, character) in {("string", quote), ("format", "}")}:
                opened.pop()
            elif character in {quote, "}"}:
                return False
        elif character == "x":
            opened[-1] = (kind, quote, True)
        elif character in {"'", '"', "["}:
            opened[-1] = (kind, quote, True)
            opened.append(("bracket", "", False) if character == "[" else ("string", character, False))
        elif seen and (kind, character) in {("bracket", "]"), ("field", "}")}:
            opened.pop()
        elif seen and (kind, character) == ("field", ":"):
            opened[-1] = ("format", quote, False)
        elif character != " ":
            return False
    return len(opened) == 1 and opened[0][2]
