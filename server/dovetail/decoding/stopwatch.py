"""A stopwatch that charges each stretch of a completion's time to one account."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from dovetail.decoding.completion import Seconds

if TYPE_CHECKING:
    from collections.abc import Callable


class Stopwatch:
    """Runs from its creation on; every moment belongs to the account that is charged next."""

    __slots__ = ("_began", "_charged", "_clock", "_last")

    def __init__(self, clock: Callable[[], float] | None = None) -> None:
        """Start; `clock` returns seconds, by default those of the wall clock."""
        self._clock = clock or perf_counter
        self._began = self._last = self._clock()
        self._charged = {"contexts": 0.0, "prompt": 0.0, "model": 0.0, "constraint": 0.0}  # account -> seconds

    def charge(self, account: str) -> None:
        """Charge the time since the last charge to `contexts`, `prompt`, `model` or `constraint`."""
        now = self._clock()
        self._charged[account] += now - self._last
        self._last = now

    def resume(self) -> None:
        """Charge the time since the last charge to no account, because it was spent on something else."""
        self._last = self._clock()

    @property
    def elapsed(self) -> float:
        """The seconds since the start."""
        return self._clock() - self._began

    @property
    def seconds(self) -> Seconds:
        """The seconds charged so far, by account."""
        return Seconds(**self._charged)
