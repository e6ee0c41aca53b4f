"""Pauses for garbage collection: a full collection stops all threads of a process, so it waits until nobody types.

Left alone, the interpreter collects in the middle of loading a model, with half a million objects to visit that all
stay, and while a long document is read. Each time all threads stop for a quarter of a second of processor time. Young
objects are collected as always.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import sys
import time

_NEVER = 1 << 30
"""Collections of the second generation before one of the third, which are full ones."""

PAUSE = 2.0
"""Seconds in which nothing happens, after which a full collection is no harm."""

_LONGEST = 30.0
"""Seconds after which there is one all the same, right behind an answer: what has gathered until then is never given
back to the system in full."""

_WORTH = 20
"""Collections of the second generation that have to have been; after fewer there is little to find."""


class Collector:
    """Chooses the time of a process's full collections; a process has one of these at most."""

    def __init__(self) -> None:
        """Take over full collections from the interpreter, and treat all present objects as permanent."""
        gc.set_threshold(*gc.get_threshold()[:2], _NEVER)
        gc.freeze()
        self._timer: asyncio.TimerHandle | None = None
        self._last = time.monotonic()

    def settle(self) -> None:
        """Treat all present objects as permanent, as after loading a model; later collections skip them.

        Objects that were permanent and are unused now, such as the model before, are freed.
        """
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        self._last = time.monotonic()

    def rest(self, *, idle: bool) -> None:
        """Collect if nobody waits or the last collection is long ago, unless there is little to find."""
        if not idle and time.monotonic() - self._last < _LONGEST:
            return
        if gc.get_count()[2] >= _WORTH:
            gc.collect()
            _give_back()
        self._last = time.monotonic()

    def postpone(self) -> None:
        """Wait, on an event loop, for a pause of `PAUSE` seconds from now, then rest."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(PAUSE, self._pause)

    def _pause(self) -> None:
        self._timer = None
        self.rest(idle=True)


def _give_back() -> None:
    """Give free memory back to the system; the allocator of Linux keeps the gaps between objects in use."""
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # the GNU library has it, others need it less
        if trim is not None:
            trim(0)
