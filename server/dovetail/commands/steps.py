"""The progress of a long command: a bar where a person watches, and else a line on stderr now and then."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from rich.progress import Progress

if TYPE_CHECKING:
    from rich.console import Console

EVERY = 15.0
"""Seconds between two lines."""


class Steps:
    """Steps of a long work. Nobody watches a log, but whoever looks into it wants to know how far the work is."""

    def __init__(self, console: Console, what: str, total: int) -> None:
        """Begin; `what` is done, in so many steps."""
        self._what = what
        self._total = total
        self._done = 0
        self._told = time.monotonic()
        self._bar = Progress(console=console, transient=True) if console.is_terminal else None
        self._task = None if self._bar is None else self._bar.add_task(what, total=total)

    def __enter__(self) -> Steps:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def advance(self, steps: int, found: str) -> None:
        """Count some steps as done; `found` says what came of all so far."""
        self._done += steps
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, advance=steps, description=f"{self._what}, {found}")
        elif time.monotonic() - self._told >= EVERY:
            self._told = time.monotonic()
            sys.stderr.write(f"{self._what}: {self._done:,} of {self._total:,}, {found}\n")
            sys.stderr.flush()
