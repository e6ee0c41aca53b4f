"""A line that does not fit, and a way to go on."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dovetail.quotient.omission import Omission
from dovetail.recovery.limits import LINES_PER_COST

if TYPE_CHECKING:
    from dovetail.parsing.configuration import Configuration
    from dovetail.recovery.checkpoint import Checkpoint
    from dovetail.recovery.history import History


class Misfit(NamedTuple):
    """A line that does not fit after the lines read before it."""

    history: History
    begun: int
    """The index of the last checkpoint at which a line begins on its own: this one, or one that it is a part of."""
    ends: list[int]
    """The offsets up to which the text is still to be read; the line ends at the first."""
    is_cursor_line: bool
    """The cursor is at its end, so it has to be kept."""

    @property
    def at(self) -> Checkpoint:
        """The checkpoint at which the logical line begins."""
        return self.history.checkpoints[self.begun]

    @property
    def line(self) -> str:
        """The text from there to the end of the line that does not fit."""
        return self.history.text[self.at.offset : self.ends[0]]


class Fix(NamedTuple):
    """A way to go on: checkpoints after `base` are dropped and one is added."""

    base: int
    """The index of the last checkpoint that stays."""
    offset: int
    """The offset of the checkpoint to add."""
    left_out: tuple[Omission, ...]
    """All that is left out up to there."""
    read: Configuration | None
    """Lexer and stacks there; None for those of the base, as all text between is skipped."""
    ends: list[int]
    """The offsets up to which the text is to be read then."""
    cost: int = 1


def skip_line_at(history: History, index: int, ends: list[int], count: int = 1) -> Fix:
    """Return the fix that skips the line at a checkpoint, the first `count` of the lines that it goes over."""
    checkpoints = history.checkpoints
    again = [checkpoint.offset for checkpoint in checkpoints[index + 1 :]]
    at, ends = checkpoints[index], again + ends
    left_out = (*at.left_out, Omission(at.offset, ends[count - 1]))
    # What is open lets stacks multiply, and the lines in it are read again by each of them.
    cost = 1 + len(again) * len(checkpoints[-1].configuration.heads) // LINES_PER_COST
    return Fix(index, ends[count - 1], left_out, None, ends[count:], cost)
