"""The probe of a team's host that is away: it asks now and then, until the host answers."""

from __future__ import annotations

import threading
from itertools import chain, repeat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dovetail.completer.operations import Loaded

PAUSES = (2.0, 5.0, 10.0, 20.0, 60.0)
"""Seconds between two questions; the last again and again."""


class HostProbe:
    """Asks on a thread of its own."""

    def __init__(
        self, ask: Callable[[], Loaded | None], answered: Callable[[], None], pauses: Sequence[float] = PAUSES
    ) -> None:
        """Begin. `ask` returns what the host has loaded, or None while it is away; `answered` is called once, after."""
        self.loaded: Loaded | None = None
        """The state of the host after it has answered."""
        self._ask = ask
        self._answered = answered
        self._pauses = pauses
        self._stopped = threading.Event()
        threading.Thread(target=self._run, name="team host", daemon=True).start()

    def stop(self) -> None:
        """Ask no more; a question that is on its way has no consequence."""
        self._stopped.set()

    def _run(self) -> None:
        for pause in chain(self._pauses, repeat(self._pauses[-1])):
            if self._stopped.wait(pause):
                return
            self.loaded = self._ask()
            if self._stopped.is_set():
                return
            if self.loaded is not None:
                self._answered()
                return
