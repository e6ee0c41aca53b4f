"""Parsed lexemes: those of a text that the parser sees, each with the parse stacks that it leads to."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dovetail.lexing.lexemes import lexemes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.parsing.stack import Heads
    from dovetail.quotient.machine import Machine


class ParsedLexeme(NamedTuple):
    """A lexeme that the parser has read."""

    start: int
    terminal: int
    heads: Heads
    """The stacks with the lexeme on top."""


def parsed_lexemes(machine: Machine, text: str) -> Iterator[ParsedLexeme]:
    """Yield the lexemes of the beginning of a text, up to one that the parser refuses or reads in another way."""
    stacks = machine.stacks()
    heads: Heads = (stacks.bottom,)
    for lexeme in lexemes(machine.lexer, text):
        terminal = lexeme.terminal
        way = None if terminal is None else machine.lexer.modes.known_transition(lexeme.stack, terminal)
        if terminal is None or way is None or way.ignored:
            continue
        heads = stacks.shift(heads, terminal)
        if not heads:
            return
        yield ParsedLexeme(lexeme.start, terminal, heads)
