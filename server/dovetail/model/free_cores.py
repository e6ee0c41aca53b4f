"""The cores that a model may compute with, and how many of them nothing else uses at present.

Threads that compute one product wait for each other at its end. Where one of them has to share its core, the others
wait for it again and again: two threads on two cores that two other programs use take several times as long as one.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

_LOAD = Path("/proc/loadavg")


def usable_cores() -> int:
    """Return how many cores this process may use, at most `OMP_NUM_THREADS`, which other libraries heed as well."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    wanted = os.environ.get("OMP_NUM_THREADS", "")
    return min(cores, int(wanted)) if wanted.isdecimal() and int(wanted) else cores


def free_cores(helping: int = 0) -> int:
    """Return how many of the usable cores are free now, this thread's own included; at least one.

    `helping`: threads that compute for this one. Their cores count as free.
    """
    usable = usable_cores()
    if usable == 1:
        return 1
    # Others may run on any core of the machine, so our cores get their share of them.
    taken = max(0, busy_threads() - helping) * usable / max(usable, os.cpu_count() or 1)
    return max(1, usable - round(taken))


def busy_threads() -> float:
    """Return how many threads but this one want a core: now on Linux, elsewhere in the last minute."""
    # "0.20 0.18 0.12 1/80 11206": of 80 threads one can run, which is the one that reads.
    with suppress(OSError, ValueError, IndexError):
        return max(0, int(_LOAD.read_text("ascii").split()[3].partition("/")[0]) - 1)
    with suppress(OSError, AttributeError):
        return os.getloadavg()[0]
    return 0.0
