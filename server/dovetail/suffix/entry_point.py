"""Entry points: the places of a suffix automaton that the middle can come to."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dovetail.lexing.indentation import Column
    from dovetail.suffix.automaton import Exposure, PartialReduction
    from dovetail.suffix.opener_bounds import OpenerCounts


class EntryPoint:
    """A place of the automaton that text pushed on a stack can lead to."""

    __slots__ = ("bound", "count", "openers", "owner", "production", "reader")

    def __init__(
        self,
        reader: Exposure | PartialReduction,
        count: int,
        bound: Column,
        owner: Exposure,
        openers: OpenerCounts,
        production: int = -1,
    ) -> None:
        self.reader = reader
        self.count = count
        """For a reduction: the number of its symbols on the stack; the others are pushed. 0 for an exposure."""
        self.production = production
        """For a reduction: that of its productions of which the stack has symbols; -1 for an exposure."""
        self.owner = owner
        """The exposure itself, or the exposure that the reduction belongs to."""
        self.bound = bound
        """The deepest column of the innermost block on the stack for which the blocks pushed fit the right context."""
        self.openers = openers
        """The bounds on the number of open brackets below."""
