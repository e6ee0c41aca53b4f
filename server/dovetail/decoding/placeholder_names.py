"""Placeholder names: words of a closing that nobody chose, and that stand there only because a name has to.

The test needs no facts about the language: a word that any other word can replace is a name; a keyword is not.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dovetail.decoding.constraint import State

_WORD = re.compile(r"\w+")

_OTHER = "arbitrary_"


def is_placeholder(start: State, closing: str) -> bool:
    r"""Return whether a closing holds a placeholder name.

    >>> import dovetail
    >>> language = dovetail.load_language("python")
    >>> is_placeholder(language.quotient("x = ", "\n").start, "A")
    True
    >>> is_placeholder(language.quotient("f(x", "\n").start, ")")
    False
    """
    return any(_is_name(start, closing, match) for match in _WORD.finditer(closing))


def begins_with_name(start: State, closing: bytes) -> bool:
    """Return whether a closing begins with a placeholder name, or inside a character."""
    try:
        text = closing.decode()
    except UnicodeDecodeError:
        return True
    match = _WORD.match(text, len(text) - len(text.lstrip()))
    return match is not None and _is_name(start, text, match)


def _is_name(start: State, closing: str, word: re.Match[str]) -> bool:
    end = start.advance(closing[: word.start()] + _OTHER + closing[word.end() :])
    return end is not None and end.accepting
