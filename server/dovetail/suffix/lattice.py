"""The lattice: all lexings of a right context from an unknown start, as one graph of positions.

A position is a place before a terminal, together with everything that decides the lexing from there on: the mode
stack, whose lowest entry may be one of several modes; the columns of the blocks opened inside the right context; and
the set of columns that the unknown block around them may have. Lexings that come to equal positions go on as one.

Positions have an order in which each comes after all positions that lead to it. The only exception is the loop of
dedents of unknown blocks, which leads to itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dovetail.lexing import indentation as columns
from dovetail.lexing.indentation import ANY, FIXED, MARGIN, Column, ColumnSet
from dovetail.lexing.lexer import Line
from dovetail.suffix.last_closers import LastClosers
from dovetail.suffix.lexemes import Lexemes, OpenLexemes
from dovetail.suffix.trivia import Trivia

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.lexing.lexer import Lexer

UNKNOWN = -1
"""No block was opened inside the right context."""
BEYOND = -2
"""The terminal of the position at the end of a text that is not whole: anything may follow."""

# The kinds of positions at one offset, in their order: a column is settled before the content of its line is read.
SEAM, ARRANGING, DEDENTING, CONTENT, TEXT_END = range(5)


Key = tuple[tuple[int, int, int], int, int, int, ColumnSet, Column, bool]
"""Everything that tells positions apart, the order first."""


class Position:
    """A place before a terminal; `Lattice.moves` has the ways on.

    `known`: the blocks opened in the right context, in `Lexer.blocks`, or UNKNOWN. `around`: the columns that the
    innermost block opened before the right context may have. `column` and `dedented`: of a line whose indent or
    dedents are still to come, its column, and whether one dedent has come.
    """

    __slots__ = (
        "around",
        "column",
        "dedented",
        "key",
        "known",
        "number",
        "offset",
        "order",
        "stack",
        "terminal",
        "text_end",
    )

    def __init__(self, key: Key, number: int, text_end: int) -> None:
        self.key = key
        self.order, self.stack, self.terminal, self.known, self.around, self.column, self.dedented = key
        self.offset = key[0][0]
        self.number = number
        self.text_end = text_end
        """The end of the terminal's lexeme."""

    @property
    def kind(self) -> int:
        """The kind of the position, from SEAM to TEXT_END."""
        return self.order[1]


@dataclass(frozen=True, slots=True)
class Move:
    """A terminal and the positions after it."""

    terminal: int
    block: ColumnSet | None
    """For a dedent of an unknown block: the columns that the block may have."""
    targets: tuple[Position, ...]


FRESH = Line()
"""A line at its first character."""

BlankStart = str
"""The blanks of the right context on a line that the left side has begun; FIXED for a column fixed before them."""


class Lattice:
    """The positions of one right context."""

    def __init__(self, lexer: Lexer, text: str, *, whole: bool = True) -> None:
        """Prepare to read a text; `whole`: the program ends with it, otherwise anything may follow."""
        self.lexer = lexer
        self.text = text
        self.whole = whole
        self.layout = lexer.compiled.layout
        self.positions: dict[Key, Position] = {}
        """Key → position, for the positions that are not passed yet."""
        self._made = 0
        self.lexemes = Lexemes(lexer, text) if whole else OpenLexemes(lexer, text)
        self.last_closers = LastClosers(lexer, text, whole=whole)
        self._trivia = Trivia(self.lexemes)

    def forget(self, position: Position) -> None:
        """Remove a position that is passed: nothing leads to it any more."""
        self.positions.pop(position.key, None)

    def settle(
        self, offset: int, stack: int, line: Line | BlankStart | None, known: int = UNKNOWN, around: ColumnSet = ANY
    ) -> list[Position]:
        """Return the positions of the next terminal at or after an offset, past trivia.

        `line`: the blanks of the line so far, or None after its first content.
        """
        found: list[Position] = []
        work: list[tuple[int, int, Line | BlankStart | None]] = [(offset, stack, line)]
        lexer, text = self.lexer, self.text
        while work:
            offset, stack, line = work.pop()
            if offset > self.last_closers.of(stack):
                continue  # A mode would stay open to the end of the text.
            if line is None or line == FRESH:
                offset = self._trivia.past(offset, stack, begins=line is not None)
            if line is not None:
                line, offset = self.skip_blanks(line, offset)
            if offset >= len(text):
                found += self.text_end(stack, line, known, around) if self.whole else [self.beyond(stack, around)]
                continue
            if line is not None and self.lexemes.begins_content(stack, offset):
                found += self.line_start(offset, stack, line, known, around)
                continue
            for part, terminal, end in self.lexemes.at(stack, offset):
                emitted: dict[bool, None] = {}
                for ignored, ends_line, after, continues_line in lexer.modes.transitions(part, terminal):
                    # The end of a line without content means nothing to the grammar: a new line begins.
                    if ends_line and line is not None:
                        work.append((end, after, FRESH))
                    elif not ignored:
                        emitted[ends_line] = None
                    elif not continues_line or self.may_end_after(end):
                        work += [(end, after, beyond) for beyond in self.after_ignored(terminal, line)]
                # A terminal may end the line in one mode and be plain in another. Those are different branches.
                for ends_line in emitted:
                    reading = lexer.modes.reading(part, terminal, ends_line=ends_line)
                    found.append(self.content(offset, reading, terminal, end, known, around))
        return list(dict.fromkeys(found)) if len(found) > 1 else found

    def skip_blanks(self, line: Line | BlankStart, offset: int) -> tuple[Line | BlankStart, int]:
        """Read the blanks at the start of a line."""
        text, lexer = self.text, self.lexer
        while offset < len(text) and text[offset] in lexer.blanks:
            if isinstance(line, str):
                line += "" if line.endswith(FIXED) else text[offset]
            else:
                line = Line(columns.widen(line.column, text[offset], lexer.tab), line.fixed)
            offset += 1
        return line, offset

    def after_ignored(self, terminal: int, line: Line | BlankStart | None) -> Sequence[Line | BlankStart | None]:
        """Return the line after an ignored lexeme: a continuation fixes the column of a line without content."""
        if terminal != self.lexer.continuation or line is None:
            return (line,)
        if isinstance(line, str):
            return columns.continued(line, self.lexer.tab)
        return (line.continued(),)

    def line_start(
        self, offset: int, stack: int, line: Line | BlankStart, known: int, around: ColumnSet
    ) -> list[Position]:
        """Return the positions at the first content of a line."""
        if isinstance(line, str):
            around = columns.ending_in(line, self.lexer.tab)
            return self.here(offset, stack, UNKNOWN, around)
        return self.arranged(offset, stack, line.width(), known, around, dedented=False)

    def arranged(
        self, offset: int, stack: int, column: Column, known: int, around: ColumnSet, *, dedented: bool
    ) -> list[Position]:
        """Return the positions of a line of this column, for each way in which it may stand to the blocks around it.

        In a known block the column decides. In an unknown block it may be equal, deeper, or end any number of blocks.
        """
        tab = self.lexer.tab
        if known != UNKNOWN:
            top = self.lexer.blocks.entries[known][0]
            if column == top:
                return self.here(offset, stack, known, around)
            # As CPython: the same width by other blanks is a TabError, and a dedent has to meet an open block's column.
            if column[0] == top[0] or (column[0] > top[0] and (dedented or column[1] <= top[1])):
                return []
            return [self.arranging(offset, stack, column, known, around, dedented)]
        found: list[Position] = []
        # The line fixes the column of the unknown block: from here on the block is known by it.
        if columns.contains(around, column, tab):
            found += self.here(offset, stack, UNKNOWN, columns.exactly(column))
        if columns.above(around, column, tab) or (not dedented and columns.below(around, column, tab)):
            found.append(self.arranging(offset, stack, column, UNKNOWN, around, dedented))
        return found

    def here(self, offset: int, stack: int, known: int, around: ColumnSet) -> list[Position]:
        """Return the positions at the content of a line whose blocks are settled, or at the end of the text."""
        if offset == len(self.text) and self.whole:
            return [self.end(around)]
        return self.settle(offset, stack, None, known, around)

    def text_end(self, stack: int, line: Line | BlankStart | None, known: int, around: ColumnSet) -> list[Position]:
        """Return the positions at the end of the text."""
        modes = self.lexer.modes
        if not modes.may_end(stack):
            return []
        length = len(self.text)
        bottom = modes.bottom
        if self.layout is None:
            return [self.end(around)]
        if line is None:
            # The end of the text stands for a newline. It comes before anything else at this offset.
            return [
                self._position(
                    (length, SEAM, 0),
                    stack=bottom,
                    terminal=self.layout.newline,
                    text_end=length,
                    known=known,
                    around=around,
                )
            ]
        if isinstance(line, str):
            # The left side has begun the line. It ends the blocks that are open, as before a line of column zero.
            return [self.end(columns.exactly(MARGIN))]
        return self.arranged(length, bottom, MARGIN, known, around, dedented=False)

    def end(self, around: ColumnSet) -> Position:
        """Return the position before END."""
        return self._position((len(self.text), TEXT_END, 0), terminal=self.lexer.compiled.end, around=around)

    def may_end_after(self, offset: int) -> bool:
        """Return whether something follows at an offset: a whole text may not end after a continuation."""
        return offset < len(self.text) or not self.whole

    def beyond(self, stack: int, around: ColumnSet) -> Position:
        """Return the position at the end of a text that is not whole."""
        return self._position((len(self.text), TEXT_END, 0), stack=stack, terminal=BEYOND, around=around)

    def content(self, offset: int, stack: int, terminal: int, end: int, known: int, around: ColumnSet) -> Position:
        """Return the position before a terminal of the text."""
        return self._position(
            (offset, CONTENT, 0), stack=stack, terminal=terminal, text_end=end, known=known, around=around
        )

    def arranging(
        self, offset: int, stack: int, column: Column, known: int, around: ColumnSet, dedented: bool
    ) -> Position:
        """Return the position before the indent or the next dedent of a line."""
        # Each dedent leads to a position at the same offset with one block less. The negative depth puts it later.
        depth = self.lexer.blocks.depths[known] if known != UNKNOWN else 0
        return self._position(
            (offset, ARRANGING, -depth), stack=stack, column=column, known=known, around=around, dedented=dedented
        )

    def _position(
        self,
        order: tuple[int, int, int],
        *,
        stack: int = -1,
        terminal: int = -1,
        text_end: int = 0,
        known: int = UNKNOWN,
        around: ColumnSet = ANY,
        column: Column = MARGIN,
        dedented: bool = False,
    ) -> Position:
        key: Key = (order, stack, terminal, known, around, column, dedented)
        found = self.positions.get(key)
        if found is None:
            self._made += 1
            found = Position(key, self._made, text_end)
            self.positions[key] = found
        return found

    def moves(self, position: Position) -> list[Move]:
        """Return the ways on from a position."""
        kind = position.kind
        if kind == TEXT_END:
            return [Move(position.terminal, None, ())]
        if kind in (CONTENT, SEAM):
            return [Move(position.terminal, None, tuple(self.after_terminal(position)))]
        if kind == DEDENTING:
            return [self._dedent_again(position)]
        return self._arrange(position)

    def after_terminal(self, position: Position) -> list[Position]:
        """Return the positions after the terminal of a position."""
        stack, terminal, end = position.stack, position.terminal, position.text_end
        if position.offset == len(self.text) and self.whole:  # The end of the text stands for a newline.
            return self.arranged(end, stack, MARGIN, position.known, position.around, dedented=False)
        found: list[Position] = []
        for ignored, ends_line, after, _ in self.lexer.modes.transitions(stack, terminal):
            assert not ignored
            line = Line() if ends_line else None
            found += self.settle(end, after, line, position.known, position.around)
        return list(dict.fromkeys(found))

    def _arrange(self, position: Position) -> list[Move]:
        layout = self.layout
        assert layout is not None
        offset, stack, column = position.offset, position.stack, position.column
        known, around = position.known, position.around
        blocks, tab = self.lexer.blocks, self.lexer.tab
        if known != UNKNOWN:
            top, below = blocks.entries[known]
            if column[0] > top[0]:
                # The text alone opens more blocks than may be open, whatever lies around it.
                if 0 < layout.deepest <= blocks.depths[known]:
                    return []
                inside = self.here(offset, stack, blocks.push(column, known), around)
                return [Move(layout.indent, None, tuple(inside))]
            outside = self.arranged(offset, stack, column, below, around, dedented=True)
            return [Move(layout.dedent, None, tuple(outside))]
        moves: list[Move] = []
        lower = None if position.dedented else columns.below(around, column, tab)
        if lower is not None:
            inside = self.here(offset, stack, blocks.push(column, UNKNOWN), lower)
            moves.append(Move(layout.indent, None, tuple(inside)))
        ended = columns.above(around, column, tab)
        if ended is not None:
            # One position for all further dedents: their number is unknown, and the loop stands for any.
            again = self._position((offset, DEDENTING, 0), stack=stack, column=column)
            beside = self.here(offset, stack, UNKNOWN, columns.exactly(column))
            moves.append(Move(layout.dedent, ended, (again, *beside)))
        return moves

    def _dedent_again(self, position: Position) -> Move:
        """Return the loop of further dedents: any number, each of a block deeper than the line."""
        assert self.layout is not None
        # The further blocks lie around the unknown one. All that is known of them is that the line ends them.
        deeper = columns.above(ANY, position.column, self.lexer.tab)
        beside = self.here(position.offset, position.stack, UNKNOWN, columns.exactly(position.column))
        return Move(self.layout.dedent, deeper, (position, *beside))

    def seam(self, stack: int, terminal: int, end: int) -> Position:
        """Return the position before a lexeme that the left side has begun and that ends at an offset of this text."""
        # Before offset 0, so entries come before every position that they lead to.
        return self._position((-1, SEAM, end), stack=stack, terminal=terminal, text_end=end)
