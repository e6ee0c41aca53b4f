"""What a language makes of a line, by itself or after what is known at a place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.automata.dfa import START
from dovetail.lexing.indentation import MARGIN, after_blanks, blanks_between
from dovetail.quotient.pending import may_become
from dovetail.recovery.checkpoint import Checkpoint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.lexing.indentation import Column
    from dovetail.lexing.lexer import LexerState
    from dovetail.parsing.stack import Heads, Stacks
    from dovetail.quotient.machine import Machine
    from dovetail.recovery.placeholders import Placeholders


class LineReader:
    """Reads lines of one language over the stacks of one text; knows nothing of what it has read."""

    def __init__(self, machine: Machine, placeholders: Placeholders, stacks: Stacks) -> None:
        self.placeholders = placeholders
        self.lexer = machine.lexer
        self.layout = machine.compiled.layout
        self.stacks = stacks

    def after(self, at: Checkpoint, text: str) -> tuple[LexerState, Heads] | None:
        """Return lexer and stacks after a text that is read from a checkpoint on, or None if it does not fit.

        The last lexeme of the text counts, but for a line end: what that wants is known from the next line on.
        """
        read = self.lexer.lex(at.state, text) if at.heads else None
        if read is None:
            return None
        state, emissions = read
        heads = self.stacks.shift_all(at.heads, emissions)
        if not self.begins_after(state) and not may_become(self.lexer, self.stacks, heads, state):
            return None
        return (state, heads) if heads else None

    def begins_after(self, state: LexerState) -> bool:
        """Return whether a line begins after a line end that a lexer has read: that line end is still pending."""
        layout = self.layout
        return (
            layout is not None
            and state.accepted == layout.newline
            and not state.rest
            and self.lexer.modes.in_layout(state.stack)
        )

    def is_unfinished(self, at: Checkpoint) -> bool:
        """Return whether the end of the line before does not fit."""
        settled = self.lexer.settle(at.state)
        return settled is None or not self.stacks.shift_all(at.heads, settled[1])

    def in_bracket(self, at: Checkpoint) -> bool:
        """Return whether a line begins at a checkpoint in a mode where line ends mean nothing, as in a bracket."""
        state, layout = at.state, self.layout
        return (
            layout is not None
            and state.accepted == layout.newline
            and not state.rest
            and not self.lexer.modes.in_layout(state.stack)
        )

    def is_own(self, line: str) -> bool:
        """Return whether a line seems to be no part of a bracket: it could begin one by itself, and ends as such do."""
        return self._by_itself(line) is not None

    def is_whole(self, line: str) -> bool:
        """Return whether a line seems to be one by itself, and leaves nothing open."""
        read = self._by_itself(line)
        return read is not None and self.begins_after(read[0])

    def _by_itself(self, line: str) -> tuple[LexerState, Heads] | None:
        if line.rstrip().endswith(","):
            return None
        start = Checkpoint(0, self.lexer.start, (self.stacks.bottom,), begins=True)
        return self.after(start, line.lstrip(" \t"))

    def is_content(self, line: str) -> bool:
        """Return whether a line has content: something else than blanks and comments."""
        line = line.lstrip()
        scanner = self.lexer.scanners[self.lexer.modes.scanner_of[self.lexer.modes.bottom]]
        return bool(line) and scanner.steps[START][line[0]] in self.lexer.content

    def first_content(self, text: str, start: int, end: int) -> str:
        """Return the first line with content between two offsets, as far as it goes there; nothing if there is none."""
        for at in (*line_ends(text, start, end), end):
            if self.is_content(text[start:at]):
                return text[start:at]
            start = at
        return ""

    def headers(self, at: Checkpoint, line: str) -> Iterator[str]:
        """Yield headers in the open blocks, the innermost first, under which an indented line may be a block."""
        blocks, indents = self.lexer.blocks.entries, at.state.indents
        own = after_blanks(MARGIN, blanks_of(line), self.lexer.tab)
        while indents >= 0 and self.placeholders.header:
            column, indents = blocks[indents]
            if column[0] < own[0] and column[1] < own[1]:
                yield f"{self.blanks_to(column)}{self.placeholders.header}\n"

    def blanks_to(self, column: Column) -> str:
        """Return blanks that lead to the column of a block."""
        blanks = blanks_between(MARGIN, column, self.lexer.tab)
        assert blanks is not None, "a block has a column that some blanks lead to"
        return blanks


def blanks_of(line: str) -> str:
    """Return the blanks at the start of a line."""
    return line[: len(line) - len(line.lstrip(" \t"))]


def line_ends(text: str, start: int, end: int) -> Iterator[int]:
    """Yield the offsets after each line end between two offsets."""
    at = text.find("\n", start, end)
    while at >= 0:
        yield at + 1
        at = text.find("\n", at + 1, end)
