"""What is open around the end of a middle: nested modes, and blocks by their columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dovetail.automata.dfa import START

if TYPE_CHECKING:
    from dovetail.lexing.lexer import Lexer, LexerState
    from dovetail.parsing.configuration import Configuration
    from dovetail.parsing.stack import Stacks


class Enclosure(NamedTuple):
    """What encloses a place, the lexeme in progress taken as over where it may be."""

    depth: int
    """How many brackets, formatted strings and their fields are open."""
    column: int
    """The column of the innermost block, tabs to 8; 0 in a language without layout."""
    blank: int | None
    """The width of the blanks of a line that has nothing else yet; None after its first content."""


def find_enclosure(lexer: Lexer, state: LexerState) -> Enclosure:
    """Return what is open where a lexer stands."""
    stack, indents, line = state.stack, state.indents, state.line
    if state.at != START and not state.rest:
        ended = lexer.ended_as(state, state.accepted)
        if ended is not None:
            # In a line without content the lexeme is a comment or a line end.
            stack, line = ended[0].stack, ended[0].line
    depth = 0
    below = lexer.modes.entries[stack][1]
    while below >= 0:
        depth, below = depth + 1, lexer.modes.entries[below][1]
    blank = None if line is None else line.width()[0]
    return Enclosure(depth, lexer.blocks.entries[indents][0][0], blank)


def opens_block(lexer: Lexer, stacks: Stacks, configuration: Configuration) -> bool:
    """Return whether a block may begin on the next line with content, by the left side alone."""
    layout = lexer.compiled.layout
    settled = lexer.settle(configuration.lexer)
    if layout is None or settled is None:
        return False
    after, emissions = settled
    heads = stacks.shift_all(configuration.heads, emissions)
    if after.line is None:
        if not lexer.modes.in_layout(after.stack):
            return False
        heads = stacks.shift(heads, layout.newline) if heads else ()
    column = lexer.blocks.entries[after.indents][0]
    return bool(heads) and bool(stacks.shift(heads, layout.indent, (column[0] + 1, column[1] + 1)))
