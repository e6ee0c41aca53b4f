"""Numbered steps that threads share; each needs those that lie some numbers before it.

How many threads share them is asked again before each step: another program that used a core when the first step began
has often ended long before the last.
"""

from __future__ import annotations

from concurrent.futures import wait
from threading import Condition
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor, Future


class OrderedSteps:
    """Steps from 0 to `count`; one is begun when all up to `distance` before it are done.

    No thread waits as long as fewer threads than `distance` have a step each. A thread that gets no core takes none.
    """

    def __init__(self, work: Callable[[int], None], count: int, distance: int) -> None:
        self._work = work
        self._count = count
        self._distance = distance
        self._next = 0
        self._below = 0
        """All steps below it are done."""
        self._done: set[int] = set()
        """Steps that were done earlier than some below them."""
        self._is_over = False
        self._changed = Condition()

    def run(self, executor: Executor, wanted: Callable[[int], int]) -> None:
        """Do all steps in this thread and in those of an executor; raise the first exception of a step.

        `wanted`: given how many of the executor's threads help, how many should; one that helps does so to the end.
        """
        futures: list[Future[None]] = []

        def call_helpers() -> None:
            helping = sum(not future.done() for future in futures)
            futures.extend(executor.submit(self._take_steps) for _ in range(wanted(helping) - helping))

        try:
            self._take_steps(call_helpers)
        finally:
            begun = [future for future in futures if not future.cancel()]
            wait(begun)
        for future in begun:
            future.result()

    def _take_steps(self, before: Callable[[], None] | None = None) -> None:
        """Do steps until none is left, and call `before` before each but the last."""
        while (number := self._take()) is not None:
            try:
                if before is not None and number < self._count - 1:
                    before()
                self._work(number)
            except BaseException:
                with self._changed:
                    self._is_over = True
                    self._changed.notify_all()
                raise
            self._finish(number)

    def _take(self) -> int | None:
        """Return the next step once it may begin; None if none is left, or a step has failed."""
        with self._changed:
            number = self._next
            if number >= self._count:
                return None
            self._next += 1
            self._changed.wait_for(lambda: self._is_over or number - self._distance < self._below)
            return None if self._is_over else number

    def _finish(self, number: int) -> None:
        with self._changed:
            self._done.add(number)
            while self._below in self._done:
                self._done.remove(self._below)
                self._below += 1
            self._changed.notify_all()
