"""The parts of the benchmark about hosting: what an installation and windows take, and how fast models write."""

from __future__ import annotations

import os
import statistics
from typing import TYPE_CHECKING

from tests.benchmarks import installation, speeds
from tests.benchmarks.tables import Table

if TYPE_CHECKING:
    from tests.benchmarks.tables import Cell

_RUNS = 15

_INSTALLATION_BARS = {
    "megabytes downloaded": "150", "seconds of pip install": "15", "seconds of a later one": "1",
}  # fmt: skip


def _load() -> str:
    """Return a sentence about what else ran, and whether this went first: `chrt -r 1 python -m tests.benchmarks`."""
    if not hasattr(os, "getloadavg"):
        return ""
    real_time = hasattr(os, "sched_getscheduler") and os.sched_getscheduler(0) in (os.SCHED_RR, os.SCHED_FIFO)
    priority = ", this at real-time priority" if real_time else ""
    return f" The load of the machine was {os.getloadavg()[0]:.1f}{priority}."


def from_nothing(_options: object) -> list[Table]:
    """Measure an installation from nothing, and three windows of it."""
    with installation.installed() as place:
        taken = installation.measure_installation(place)
        windows = installation.measure_windows(place)
    rows: list[tuple[Cell, ...]] = [(what, _INSTALLATION_BARS.get(what, ""), value) for what, value in taken.items()]
    columns = ("answers, s", "has its model, s", "has offered, s", "added, MB", "servers, MB", "host, MB")
    return [
        Table(
            "An installation from nothing", ("what", "bar", "seen"), rows,
            "The wheel in a new environment with an empty home and an empty cache; `dovetail complete` at a place of "
            f"`tests/examples`. By the clock.{_load()}",
        ),
        Table(
            "Windows that share a model", ("window", *columns),
            [(name, *row.values()) for name, row in windows.items()],
            "Servers of that environment with the embedded model, and the one process that they share; resident "
            "memory, what processes have in common counted for each. Bars: the first answers within 1 s and takes 300 "
            "MB with the host, a further one adds 60 MB. `dovetail complete` ran before them; the first offer of a "
            f"host makes the masks of its tokens.{_load()}",
        ),
    ]  # fmt: skip


def embedded_by_the_clock(_options: object) -> list[Table]:
    """Measure the embedded model after a long prompt, new or known but for its end."""
    taken = speeds.embedded_milliseconds(_RUNS)
    return [
        Table(
            f"{speeds.WRITTEN} tokens after 1,000 by the embedded model",
            ("runtime", "what", "median", "least"),
            [
                (runtime, what, statistics.median(times), min(times))
                for runtime, kinds in taken.items()
                for what, times in kinds.items()
            ],
            f"Milliseconds by the clock on {speeds.cores()} cores, all of which were taken to be free. "
            f"The bar for both is 120.{_load()}",
        )
    ]  # fmt: skip


def by_the_clock(_options: object) -> list[Table]:
    """Measure a larger model with two runtimes."""
    beside = speeds.tokens_a_second(3)
    ratio = beside["llama.cpp, Q8_0"] / beside["torch, float32"]
    return [
        Table(
            "A model of 0.49 B parameters", ("runtime", "tokens a second"), list(beside.items()),
            f"Random weights, {speeds.WRITTEN} tokens after 64, in one run: {ratio:.1f} times as many with llama.cpp. "
            f"The bar is 3.{_load()}",
        ),
    ]  # fmt: skip
