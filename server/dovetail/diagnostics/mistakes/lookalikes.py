"""Lookalikes: characters that look like signs of programs, and come from word processors and web pages."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import line_end
from dovetail.diagnostics.reach import fits

if TYPE_CHECKING:
    from dovetail.parsing.configuration import Configuration
    from dovetail.quotient.right_side import RightSide

_SIGNS = {
    '"': "\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033\u301d\u301e",
    "'": "\u2018\u2019\u201a\u201b\u2032\u00b4",
    "-": "\u2010\u2011\u2012\u2013\u2014\u2212",
    "*": "\u00d7\u2217",
    "/": "\u2044\u2215",
    "": "\u200b\u2060\ufeff",
}
_MEANT = {character: sign for sign, characters in _SIGNS.items() for character in characters}


def meant_by(character: str) -> str | None:
    r"""Return the sign that a character looks like, empty for one that shows nothing; None where it is like no sign.

    >>> meant_by("\u201c"), meant_by("\u00a0"), meant_by("\uff08"), meant_by("\u00e9")
    ('"', ' ', '(', None)
    """
    if character.isascii():
        return None
    found = _MEANT.get(character, unicodedata.normalize("NFKC", character))
    return found if found.isascii() and found.isprintable() and not any(map(str.isalnum, found)) else None


def stray_character(character: str) -> str:
    r"""Return the message for a character that belongs to no lexeme.

    >>> stray_character("\u00a0")
    'the character U+00A0 (no-break space) cannot stand here; write a blank'
    >>> stray_character("\u201c")
    'the character U+201C (`\u201c`) cannot stand here; write `"`'
    """
    shown = f"`{character}`" if character.isprintable() else unicodedata.name(character, "").lower()
    words = f"the character U+{ord(character):04X}{shown and f' ({shown})'} cannot stand here"
    meant = meant_by(character)
    if meant is None:
        return words
    return f"{words}; {'leave it out' if not meant else f'write `{meant}`' if meant.strip() else 'write a blank'}"


def find_lookalike(right: RightSide, at: Configuration, text: str, offset: int) -> Hint | None:
    """Return the hint for a character at an offset that looks like a sign, with which its line fits.

    `at`: the configuration there. The whole line is meant otherwise: quotes come in pairs.
    """
    if meant_by(text[offset : offset + 1]) is None:
        return None
    end = line_end(text, offset)
    meant = "".join(character if (sign := meant_by(character)) is None else sign for character in text[offset:end])
    if not fits(right, at, meant):
        return None
    return Hint(offset, stray_character(text[offset]), Meant(offset, end, meant, is_sure=True))
