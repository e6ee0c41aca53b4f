"""The cancellation of one piece of work, shared by the thread that waits and the thread that works."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class CancelToken:
    """A flag that stops a piece of work; the event loop sets it, the decoding loop reads it."""

    __slots__ = ("_told", "cancelled")

    def __init__(self) -> None:
        self.cancelled = False
        self._told: Callable[[], None] | None = None

    def cancel(self) -> None:
        """Set the flag."""
        # A plain attribute is enough between threads: it is written once, and a late read costs one token.
        self.cancelled = True
        if self._told is not None:
            self._told()

    def tell(self, told: Callable[[], None]) -> None:
        """Call `told` when the flag is set, on the thread that sets it; call it at once if the flag is set already."""
        self._told = told
        # A cancellation between these two lines calls `told` twice, which is harmless. It is never missed.
        if self.cancelled:
            told()
