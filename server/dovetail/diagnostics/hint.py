"""Hint: what is meant by a lexeme that does not fit, and the words of a message about it."""

from __future__ import annotations

from typing import NamedTuple

from dovetail.quotient.quoted import quoted


class Meant(NamedTuple):
    """A word or sign in the place of a part of a text."""

    start: int
    end: int
    text: str
    is_sure: bool = False
    """True for what can hardly be anything else, as a word of another language. What misfits after it is another
    mistake."""


class Hint(NamedTuple):
    """A mistake at an offset, in words, with what is meant there."""

    offset: int
    words: str | None
    """The message; None where all that can be said is what was expected."""
    meant: Meant | None = None


def remedy(meant: str) -> str:
    """Return words for what is to be written.

    >>> remedy("and"), remedy(" ")
    ('write `and`', 'leave it out')
    """
    return f"write {quoted(meant.strip())}" if meant.strip() else "leave it out"
