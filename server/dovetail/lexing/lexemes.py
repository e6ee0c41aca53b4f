"""Lexemes: the pieces into which a text falls without a parser."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.lexing.lexer import Lexer


class Lexeme(NamedTuple):
    """A lexeme of a text, by offsets in characters."""

    start: int
    end: int
    terminal: int | None
    """None for a character with which no lexeme begins, or only one that is there to be refused."""
    stack: int
    """The modes before it."""
    depth: int
    """The modes that it opens; negative for those that it closes."""


def lexemes(lexer: Lexer, text: str) -> Iterator[Lexeme]:
    """Yield the lexemes of a text. After what is none, the next character is tried."""
    modes, errors = lexer.modes, lexer.compiled.errors
    stack, offset, length = modes.bottom, 0, len(text)
    while offset < length:
        terminal, end = lexer.scanners[modes.scanner_of[stack]].longest(text, offset)
        if terminal < 0 or terminal in errors:
            yield Lexeme(offset, offset + 1, None, stack, 0)
            offset += 1
            continue
        way = modes.known_transition(stack, terminal)
        yield Lexeme(offset, end, terminal, stack, 0 if way is None else modes.depths[way.stack] - modes.depths[stack])
        if way is not None:
            stack = way.stack
        offset = end


def last_lexeme(lexer: Lexer, text: str) -> Lexeme | None:
    """Return the last lexeme of a text that is neither blank nor a comment; None if there is none."""
    found = None
    for lexeme in lexemes(lexer, text):
        way = None if lexeme.terminal is None else lexer.modes.known_transition(lexeme.stack, lexeme.terminal)
        if (way is None or way.is_seen(blank=True)) and text[lexeme.start : lexeme.end].strip():
            found = lexeme
    return found
