"""The bound on the work of searches, for texts that somebody else sends.

Some searches take as many steps as left and right text have open brackets together, one times the other. Texts that
people write hardly nest, so nobody notices; a text made for that purpose could keep a process busy for minutes.
"""

from __future__ import annotations


class WorkBoundError(Exception):
    """A search that took more steps than it was allowed; the quotient is of no more use."""


class WorkBound:
    """The steps that are left to all searches of one text."""

    __slots__ = ("left",)

    def __init__(self, most: int) -> None:
        self.left = most

    def spend(self) -> None:
        """Take one step; raises WorkBoundError if none is left."""
        if self.left <= 0:
            raise WorkBoundError
        self.left -= 1
