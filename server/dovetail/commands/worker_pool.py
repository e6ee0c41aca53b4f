"""Worker pool: processes that work for a command, and end with it however it ends.

Workers wait for work at a pipe that they hold open themselves: if their command was killed, by a time limit perhaps,
they would wait for ever.
"""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from threading import Thread


def worker_pool(processes: int, start_method: str) -> ProcessPoolExecutor:
    """Return a pool of worker processes; `start_method` is one of `multiprocessing.get_all_start_methods()`."""
    return ProcessPoolExecutor(processes, get_context(start_method), _watch_command)


def _watch_command() -> None:
    """End this worker as soon as its command's process has ended."""
    Thread(target=_end_with_command, name="watches the command", daemon=True).start()


def _end_with_command() -> None:
    command = parent_process()
    assert command is not None, "a worker is started by another process"
    wait([command.sentinel])
    os._exit(1)  # nobody waits for what the worker is at
