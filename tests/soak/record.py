"""The costs of a session: memory, processor and waiting, sampled while it goes on, and the bounds on them."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import linear_regression, mean, quantiles, stdev

import psutil

GROWTH = 0.03
"""The part of its memory by which a process may grow in the second half of a session, beyond the noise."""

SLOWER = 1.35
"""The processor time of a request at the end, at most, as a multiple of that at the start, of other texts."""

OLDER = 1.1
"""The processor time of the same requests at the end, at most, as a multiple of what a new server takes."""


@dataclass(frozen=True, slots=True)
class Request:
    """One request that was answered by the model or its memory."""

    seconds: float
    """From the asking to the answer."""
    processor: float
    """Seconds of processor time that server and model took meanwhile."""


@dataclass(frozen=True, slots=True)
class Sample:
    """The memory of the processes at a time, in bytes."""

    at: float
    """Seconds since the session began."""
    server: int
    model: int


@dataclass
class Record:
    """The samples and counts of a session."""

    minutes: float = 0.0
    seed: int = 0
    steps: dict[str, int] = field(default_factory=dict)
    """Action → number of times."""
    requests: list[Request] = field(default_factory=list)
    asked: int = 0
    """Requests of all kinds, cancelled ones and stale ones included."""
    offered: int = 0
    checked: dict[str, int] = field(default_factory=dict)
    """Judgement of a suggestion → number of times."""
    ages: list[tuple[float, float]] = field(default_factory=list)
    """Seconds of processor time that the same request took of this server, at the end, and of a new one."""
    samples: list[Sample] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    """Everything that was wrong."""
    places: list[tuple[str, str, str]] = field(default_factory=list)
    """Left text, suggestion and right text of what was wrong with suggestions."""

    def count(self, what: str) -> None:
        """Count something that was done."""
        self.steps[what] = self.steps.get(what, 0) + 1

    def add(self, other: Record) -> None:
        """Take over what was asked, suggested and wrong in another session that ran at the same time."""
        self.asked += other.asked
        self.offered += other.offered
        for judged, count in other.checked.items():
            self.checked[judged] = self.checked.get(judged, 0) + count
        self.faults += other.faults
        self.places += other.places

    def complaints(self) -> list[str]:
        """Return what does not hold; that of time and memory is for sessions of minutes."""
        found = list(self.faults)
        for name in ("server", "model"):
            excess, allowed = growth([(sample.at, getattr(sample, name)) for sample in self.samples])
            if excess > allowed:
                grown, most = (f"{size / 1e6:.1f} MB" for size in (excess, allowed))
                found.append(f"the {name} grew by {grown} in the second half, allowed were {most}")
        first, last = (mean(request.processor for request in part) for part in self.quarters())
        if last > SLOWER * first:
            found.append(f"a request took {last:.3f} s of the processor at the end, {first:.3f} s at the start")
        if self.ages and (slower := self.aged()) > OLDER:
            found.append(f"the same requests took {slower:.2f} times as long as of a new server")
        return found

    def aged(self) -> float:
        """Return how many times as long the same requests took at the end as of a new server, all together."""
        return sum(old for old, _ in self.ages) / sum(new for _, new in self.ages)

    def quarters(self) -> tuple[list[Request], list[Request]]:
        """Return the first and the last quarter of the requests."""
        quarter = max(1, len(self.requests) // 4)
        return self.requests[:quarter], self.requests[-quarter:]


def growth(points: list[tuple[float, float]]) -> tuple[float, float]:
    """Return by how much a line through the second half of some points rises, and what is noise or little."""
    half = points[len(points) // 2 :]
    times, values = [time for time, _ in half], [value for _, value in half]
    line = linear_regression(times, values)
    rest = [value - line.intercept - line.slope * time for time, value in half]
    return line.slope * (times[-1] - times[0]), max(2 * stdev(rest), GROWTH * mean(values))


def percentiles(seconds: list[float]) -> tuple[float, float, float]:
    """Return the median, the 95th and the 99th percentile."""
    cuts = quantiles(seconds, n=100)
    return cuts[49], cuts[94], cuts[98]


def memory(process: int) -> int:
    """Return the resident memory of a process in bytes."""
    resident: int = psutil.Process(process).memory_info().rss
    return resident


def processor(process: int) -> float:
    """Return the seconds of processor time that a process has taken."""
    times = psutil.Process(process).cpu_times()
    return float(times.user + times.system)
