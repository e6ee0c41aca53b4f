"""Where the time of a completion goes: each stretch of it is charged to one account."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from dovetail.decoding.completion import Seconds

if TYPE_CHECKING:
    from collections.abc import Callable


class Stopwatch:
    """Runs from when it is made; every moment belongs to the account that is charged next."""

    __slots__ = ("_began", "_charged", "_clock", "_last")

    def __init__(self, clock: Callable[[], float] | None = None) -> None:
        """Start; `clock` gives seconds, those of the wall without one."""
        self._clock = clock or perf_counter
        self._began = self._last = self._clock()
        self._charged = {"contexts": 0.0, "prompt": 0.0, "model": 0.0, "constraint": 0.0}  # account -> seconds

    def charge(self, account: str) -> None:
        """Charge the time since the last charge to `contexts`, `prompt`, `model` or `constraint`."""
        now = self._clock()
        self._charged[account] += now - self._last
        self._last = now

    @property
    def elapsed(self) -> float:
        """The seconds since the start."""
        return self._clock() - self._began

    @property
    def seconds(self) -> Seconds:
        """What was charged so far."""
        return Seconds(**self._charged)
