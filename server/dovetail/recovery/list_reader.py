"""A reader of lines in a language without statements, as JSON: each line may be an element of the bracket around it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from dovetail.quotient.right_side import read_shared_right
from dovetail.recovery.line_reader import CLOSERS, LineReader

if TYPE_CHECKING:
    from dovetail.parsing.brackets import Opened
    from dovetail.parsing.configuration import Configuration
    from dovetail.parsing.stack import Node, Stacks
    from dovetail.quotient.machine import Machine
    from dovetail.quotient.right_side import RightSide
    from dovetail.recovery.checkpoint import Checkpoint
    from dovetail.recovery.placeholders import Placeholders


class ListReader(LineReader):
    """Reads lines of which none begins on its own but the first."""

    has_statements = False

    def __init__(self, machine: Machine, placeholders: Placeholders, stacks: Stacks) -> None:
        super().__init__(machine, placeholders, stacks)
        self.reads_lines = True
        self._opened: dict[Node, Opened] = {}

    @cached_property
    def _end(self) -> RightSide:
        return read_shared_right(self.machine, self.stacks, "")

    def in_bracket(self, at: Checkpoint) -> bool:
        """Return whether a line begins inside a bracket, and in no lexeme."""
        return not self.lexer.is_delimited(at.configuration.lexer) and self.depth(at.configuration) > 0

    def depth(self, configuration: Configuration) -> int:
        """Return the number of brackets open; 0 if nothing was read."""
        heads = configuration.heads
        return self.machine.brackets.opened(heads[0], self._opened).brackets if heads else 0

    def closing(self, at: Checkpoint) -> str:
        """Return the shortest text that ends the whole text at a checkpoint; empty if none does, or none need."""
        return self._end.closings.closing(at.configuration) or ""

    def element(self, at: Checkpoint) -> str:
        """Return the shortest text at a checkpoint before what closes the bracket around it; empty if none is known."""
        closing = self.closing(at)
        for place, sign in enumerate(closing):
            read = self.after(at, closing[:place]) if sign in CLOSERS else None
            if read is not None and self.depth(read) == self.depth(at.configuration):
                return closing[:place]
        return ""
