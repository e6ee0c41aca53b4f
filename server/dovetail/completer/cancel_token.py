"""The cancellation of one piece of work, shared by the thread that waits and the thread that works."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class CancelToken:
    """Whether a piece of work is still wanted; set on the event loop, read by the decoding loop."""

    __slots__ = ("_told", "cancelled")

    def __init__(self) -> None:
        self.cancelled = False
        self._told: Callable[[], None] | None = None

    def cancel(self) -> None:
        """Say that nobody waits any more."""
        # A plain attribute is enough between threads: it is written once, and read late it costs a token.
        self.cancelled = True
        if self._told is not None:
            self._told()

    def tell(self, told: Callable[[], None]) -> None:
        """Have `told` called, on whatever thread, when nobody waits any more; at once if that is so already."""
        self._told = told
        # Who cancels between these lines is heard by both, so it may be called twice, but never not at all.
        if self.cancelled:
            told()
