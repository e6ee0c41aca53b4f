"""When a process collects its garbage: a full collection stops all its threads, so it waits until nobody types.

Left to itself it comes in the middle of the loading of a model, where there are half a million objects to look at that
will all stay, and while a long document is read; each time all stands still for a quarter of a second of processor
time, and for as long again as other processes take. Young objects are collected as always.
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
    """Full collections of a process; there is one of these in it, where there is any."""

    def __init__(self) -> None:
        """Leave full collections to this from now on, and take all that is there for what stays."""
        gc.set_threshold(*gc.get_threshold()[:2], _NEVER)
        gc.freeze()
        self._timer: asyncio.TimerHandle | None = None
        self._last = time.monotonic()

    def settle(self) -> None:
        """Take all that is there for what stays, as after the loading of a model, and look at it no more.

        What was taken for that before and is in use no longer, such as another model, is let go of.
        """
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        self._last = time.monotonic()

    def rest(self, *, idle: bool) -> None:
        """Collect, where it is worth it, if nobody waits or the last time is long ago."""
        if not idle and time.monotonic() - self._last < _LONGEST:
            return
        if gc.get_count()[2] >= _WORTH:
            gc.collect()
            _give_back()
        self._last = time.monotonic()

    def postpone(self) -> None:
        """Take note, on an event loop, that something happened: rest when nothing has for a while."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(PAUSE, self._pause)

    def _pause(self) -> None:
        self._timer = None
        self.rest(idle=True)


def _give_back() -> None:
    """Give free memory back to the system; by itself the allocator of Linux keeps what lies between things in use."""
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # the GNU library has it, others need it less
        if trim is not None:
            trim(0)
