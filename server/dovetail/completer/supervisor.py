"""The supervisor of the model process: it counts failures and decides what the next process loads."""

from __future__ import annotations

import time
from collections import deque
from typing import TYPE_CHECKING

from dovetail.completer.fallback import Fallback, fallback_after
from dovetail.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail.completer.connection import NoProcessError
    from dovetail.completer.fallback import Trouble

REMEDY = "run the command `dovetail.server.restart` to try again, or choose another model"

_LATELY = 600.0
"""Failures of the last so many seconds count together."""


class TroubleError(Exception):
    """The model failed; the message is a clause."""

    def __init__(self, trouble: Trouble, clause: str) -> None:
        super().__init__(clause)
        self.trouble = trouble


def trouble_of(ended: NoProcessError) -> TroubleError:
    """Return the trouble that the end of a process is."""
    return TroubleError(ended.how, str(ended))


class Supervisor:
    """The settings, the fallback that is in force, and the notice that tells the user of it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Make a supervisor of a process without failures; `clock` returns seconds."""
        self.settings = Settings()
        self.fallback: Fallback | None = Fallback()
        """The reduction that the next process loads; None if the model was given up."""
        self.notice: str | None = None
        """A sentence for the user about the last failure; None if there is nothing to say."""
        self._clock = clock
        self._troubles: deque[tuple[float, Trouble]] = deque()  # time and kind of the recent failures

    def take(self, settings: Settings, *, anew: bool) -> None:
        """Take settings; other ones, or `anew`, forget all failures."""
        if anew or settings != self.settings:
            self.fallback, self.notice = Fallback(), None
            self._troubles.clear()
        self.settings = settings

    def succeed(self) -> None:
        """Note an answer of the model: without a fallback there is nothing to say any more."""
        if self.fallback == Fallback():
            self.notice = None

    def note(self, trouble: TroubleError) -> None:
        """Note a failure after which the same process goes on."""
        self.notice = f"{self._named()} failed ({trouble}); the next completion asks it again."

    def fail(self, trouble: TroubleError, window: int | None) -> None:
        """Note a failure, choose the fallback after it and word the notice.

        `window` is the model's own, in tokens; None while it loads.
        """
        if self.fallback is None:
            return
        now = self._clock()
        while self._troubles and self._troubles[0][0] < now - _LATELY:
            self._troubles.popleft()
        self._troubles.append((now, trouble.trouble))
        self.fallback = fallback_after(
            trouble.trouble,
            self.fallback,
            self.settings.fallbacks,
            window=window,
            count=sum(kind == trouble.trouble for _, kind in self._troubles),
            named=self.settings.model is not None,
        )
        self.notice = self._worded(trouble)

    def _worded(self, trouble: TroubleError) -> str:
        """Return the sentence about a failure and the fallback that was chosen after it."""
        name = self._named()
        if self.fallback is None:
            return f"{name} cannot go on ({trouble}): {REMEDY}."
        if self.fallback != Fallback():
            return f"{name} failed ({trouble}), so {self.fallback.clause}; {REMEDY}."
        if trouble.trouble == "lost":
            return "The model process stopped and was restarted."
        return f"{name} was restarted: {trouble}."

    def _named(self) -> str:
        return "The embedded model" if self.settings.model is None else f"The model {self.settings.model}"
