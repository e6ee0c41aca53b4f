"""The lines and blocks of a language, as error recovery and the extent of a completion need to know them.

`LineLayout` is the interface. It has one implementation, `ColumnLayout`: a logical line ends with a line end outside
brackets, and columns make blocks. A language of brackets and terminators can have another, in which a line ends
wherever one ends in the text and no lexeme goes on over it, and the blanks of a line say how deep it is meant to be.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from dovetail.automata.dfa import START
from dovetail.lexing.indentation import MARGIN, after_blanks, blanks_between

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.lexing.indentation import Column
    from dovetail.lexing.lexer import Lexer, LexerState


class LineLayout(Protocol):
    """Answers about lines and blocks, from the state of the lexer at a line start or from the text of a line."""

    def begins_line(self, state: LexerState) -> bool:
        """Return whether a line begins here on its own: nothing is open but blocks."""

    def in_bracket(self, state: LexerState) -> bool:
        """Return whether the line that begins here is a part of one above it, as inside a bracket."""

    def is_content(self, line: str) -> bool:
        """Return whether a line has more than blanks and comments."""

    def block_blanks(self, state: LexerState) -> str:
        """Return the blanks of a line in the innermost block that is open."""

    def outer_blanks(self, state: LexerState, line: str) -> Iterator[str]:
        """Yield the blanks of each open block that a line is deeper than, the innermost first.

        A header with such blanks may open a block in which the line stands.
        """


class ColumnLayout:
    """Lines that line ends finish and blocks that columns make, as in Python."""

    def __init__(self, lexer: Lexer) -> None:
        layout = lexer.compiled.layout
        assert layout is not None, "the language has a layout"
        self._lexer = lexer
        self._newline = layout.newline
        self._scanner = lexer.scanners[lexer.modes.scanner_of[lexer.modes.bottom]]

    def begins_line(self, state: LexerState) -> bool:
        """Return whether a line begins here: a line end is pending, in the mode where line ends mean something."""
        # The line end is still pending: a line start is known before the blanks of the line are read.
        return state.accepted == self._newline and not state.rest and self._lexer.modes.in_layout(state.stack)

    def in_bracket(self, state: LexerState) -> bool:
        """Return whether a line end is pending in a mode that ignores line ends."""
        return state.accepted == self._newline and not state.rest and not self._lexer.modes.in_layout(state.stack)

    def is_content(self, line: str) -> bool:
        """Return whether the first character after the blanks begins content."""
        line = line.lstrip()
        return bool(line) and self._scanner.steps[START][line[0]] in self._lexer.content

    def block_blanks(self, state: LexerState) -> str:
        """Return blanks of the innermost block's column."""
        return self._blanks_to(self._lexer.blocks.entries[state.indents][0])

    def outer_blanks(self, state: LexerState, line: str) -> Iterator[str]:
        """Yield blanks of each column that the line is indented from."""
        entries, indents = self._lexer.blocks.entries, state.indents
        own = after_blanks(MARGIN, blanks_of(line), self._lexer.tab)
        while indents >= 0:
            column, indents = entries[indents]
            if column[0] < own[0] and column[1] < own[1]:
                yield self._blanks_to(column)

    def _blanks_to(self, column: Column) -> str:
        blanks = blanks_between(MARGIN, column, self._lexer.tab)
        assert blanks is not None, "a block has a column that some blanks lead to"
        return blanks


def line_layout(lexer: Lexer) -> LineLayout | None:
    """Return the lines and blocks of a language; None for one whose description says nothing of them."""
    return None if lexer.compiled.layout is None else ColumnLayout(lexer)


def blanks_of(line: str) -> str:
    """Return the blanks at the start of a line.

    >>> blanks_of("    x = 1")
    '    '
    """
    return line[: len(line) - len(line.lstrip(" \t"))]
