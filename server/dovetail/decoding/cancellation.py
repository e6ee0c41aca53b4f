"""How a completion that nobody waits for any more is told to stop."""

from __future__ import annotations

from typing import Protocol


class Cancellation(Protocol):
    """What the decoding loop reads at every token; whoever asked may set it from another thread."""

    @property
    def cancelled(self) -> bool:
        """Whether the completion is wanted no longer."""


class Never:
    """The cancellation that never comes."""

    __slots__ = ()

    @property
    def cancelled(self) -> bool:
        """False."""
        return False
