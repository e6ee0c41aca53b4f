"""The next position of a right context where there is only one, without the objects that a choice needs.

After its first line most of a text is read in one way: the modes are known or read alike, and so are the columns.
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
    """Reads on in a lattice from one position to the next."""

    def __init__(self, lattice: Lattice) -> None:
        self.lattice = lattice
        self.lexer = lattice.lexer
        self.text = lattice.text
        self._agreements: dict[tuple[tuple[int, ...], str], tuple[int, int]] = {}
        """Modes, and the beginning of a lexeme → the terminal and the length that all of them read, or -1."""

    def after(
        self, stack: int, terminal: int, end: int, known: int, around: ColumnSet
    ) -> tuple[int, int, int, int] | None:
        """Return the position after a terminal as (offset, stack, terminal, end) if it is the only one.

        Only where the lexemes up to it are read in one way each and the columns around the text stay as they are;
        None says that `after_terminal` has to be asked.
        """
        modes, text = self.lexer.modes, self.text
        length = len(text)
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
        while offset < length and offset <= self.lattice.last_closers.of(stack):
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
            if continues_line:
                return None
            if not ignored:
                return offset, modes.reading(stack, terminal, ends_line=ends_line), terminal, end
            stack, offset = after, end
        return None

    def _same_column(self, offset: int, stack: int, known: int, around: ColumnSet) -> int | None:
        """Return the offset of a line's content if the line begins there, in the block that is open."""
        line, offset = self.lattice.skip_blanks(Line(), offset)
        if offset >= len(self.text) or not self.lattice.lexemes.begins_content(stack, offset):
            return None
        assert isinstance(line, Line)
        column = line.width()
        if known == UNKNOWN:
            return offset if around.low == column == around.high else None
        return offset if self.lexer.blocks.entries[known][0] == column else None

    def _agreed(self, tops: tuple[int, ...], offset: int) -> tuple[int, int]:
        """Return the lexeme that all modes read at an offset, or terminal -1 if they differ."""
        beginning = beginning_at(self.text, offset)
        found = self._agreements.get((tops, beginning))
        if found is not None:
            return found[0], offset + found[1]
        numbers = dict.fromkeys(self.lexer.modes.modes[number].automaton for number in tops)
        read = {self.lattice.lexemes.longest(number, offset) for number in numbers}
        terminal, end = read.pop() if len(read) == 1 else (-1, offset)
        if all(self.lexer.scanners[number].remembers(beginning) for number in numbers):
            self._agreements[tops, beginning] = terminal, end - offset
        return terminal, end
