"""Durations of one kind, and the numbers that are kept of them."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

P = ParamSpec("P")
T = TypeVar("T")

SUMMARY = ("median", "p95", "p99", "largest", "count")
"""The numbers that are kept: milliseconds of processor time, and how many durations there were."""


@dataclass
class Series:
    """Durations of one kind, in milliseconds of processor time: what else the machine does costs nothing here."""

    durations: list[float] = field(default_factory=list)

    def time(self, work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Do the work, keep how long it took, and return its result."""
        begin = time.process_time_ns()
        result = work(*arguments, **named)
        self.durations.append((time.process_time_ns() - begin) / 1e6)
        return result

    def summary(self) -> dict[str, float]:
        """Return the numbers of `SUMMARY`; none where nothing was measured."""
        if not self.durations:
            return {}
        ordered = sorted(self.durations)
        numbers = (quantile(ordered, 0.5), quantile(ordered, 0.95), quantile(ordered, 0.99), ordered[-1], len(ordered))
        return dict(zip(SUMMARY, numbers, strict=True))


def quantile(ordered: Sequence[float], share: float) -> float:
    """Return the smallest of some ordered numbers that at least a share of them do not exceed.

    >>> quantile([1.0, 2.0, 3.0, 4.0], 0.5)
    2.0
    """
    rank = -int(-share * len(ordered) // 1)  # rounded up
    return ordered[max(rank, 1) - 1]
