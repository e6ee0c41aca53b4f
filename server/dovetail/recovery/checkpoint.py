"""Checkpoints: the state of lexer and parser at a line start of the left text, and the text skipped before it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dovetail.quotient.omission import Omission

if TYPE_CHECKING:
    from dovetail.parsing.configuration import Configuration


class Checkpoint(NamedTuple):
    """Lexer and parse stacks after the text before an offset."""

    offset: int
    configuration: Configuration
    begins: bool
    """A line begins here on its own: nothing is open but blocks."""
    left_out: tuple[Omission, ...] = ()
    cost: int = 0
    """The cost of all repairs tried up to here, those undone later included (`recovery.limits`)."""
    rests_on: int = 0
    """The offset up to which the text decided this: at least `offset`, more after a repair made further down."""

    def skip(self, end: int) -> Checkpoint:
        """Return the checkpoint at `end` where the text up to there is skipped: nothing else changes."""
        left_out = (*self.left_out, Omission(self.offset, end))
        # After the cursor each reading has a patience of its own, and no edit forgets its checkpoints.
        return self._replace(offset=end, left_out=left_out, cost=0, rests_on=0)
