"""The single path: the next position of a right context where only one can follow.

After its first line most of a text can be read in one way only. Then no choice has to be kept, and the next position
is four integers instead of an object. This is sound as long as all modes of the branch read the same lexemes, each
lexeme has one transition of modes, and a new line begins at the column of the block that is open. Otherwise the
lattice has to enumerate the positions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.lexing.lexer import Line
from dovetail.lexing.scanner import beginning_at
from dovetail.suffix.lattice import UNKNOWN

if TYPE_CHECKING:
    from dovetail.lexing.indentation import ColumnSet
    from dovetail.suffix.lattice import Lattice


class SinglePath:
    """Steps from one position of a lattice to the next."""

    def __init__(self, lattice: Lattice) -> None:
        self.lattice = lattice
        self.lexer = lattice.lexer
        self.text = lattice.text
        self._agreements: dict[tuple[tuple[int, ...], str], tuple[int, int]] = {}
        """(modes, beginning of a lexeme) → the terminal and length that all modes read; terminal -1 if they differ."""

    def after(
        self, stack: int, terminal: int, end: int, known: int, around: ColumnSet
    ) -> tuple[int, int, int, int] | None:
        """Return the only position after a terminal as (offset, mode stack, terminal, end).

        None if there may be several, or none: `Lattice.after_terminal` tells. The columns `known` and `around` are
        the same after the terminal as before.
        """
        modes, text, last_closers = self.lexer.modes, self.text, self.lattice.last_closers
        length, closed = len(text), last_closers.known
        way = modes.known_transition(stack, terminal)
        if way is None:
            return None
        _, fresh_line, stack, _ = way
        offset = end
        if fresh_line:
            found = self._same_column(offset, stack, known, around)
            if found is None:
                return None
            offset = found
        # Beyond its last closer a mode cannot end any more, and the text may not end inside it.
        while offset < length and offset <= (closed[stack] if stack in closed else last_closers.of(stack)):
            tops = modes.entries[stack][0]
            if len(tops) == 1:
                terminal, end = self.lattice.lexemes.longest(modes.scanner_of[stack], offset)
            else:
                terminal, end = self._agreed(tops, offset)
            if terminal < 0:
                return None
            way = modes.known_transition(stack, terminal)
            if way is None:
                return None
            ignored, ends_line, after, continues_line = way
            # A text may not end right after a backslash and its line end. The lattice tests that, so it goes on from
            # here.
            if continues_line:
                return None
            if not ignored:
                return offset, modes.reading(stack, terminal, ends_line=ends_line), terminal, end
            stack, offset = after, end
        return None

    def _same_column(self, offset: int, stack: int, known: int, around: ColumnSet) -> int | None:
        """Return the offset of a line's content if it stands at the column of the open block, else None."""
        line, offset = self.lattice.skip_blanks(Line(), offset)
        if offset >= len(self.text) or not self.lattice.lexemes.begins_content(stack, offset):
            return None
        assert isinstance(line, Line)
        column = line.width()
        if known == UNKNOWN:
            # An unknown block decides nothing only if its column is known and is the line's.
            return offset if around.low == column == around.high else None
        return offset if self.lexer.blocks.entries[known][0] == column else None

    def _agreed(self, tops: tuple[int, ...], offset: int) -> tuple[int, int]:
        """Return the lexeme that all modes read at an offset as (terminal, end); terminal -1 if they differ."""
        beginning = beginning_at(self.text, offset)
        found = self._agreements.get((tops, beginning))
        if found is not None:
            return found[0], offset + found[1]
        numbers = dict.fromkeys(self.lexer.modes.modes[number].automaton for number in tops)
        read = {self.lattice.lexemes.longest(number, offset) for number in numbers}
        terminal, end = read.pop() if len(read) == 1 else (-1, offset)
        # A scanner remembers a beginning only if it decides the lexeme whatever follows: so the answer holds elsewhere.
        if all(self.lexer.scanners[number].remembers(beginning) for number in numbers):
            self._agreements[tops, beginning] = terminal, end - offset
        return terminal, end
