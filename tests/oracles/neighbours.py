"""A language in which nothing but notes can be put between lexemes, and most cannot stand side by side.

A name takes every `a` and `b` that follows, a note every `b`: so a name and its tail are kept apart by a note, and what
begins with `b` follows neither.
"""

from __future__ import annotations

import re

ALPHABET = "abcd-"

_NOTE = "-b*+"
_PROGRAM = re.compile(rf"(?:{_NOTE})*+(?:[ab]++(?:{_NOTE})++ac|bd)(?:{_NOTE})*+")


def accepts(text: str) -> bool:
    """Return whether the text is a name and its tail, or the other word, with notes anywhere between."""
    return _PROGRAM.fullmatch(text) is not None
