"""All lexings of a right context, from a start that is not known, as one graph of positions.

A position is a place before a terminal together with all that decides the lexing from there on: modes (the lowest
perhaps one of several), columns of the blocks opened inside the right context, and what is known of the column of
the block around them. Lexings that come to the same position go on as one. Positions are met in an order in which
each comes after all that lead to it (but for the loop of dedents into unknown blocks, which leads to itself).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dovetail.lexing import indentation as columns
from dovetail.lexing.indentation import ANY, FIXED, MARGIN, Column, ColumnSet
from dovetail.lexing.lexer import Line
from dovetail.suffix.last_closers import LastClosers
from dovetail.suffix.lexemes import Lexemes
from dovetail.suffix.trivia import Trivia

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.lexing.lexer import Lexer

UNKNOWN = -1
"""No block was opened inside the right context."""

# Kinds of positions at one offset, in the order in which they are met.
SEAM, ARRANGING, DEDENTING, CONTENT, TEXT_END = range(5)


Key = tuple[tuple[int, int, int], int, int, int, ColumnSet, Column, bool]
"""All that tells positions apart; first the order in which they are met."""


class Position:
    """A place before a terminal; `moves` are computed when it is met."""

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

    def __init__(
        self,
        key: Key,
        number: int,
        *,
        stack: int,
        terminal: int,
        text_end: int,
        known: int,
        around: ColumnSet,
        column: Column,
        dedented: bool,
    ) -> None:
        self.key = key
        self.order = key[0]
        self.offset = key[0][0]
        self.number = number
        self.stack = stack
        self.terminal = terminal
        self.text_end = text_end
        """Where the lexeme of the terminal ends."""
        self.known = known
        self.around = around
        """What is known of the column of the innermost block that was not opened in the right context."""
        self.column = column
        self.dedented = dedented

    @property
    def kind(self) -> int:
        """Which kind of position it is."""
        return self.order[1]


@dataclass(frozen=True, slots=True)
class Move:
    """A terminal, and where it leads."""

    terminal: int
    block: ColumnSet | None
    """For a dedent into the unknown: the columns that the block which it ends may have."""
    targets: tuple[Position, ...]


FRESH = Line()
"""A line that begins."""

BlankStart = str
"""A line that the left side has begun: the blanks that the right context adds, FIXED for a column fixed before."""


class Lattice:
    """The positions of one right context."""

    def __init__(self, lexer: Lexer, text: str) -> None:
        self.lexer = lexer
        self.text = text
        self.layout = lexer.compiled.layout
        self.positions: dict[Key, Position] = {}
        """Those that were made and have not been passed."""
        self._made = 0
        self.lexemes = Lexemes(lexer, text)
        self.last_closers = LastClosers(lexer, text)
        self._trivia = Trivia(self.lexemes)

    def forget(self, position: Position) -> None:
        """Let go of a position that is passed: nothing leads to it any more."""
        self.positions.pop(position.key, None)

    def settle(
        self, offset: int, stack: int, line: Line | BlankStart | None, known: int = UNKNOWN, around: ColumnSet = ANY
    ) -> list[Position]:
        """Return the positions of the next terminal at an offset, past everything that is ignored."""
        found: list[Position] = []
        work: list[tuple[int, int, Line | BlankStart | None]] = [(offset, stack, line)]
        lexer, text = self.lexer, self.text
        while work:
            offset, stack, line = work.pop()
            if offset > self.last_closers.of(stack):
                continue
            if line is None or line == FRESH:
                offset = self._trivia.past(offset, stack, begins=line is not None)
            if line is not None:
                line, offset = self.skip_blanks(line, offset)
            if offset >= len(text):
                found += self.text_end(stack, line, known, around)
                continue
            if line is not None and self.lexemes.begins_content(stack, offset):
                found += self.line_start(offset, stack, line, known, around)
                continue
            for part, terminal, end in self.lexemes.at(stack, offset):
                emitted: dict[bool, None] = {}
                for ignored, ends_line, after, continues_line in lexer.modes.transitions(part, terminal):
                    if ends_line and line is not None:
                        work.append((end, after, FRESH))
                    elif not ignored:
                        emitted[ends_line] = None
                    elif not continues_line or end < len(text):  # the text may not end after one that does
                        work += [(end, after, beyond) for beyond in self.after_ignored(terminal, line)]
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
        """Return what a line may be after an ignored lexeme: a continuation fixes the column of one without content."""
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
        """Return the ways in which a line of this column may stand to the blocks around it."""
        tab = self.lexer.tab
        if known != UNKNOWN:
            top = self.lexer.blocks.entries[known][0]
            if column == top:
                return self.here(offset, stack, known, around)
            if column[0] == top[0] or (column[0] > top[0] and (dedented or column[1] <= top[1])):
                return []
            return [self.arranging(offset, stack, column, known, around, dedented)]
        found: list[Position] = []
        if columns.contains(around, column, tab):
            found += self.here(offset, stack, UNKNOWN, columns.exactly(column))
        if columns.above(around, column, tab) or (not dedented and columns.below(around, column, tab)):
            found.append(self.arranging(offset, stack, column, UNKNOWN, around, dedented))
        return found

    def here(self, offset: int, stack: int, known: int, around: ColumnSet) -> list[Position]:
        """Return the positions of the content of a line (or of the end) whose blocks are settled."""
        if offset == len(self.text):
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
            # The newline that the end of the text stands for: before whatever else comes at this offset.
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
            return [self.end(columns.exactly(MARGIN))]
        return self.arranged(length, bottom, MARGIN, known, around, dedented=False)

    def end(self, around: ColumnSet) -> Position:
        """Return the position before END."""
        return self._position((len(self.text), TEXT_END, 0), terminal=self.lexer.compiled.end, around=around)

    def content(self, offset: int, stack: int, terminal: int, end: int, known: int, around: ColumnSet) -> Position:
        """Return the position before a terminal of the text."""
        return self._position(
            (offset, CONTENT, 0), stack=stack, terminal=terminal, text_end=end, known=known, around=around
        )

    def arranging(
        self, offset: int, stack: int, column: Column, known: int, around: ColumnSet, dedented: bool
    ) -> Position:
        """Return the position before the indent or the next dedent of a line."""
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
            found = self.positions[key] = Position(
                key,
                self._made,
                stack=stack,
                terminal=terminal,
                text_end=text_end,
                known=known,
                around=around,
                column=column,
                dedented=dedented,
            )
        return found

    def moves(self, position: Position) -> list[Move]:
        """Return what may come at a position."""
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
        if position.offset == len(self.text):  # the newline that the end of the text stands for
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
        offset, stack, column, known, around = (
            position.offset,
            position.stack,
            position.column,
            position.known,
            position.around,
        )
        blocks, tab = self.lexer.blocks, self.lexer.tab
        if known != UNKNOWN:
            top, below = blocks.entries[known]
            if column[0] > top[0]:
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
            again = self._position((offset, DEDENTING, 0), stack=stack, column=column)
            beside = self.here(offset, stack, UNKNOWN, columns.exactly(column))
            moves.append(Move(layout.dedent, ended, (again, *beside)))
        return moves

    def _dedent_again(self, position: Position) -> Move:
        """Return the loop: any number of further dedents, each of a block that is deeper than the line."""
        assert self.layout is not None
        deeper = columns.above(ANY, position.column, self.lexer.tab)
        beside = self.here(position.offset, position.stack, UNKNOWN, columns.exactly(position.column))
        return Move(self.layout.dedent, deeper, (position, *beside))

    def seam(self, stack: int, terminal: int, end: int) -> Position:
        """Return the position before a lexeme that the left has begun and that ends at an offset of this text."""
        return self._position((-1, SEAM, end), stack=stack, terminal=terminal, text_end=end)
