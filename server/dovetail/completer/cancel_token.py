"""The cancellation of one piece of work, shared by the thread that waits and the thread that works."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class CancelToken:
    """The flag that a piece of work is wanted no more; set on the event loop, read by the decoding loop."""

    __slots__ = ("_told", "cancelled")

    def __init__(self) -> None:
        self.cancelled = False
        self._told: Callable[[], None] | None = None

    def cancel(self) -> None:
        """Set the flag."""
        # A plain attribute is enough between threads: it is written once, and read late it costs a token.
        self.cancelled = True
        if self._told is not None:
            self._told()

    def tell(self, told: Callable[[], None]) -> None:
        """Have `told` called on some thread when the flag is set; at once if it is set already."""
        self._told = told
        # A cancellation between these lines calls it twice, but none is missed.
        if self.cancelled:
            told()
