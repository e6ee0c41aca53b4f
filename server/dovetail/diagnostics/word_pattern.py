"""Word pattern: a part of a regular expression for one of the words that a grammar lists."""

from __future__ import annotations

from functools import cache


@cache
def one_of(words: tuple[str, ...]) -> str:
    """Return a pattern for one of some words; for none, one that matches nothing.

    >>> one_of(("let", "var")), one_of(())
    ('(?:let|var)', '(?!)')
    """
    return f"(?:{'|'.join(words)})" if words else "(?!)"
