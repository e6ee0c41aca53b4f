"""The enclosure of a place: the modes and the block that are open around it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dovetail.automata.dfa import START

if TYPE_CHECKING:
    from dovetail.lexing.lexer import Lexer, LexerState
    from dovetail.parsing.configuration import Configuration
    from dovetail.parsing.stack import Stacks


class Enclosure(NamedTuple):
    """The open modes and the block around a place. A pending lexeme that may end counts as ended."""

    depth: int
    """The number of open brackets, formatted strings and replacement fields."""
    column: int
    """The column of the innermost block, with tab stops; 0 in a language without layout."""
    blank: int | None
    """The width of a line that has only blanks so far; None after its first content."""


def find_enclosure(lexer: Lexer, state: LexerState) -> Enclosure:
    """Return the enclosure of the place that a lexer state has read up to."""
    stack, indents, line = state.stack, state.indents, state.line
    if state.at != START and not state.rest:
        ended = lexer.ended_as(state, state.accepted)
        if ended is not None:
            # On a line without content the pending lexeme is a comment or a line end.
            stack, line = ended[0].stack, ended[0].line
    depth = 0
    below = lexer.modes.entries[stack][1]
    while below >= 0:
        depth, below = depth + 1, lexer.modes.entries[below][1]
    blank = None if line is None else line.width()[0]
    return Enclosure(depth, lexer.blocks.entries[indents][0][0], blank)


def opens_block(lexer: Lexer, stacks: Stacks, configuration: Configuration) -> bool:
    """Return whether the text read so far lets a block begin on the next line with content."""
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
