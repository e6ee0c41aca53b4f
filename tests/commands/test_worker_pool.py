"""Worker pools: their processes work, and end with the command."""

from __future__ import annotations

import multiprocessing
import subprocess
import sys

import pytest

from dovetail.commands.worker_pool import worker_pool

_COMMAND = """
import sys, time
from dovetail.commands.worker_pool import worker_pool

if __name__ == "__main__":
    pool = worker_pool(3, sys.argv[1])
    print(*pool.map(abs, range(-5, 0)), flush=True)
    if sys.argv[2] == "busy":
        working = [pool.submit(time.sleep, 300) for _ in range(3)]
    time.sleep(300)
"""
_METHODS = sorted({"fork", "spawn"}.intersection(multiprocessing.get_all_start_methods()))


def test_results_come_in_order() -> None:
    """A pool that is left waits for its workers, which have done what was asked."""
    with worker_pool(2, "spawn") as pool:
        assert list(pool.map(abs, range(-5, 0), chunksize=2)) == [5, 4, 3, 2, 1]


@pytest.mark.parametrize("work", ["idle", "busy"])
@pytest.mark.parametrize("method", _METHODS)
def test_workers_end_with_a_command_that_is_killed(method: str, work: str) -> None:
    """Each worker holds the command's standard output, whose end comes only when all of them have ended."""
    with subprocess.Popen([sys.executable, "-c", _COMMAND, method, work], stdout=subprocess.PIPE, text=True) as command:
        assert command.stdout is not None
        said = command.stdout.readline()
        command.kill()
        rest, _ = command.communicate(timeout=60)

    assert said == "5 4 3 2 1\n"
    assert rest == ""
