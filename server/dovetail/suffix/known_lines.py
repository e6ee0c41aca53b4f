"""Known lines: whole lines of a right context that the lexer of the left side reads.

This is sound for lines inside a block of known column: one that the right context has opened itself, or the unknown
block around it once a line has fixed its column. The lexing of such a line depends on nothing unknown. `Lexer.lex`
reads it several times as fast as the lattice, position by position.

What lies around the block stays unknown. It is represented by a block of column (-1, -1), which no line meets: a line
outside the block gives no lexeme, and is left to the lattice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.automata.dfa import START
from dovetail.lexing.indentation import exactly
from dovetail.lexing.lexer import LexerState, Line
from dovetail.suffix.lattice import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dovetail.lexing.indentation import Column
    from dovetail.lexing.lexer import Emission
    from dovetail.suffix.lattice import Lattice, Position

_OUTSIDE: Column = (-1, -1)


class KnownLines:
    """Reads whole lines, and translates between the blocks of a lexer's state and those of a position."""

    def __init__(self, lattice: Lattice) -> None:
        self.lexer = lattice.lexer
        self.text = lattice.text
        layout = lattice.layout
        self._newline = layout.newline if layout else -1
        self._outside = self.lexer.blocks.push(_OUTSIDE, UNKNOWN)

    def blocks(self, known: int, column: Column | None) -> int:
        """Return the blocks of a lexer's state for a position's blocks.

        `known`: the blocks opened in the text. `column`: the column of the block around them, or None if unknown.
        """
        entries, columns = self.lexer.blocks.entries, []
        while known != UNKNOWN:
            top, known = entries[known]
            columns.append(top)
        found = self._outside if column is None else self.lexer.blocks.push(column, self._outside)
        # Collected from the innermost block outwards, and pushed from the outermost inwards.
        for inner in reversed(columns):
            found = self.lexer.blocks.push(inner, found)
        return found

    def depth(self, blocks: int, *, inside: bool) -> int:
        """Return how many of the blocks in a lexer's state were opened in the text."""
        depths = self.lexer.blocks.depths
        return depths[blocks] - depths[self._outside] - inside

    def outermost(self, known: int) -> Column | None:
        """Return the column of the outermost block opened in the text; None without a block."""
        entries, column = self.lexer.blocks.entries, None
        while known != UNKNOWN:
            column, known = entries[known]
        return column

    def meeting_offset(self, position: Position, others: Iterable[Position]) -> int:
        """Return the offset of the first of other branches that may come to stand in the same block as a position."""
        block = self.outermost(position.known)
        found = len(self.text)
        for other in others:
            if other.offset >= found:
                continue
            # A branch in a block of unknown column may come to stand at any column, so it may meet this one.
            is_open = other.known == UNKNOWN and other.around != exactly(other.around.low)
            if is_open or (other.around == position.around and self.outermost(other.known) == block):
                found = other.offset
        return found

    def known(self, blocks: int, *, inside: bool) -> int:
        """Return the blocks opened in the text, from the blocks of a lexer's state.

        `inside`: they lie in a block of known column, as with a `column` in `blocks`.
        """
        entries, columns = self.lexer.blocks.entries, []
        while blocks != self._outside:
            top, blocks = entries[blocks]
            columns.append(top)
        found = UNKNOWN
        for inner in reversed(columns[: len(columns) - inside]):
            found = self.lexer.blocks.push(inner, found)
        return found

    def read(self, offset: int, blocks: int, *, begins: bool) -> tuple[int, int, list[Emission]] | None:
        """Read to the next line start; return its offset, the blocks there, and the terminals before it.

        `begins`: a line begins at the offset; otherwise it has content before. None if the text ends inside the line,
        if a lexeme is refused, or if the line stands outside the block.
        """
        lexer, text, bottom = self.lexer, self.text, self.lexer.modes.bottom
        state = LexerState(bottom, blocks, Line() if begins else None, START, -1, "")
        terminals: list[Emission] = []
        while True:
            # Parts end at `\n` alone. A lone `\r` inside one is a line end to the lexer, and only makes the part
            # longer.
            end = text.find("\n", offset) + 1
            read = lexer.lex(state, text[offset:end]) if end else None
            if read is None:
                return None
            state, emissions = read
            terminals += emissions
            if state.accepted == self._newline and not state.rest and state.stack == bottom:
                # The line end is pending in the lexer. The next line has begun, so the parser gets it now.
                if state.line is None:
                    terminals.append(lexer.plain[self._newline])
                return end, state.indents, terminals
            # The line goes on in a bracket, in a long string or after a backslash.
            offset = end
