"""Whole lines of a right context, read as the left side reads them, once it is known where they stand.

That is so in the mode where layout means something, inside a block whose column is known, or which the right context
has opened itself. Nothing is unknown there but what lies around that block, so a line is read by `Lexer.lex`, several
times as fast as position by position.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.automata.dfa import START
from dovetail.lexing.lexer import LexerState, Line
from dovetail.suffix.lattice import UNKNOWN

if TYPE_CHECKING:
    from dovetail.lexing.indentation import Column
    from dovetail.lexing.lexer import Emission
    from dovetail.suffix.lattice import Lattice

_OUTSIDE: Column = (-1, -1)  # the column of what lies around the block: a line that is not in the block meets it


class KnownLines:
    """Reads on in a lattice by whole lines."""

    def __init__(self, lattice: Lattice) -> None:
        self.lexer = lattice.lexer
        self.text = lattice.text
        layout = lattice.layout
        self._newline = layout.newline if layout else -1
        self._outside = self.lexer.blocks.push(_OUTSIDE, UNKNOWN)

    def blocks(self, known: int, column: Column | None) -> int:
        """Return the blocks of a lexer's state: those opened in the text, inside one of a known column if there is."""
        entries, columns = self.lexer.blocks.entries, []
        while known != UNKNOWN:
            top, known = entries[known]
            columns.append(top)
        found = self._outside if column is None else self.lexer.blocks.push(column, self._outside)
        for inner in reversed(columns):
            found = self.lexer.blocks.push(inner, found)
        return found

    def depth(self, blocks: int, *, inside: bool) -> int:
        """Return the number of blocks opened in the text, of those in a lexer's state."""
        depths = self.lexer.blocks.depths
        return depths[blocks] - depths[self._outside] - inside

    def outermost(self, known: int) -> Column | None:
        """Return the column of the outermost block opened in the text; None if there is none."""
        entries, column = self.lexer.blocks.entries, None
        while known != UNKNOWN:
            column, known = entries[known]
        return column

    def known(self, blocks: int, *, inside: bool) -> int:
        """Return the blocks opened in the text, of those that a lexer's state has.

        `inside`: they lie in a block of a known column.
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
        """Read on to the next start of a line: return its offset, the blocks there, and the terminals before it.

        `begins`: the offset is such a start itself; otherwise the line has content before it. None where the text
        ends before the line does, where no lexeme goes on, and at a line that is not in the block.
        """
        lexer, text, bottom = self.lexer, self.text, self.lexer.modes.bottom
        state = LexerState(bottom, blocks, Line() if begins else None, START, -1, "")
        terminals: list[Emission] = []
        while True:
            end = text.find("\n", offset) + 1
            read = lexer.lex(state, text[offset:end]) if end else None
            if read is None:
                return None
            state, emissions = read
            terminals += emissions
            if state.accepted == self._newline and not state.rest and state.stack == bottom:
                if state.line is None:
                    terminals.append(lexer.plain[self._newline])
                return end, state.indents, terminals
            offset = end
