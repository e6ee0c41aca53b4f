"""A thread that runs one piece of work at a time; the newest request of a document replaces older ones."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, TypeVar

from dovetail.completer.cancel_token import CancelToken

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

T = TypeVar("T")


@dataclass(eq=False)
class _Job:
    """One piece of work, the future for its answer, and its cancellation."""

    work: Callable[[CancelToken], Any]
    answer: asyncio.Future[Any]
    cancellation: CancelToken = field(default_factory=CancelToken)

    def drop(self) -> None:
        """Stop the work and answer None, unless it was answered already."""
        self.cancellation.cancel()
        if not self.answer.done():
            self.answer.set_result(None)

    def finish(self, result: object, error: Exception | None) -> None:
        """Set the answer, unless it is set already."""
        if self.answer.done():
            return
        if error is None:
            self.answer.set_result(result)
        else:
            self.answer.set_exception(error)


class Worker:
    """Runs pieces of work one after the other on its own thread; its methods belong to the event loop."""

    def __init__(self, name: str = "model") -> None:
        """Start a worker; `name` is the name of its thread."""
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._newest: dict[str, _Job] = {}  # key -> the work that waits or runs under it
        # A daemon, because nothing can end a thread inside the model's library; see `stop`.
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def ask(self, key: str, work: Callable[[CancelToken], T], *, after: float = 0.0) -> Coroutine[Any, Any, T | None]:
        """Queue `work`, at once or after some seconds, and return a coroutine for its answer.

        The answer is the result of `work`, or None if newer work or `supersede` took its place under the key.
        The coroutine raises the exceptions of `work`. Cancelling the coroutine cancels the work: work that has not
        begun is skipped, and running work reads `cancelled`.
        """
        self.supersede(key)
        loop = asyncio.get_running_loop()
        job = _Job(work, loop.create_future())
        self._newest[key] = job
        if after > 0:
            loop.call_later(after, self._jobs.put, job)  # work that is cancelled by then is skipped
        else:
            self._jobs.put(job)
        return self._answer(key, job)

    async def _answer(self, key: str, job: _Job) -> Any:
        try:
            return await job.answer
        finally:
            job.cancellation.cancel()
            if self._newest.get(key) is job:
                del self._newest[key]

    def supersede(self, key: str) -> None:
        """Answer the work under a key with None, at once, and cancel it."""
        job = self._newest.pop(key, None)
        if job is not None:
            job.drop()

    def stop(self, patience: float) -> bool:
        """Answer everything with None, wait up to `patience` seconds, return whether the thread has ended."""
        for key in list(self._newest):
            self.supersede(key)
        self._jobs.put(None)
        self._thread.join(patience)
        return not self._thread.is_alive()

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            if job.cancellation.cancelled:
                continue
            result: object = None
            error: Exception | None = None
            try:
                result = job.work(job.cancellation)
            except Exception as raised:  # the coroutine raises it again
                error = raised
            # If the session ended meanwhile, the loop is closed and no coroutine waits.
            with contextlib.suppress(RuntimeError):
                job.answer.get_loop().call_soon_threadsafe(job.finish, result, error)
