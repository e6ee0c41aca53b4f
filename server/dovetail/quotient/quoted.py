"""Quoted text: a lexeme in the words of a message."""

from __future__ import annotations


def quoted(text: str) -> str:
    """Return a text in backticks; one that holds a backtick itself in other words.

    >>> quoted("["), quoted("`")
    ('`[`', 'a backtick')
    """
    if text == "`":
        return "a backtick"
    return f'"{text}"' if "`" in text else f"`{text}`"
