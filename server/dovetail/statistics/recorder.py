"""The counts of one server, until they are stored."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from dovetail.statistics.counts import count

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail.statistics.counts import CountTable, Event, Subject
    from dovetail.statistics.storage import Storage

_PAUSE = 10.0
"""Seconds from a first count to its storing; a server that is killed loses the counts of so long at most."""


def call_later(seconds: float, call: Callable[[], None]) -> None:
    """Call a function on the running event loop after some seconds."""
    asyncio.get_running_loop().call_later(seconds, call)


def call_aside(call: Callable[[], None]) -> None:
    """Call a function on another thread, so that the event loop does not wait for a disk."""
    asyncio.get_running_loop().run_in_executor(None, call)


class Recorder:
    """Counts events and stores them from time to time; its methods belong to the thread of the event loop."""

    def __init__(
        self,
        storage: Storage,
        later: Callable[[float, Callable[[], None]], None] = call_later,
        aside: Callable[[Callable[[], None]], None] = call_aside,
    ) -> None:
        """Count for a storage; `later` calls a function after some seconds, `aside` calls one on another thread."""
        self._storage = storage
        self._later = later
        self._aside = aside
        self._counts: CountTable = {}

    def count(self, about: Subject, event: Event) -> None:
        """Count an event."""
        if not self._counts:
            self._later(_PAUSE, self._store)
        count(self._counts, about, event)

    def close(self) -> None:
        """Store what was not stored yet, before the process ends."""
        counts = self._take()
        if counts:
            self._storage.add(counts)

    def _store(self) -> None:
        counts = self._take()
        if counts:
            self._aside(partial(self._storage.add, counts))

    def _take(self) -> CountTable:
        counts, self._counts = self._counts, {}
        return counts
