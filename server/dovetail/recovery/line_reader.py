"""A reader of single lines: after a checkpoint, or as the only line of a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.lexing.layout import blanks_of
from dovetail.parsing.configuration import Configuration
from dovetail.quotient.enclosure import opens_block
from dovetail.recovery.checkpoint import Checkpoint
from dovetail.recovery.line_ends import line_ends

if TYPE_CHECKING:
    from dovetail.parsing.stack import Stacks
    from dovetail.quotient.machine import Machine
    from dovetail.recovery.placeholders import Placeholders


CLOSERS = (")", "]", "}")


class LineReader:
    """Reads lines of one language over the stacks of one text; keeps nothing of what it has read."""

    reads_lines: bool
    """True if the language has lines that can be left out."""
    has_statements = True
    """False if there is nothing in the language that can be left out whole but elements of brackets."""

    def __init__(self, machine: Machine, placeholders: Placeholders, stacks: Stacks) -> None:
        self.machine = machine
        self.placeholders = placeholders
        self.lexer = machine.lexer
        self.layout = machine.layout
        self.reads_lines = self.layout is not None
        self.stacks = stacks

    def after(self, at: Checkpoint, text: str) -> Configuration | None:
        """Return the configuration after a text that is read from a checkpoint on, or None if it does not fit.

        The lexeme in progress at the end of the text has to fit too, unless it is a line end: the next line decides
        how many blocks that one closes.
        """
        lexer, stacks, layout = self.lexer, self.stacks, self.layout
        read = at.configuration.read(lexer, stacks, text) if at.configuration.heads else None
        if read is None or (layout is not None and layout.begins_line(read.lexer)) or read.may_go_on(lexer, stacks):
            return read
        return None

    def begins_line(self, configuration: Configuration) -> bool:
        """Return whether a line begins here on its own (`LineLayout.begins_line`)."""
        return self.layout is not None and self.layout.begins_line(configuration.lexer)

    def misses_block(self, at: Checkpoint, line: str) -> bool:
        """Return whether the line before a checkpoint is a header and the next one is not deeper than it."""
        if self.layout is None or not opens_block(self.lexer, self.machine.brackets, self.stacks, at.configuration):
            return False
        return len(blanks_of(line)) <= len(self.layout.block_blanks(at.configuration.lexer))

    def in_bracket(self, at: Checkpoint) -> bool:
        """Return whether the line that begins at a checkpoint is inside a bracket (`LineLayout.in_bracket`)."""
        return self.layout is not None and self.layout.in_bracket(at.configuration.lexer)

    def is_content(self, line: str) -> bool:
        """Return whether a line has more than blanks and comments."""
        if self.layout is not None:
            return self.layout.is_content(line)
        line, comment = line.strip(), self.lexer.compiled.comment
        return bool(line) and not (comment is not None and line.startswith(comment))

    def is_unfinished(self, at: Checkpoint) -> bool:
        """Return whether the line before a checkpoint cannot end where it does, as after `x = 1 +`."""
        # At a line start the line end itself is pending. Settled, it shows whether the grammar takes it.
        settled = self.lexer.settle(at.configuration.lexer)
        return settled is None or not self.stacks.shift_all(at.configuration.heads, settled[1])

    def is_one_line(self, text: str) -> bool:
        """Return whether brackets hold the lines of a text together, and columns show that they were meant to.

        Lines after the first are deeper than it or begin with a closing bracket, as code below a bracket that is never
        closed is not.
        """
        state, lexer, layout = self.lexer.start, self.lexer, self.layout
        if layout is None:
            return False
        column, start = len(blanks_of(text)), 0
        ends = [*line_ends(text, 0, len(text))]
        for end in ends:
            # At the margin any indentation of the first line would be refused.
            line = text[start:end] if start else text[:end].lstrip(" \t")
            lexed = lexer.lex(state, line)
            deeper = start == 0 or len(blanks_of(line)) > column or line.lstrip(" \t")[:1] in CLOSERS
            if lexed is None or not (deeper or not self.is_content(line)):
                return False
            state, start = lexed[0], end
            if end != ends[-1] and not layout.in_bracket(state):
                return False
        return start == len(text) and layout.begins_line(state)

    def is_own(self, line: str) -> bool:
        """Return whether a line looks like one outside brackets: it may begin a program, and no comma ends it."""
        return self._by_itself(line) is not None

    def is_whole(self, line: str) -> bool:
        """Return whether a line looks like one outside brackets that leaves nothing open."""
        read = self._by_itself(line)
        return read is not None and self.begins_line(read)

    def _by_itself(self, line: str) -> Configuration | None:
        # `"one",` is a whole statement, a tuple. In a broken document it is far more often an element of a bracket.
        if line.rstrip().endswith(","):
            return None
        start = Checkpoint(0, Configuration((self.stacks.bottom,), self.lexer.start), begins=True)
        # At the margin any indentation would be refused before the line is looked at.
        return self.after(start, line.lstrip(" \t"))

    def first_content(self, text: str, start: int, end: int) -> str:
        """Return the first line with content between two offsets, cut off at `end`; empty without such a line."""
        for at in (*line_ends(text, start, end), end):
            if self.is_content(text[start:at]):
                return text[start:at]
            start = at
        return ""
