"""A language in which everything depends on how the characters are cut into lexemes.

Names hide keywords, `1e` falls back to a number and a name, `++` is not two `+`, an open quote is an error,
and a comment swallows the rest of the line.
"""

from __future__ import annotations

import re

ALPHABET = "ae1+'#\n "

LEXEMES = [
    ("KEYWORD", r"a|ae"),
    ("NAME", r"[ae]+"),
    ("NUMBER", r"1+(e1+)?"),
    ("SIGN", r"\+\+?"),
    ("TEXT", r"'[^'\n]*'"),
    ("BROKEN", r"'[^'\n]*"),
    ("IGNORED", r"[ \n]+|#[^\n]*"),
]
"""The longest match counts; of equally long ones the first."""


def cut(text: str) -> list[tuple[str, str]] | None:
    """Return the lexemes of a text with their categories, or None if it cannot be cut."""
    lexemes: list[tuple[str, str]] = []
    place = 0
    while place < len(text):
        longest, category = max(
            ((_longest(pattern, text, place), name) for name, pattern in LEXEMES), key=lambda found: found[0]
        )
        if longest == 0 or category == "BROKEN":
            return None
        if category != "IGNORED":
            lexemes.append((category, text[place : place + longest]))
        place += longest
    return lexemes


def _longest(pattern: str, text: str, place: int) -> int:
    """Return the length of the longest match, found by trying every length."""
    return max(
        (end - place for end in range(place + 1, len(text) + 1) if re.fullmatch(pattern, text[place:end])),
        default=0,
    )


def accepts(text: str) -> bool:
    """Return whether the text is any number of items.

    An item is a name, number or text, `+` and an item, `++` and a number, or items between `a` and `ae`.
    """
    lexemes = cut(text)
    if lexemes is None:
        return False

    def item(place: int) -> int | None:
        if place == len(lexemes):
            return None
        category, spelling = lexemes[place]
        if spelling == "+":
            return item(place + 1)
        if spelling == "++":
            return place + 2 if place + 1 < len(lexemes) and lexemes[place + 1][0] == "NUMBER" else None
        if category == "KEYWORD":
            if spelling == "ae":
                return None
            place = items(place + 1)
            return place + 1 if place < len(lexemes) and lexemes[place][1] == "ae" else None
        return place + 1

    def items(place: int) -> int:
        while (end := item(place)) is not None:
            place = end
        return place

    return items(0) == len(lexemes)
