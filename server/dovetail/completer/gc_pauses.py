"""Pauses for garbage collection: a full collection stops all threads of a process, so it waits for a pause in typing.

By default the interpreter also collects while a model loads, when it visits half a million objects and frees nothing,
and while a long document is read. Each full collection stops all threads for a quarter of a second. A collection of
young objects takes a tenth of the time of a right context that is read anew: it waits until the answer is given.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import sys
import time

_NEVER = 1 << 30
"""Collections of the second generation before one of the third, which are full ones."""

_MANY = 200_000
"""Young objects that are collected while an answer is made; they take 20 MB."""

_SOME = 2_000
"""Young objects that are worth a collection after an answer."""

PAUSE = 2.0
"""Seconds without a request after which a full collection disturbs nobody."""

_LONGEST = 30.0
"""Seconds after which a full collection follows the next answer without a pause: memory that garbage fills for longer
never returns to the system in full."""

_WORTH = 20
"""Collections of the second generation that make a full one worth its time."""


class Collector:
    """Chooses the time of a process's full collections; a process has one of these at most."""

    def __init__(self) -> None:
        """Take over full collections from the interpreter, and treat all present objects as permanent."""
        gc.set_threshold(_MANY, gc.get_threshold()[1], _NEVER)
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
        """Collect after an answer: young objects, and all if the process is idle or the last time is long ago.

        Nothing is collected where little garbage is likely.
        """
        if gc.get_count()[0] >= _SOME:
            gc.collect(1)
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
    """Return free memory to the system; the allocator of Linux keeps the gaps between objects in use."""
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # only the GNU library has it
        if trim is not None:
            trim(0)
