"""Cancellation of a completion that is no longer wanted."""

from __future__ import annotations

from typing import Protocol


class Cancellation(Protocol):
    """A flag that the decoding loop reads at every token; another thread may set it."""

    @property
    def cancelled(self) -> bool:
        """True if the completion is no longer wanted."""


class Never:
    """The cancellation that never comes."""

    __slots__ = ()

    @property
    def cancelled(self) -> bool:
        """False."""
        return False
