"""A replica: a process with model and engine, which is asked for one text at a time and started again when it dies."""

from __future__ import annotations

import asyncio
import logging
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from dovetail.completer.cancel_token import CancelToken
from dovetail.completer.connection import NoProcessError
from dovetail.completer.process import ModelProcess
from dovetail.completer.wire import from_plain, to_plain
from dovetail.team.doors.window_request import BodyError
from dovetail.team.fair_turns import FairTurns
from dovetail.team.session_limits import SessionLimits
from dovetail.team.written_texts import WrittenTexts

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail.completer.connection import ModelConnection
    from dovetail.completer.team.messages import SessionRequest
    from dovetail.completer.wire import Message
    from dovetail.team.doors.window_request import WindowRequest
    from dovetail.team.team import Sender

logger = logging.getLogger(__name__)

Begin: TypeAlias = "Callable[[Callable[[], None]], ModelConnection]"
"""Starts a process; what it is given is called, on any thread, if the process ends by itself."""

_COMMAND = (sys.executable, "-P", "-m", "dovetail.team.replica_process")
"""The command of a process. `-P` stops Python from importing files of the working folder, which are not ours."""

_LOADING = 600.0
"""Seconds in which a process loads its model, and builds the tables of its languages if they are not kept yet."""

_HANG = 60.0
"""Seconds beyond the time of its texts after which a process that has not answered hangs."""

_MOST_TEXTS = SessionLimits().candidates

_LASTING = ("memory", "device", "numbers")
"""Failures of a model after which its process is of no more use."""

_PAUSES = (0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0)
"""Seconds before a process is started again, by the number of starts that failed one after the other."""


def begin_process(lost: Callable[[], None]) -> ModelConnection:
    """Start the process of a replica."""
    return ModelProcess(_COMMAND, lost)


class ReplicaLoad(NamedTuple):
    """The things that each process loads."""

    model: str | None
    languages: tuple[str, ...]
    most_tokens: int = 256
    """The greatest number of tokens of a text."""
    most_seconds: int = 5
    """The time for one text."""


class CannotLoadError(Exception):
    """A model that cannot be loaded; the message is a sentence."""


class ReplicaLostError(Exception):
    """The process died, or its model failed, before it answered; the message is a clause."""


class ReplicaAwayError(Exception):
    """The process was not there when the turn of a request came; it was not asked."""


class ReplicaDefectError(Exception):
    """A request that met a defect; the process goes on."""


class Replica:
    """One process. Its methods belong to one event loop."""

    def __init__(self, number: int, load: ReplicaLoad, begin: Begin = begin_process) -> None:
        """Make a replica that was not started yet."""
        self.model: str | None = None
        """The name of the model; None until it was loaded."""
        self.restarts = 0
        self._number = number
        self._load = load
        self._begin = begin
        self._turns = FairTurns()
        self._process: ModelConnection | None = None
        self._coming: ModelConnection | None = None
        """A process that loads its model, while the one before it may still answer."""
        self._is_ready = asyncio.Event()
        self._starting = asyncio.Lock()
        self._stopped = False
        self._task: asyncio.Task[None] | None = None
        # Calls wait on threads of their own: the one that loads may still wait while the next process is called, and
        # another process may be loaded in the place of that.
        self._threads = ThreadPoolExecutor(3, thread_name_prefix=f"replica {number}")

    def __str__(self) -> str:
        return f"replica {self._number}"

    @property
    def ready(self) -> bool:
        """True if it has loaded the model and can be asked."""
        return self._is_ready.is_set()

    async def wait(self) -> None:
        """Wait until it is ready."""
        await self._is_ready.wait()

    @property
    def process(self) -> int | None:
        """The system's number of the process; None if there is none."""
        return None if self._process is None else self._process.identity

    @property
    def waiting(self) -> int:
        """The number of requests that are written or wait for it."""
        return self._turns.waiting

    async def start(self) -> None:
        """Start the process and load the model; raises CannotLoadError, and ReplicaLostError if the process ends."""
        async with self._starting:
            if not self.ready and not self._stopped:
                self._take(self._load, *await self._begun(self._load))

    async def exchange(self, load: ReplicaLoad) -> None:
        """Let another process take the place of this one, so that no request is lost.

        It loads first, then it waits for its turn. Raises as `start` does; the process goes on then as before.
        """
        async with self._starting:
            process, model = await self._begun(load)
            async with self._turns.turn("", CancelToken()):
                before = self._process
                self._take(load, process, model)
            if before is not None:
                before.end()

    def _take(self, load: ReplicaLoad, process: ModelConnection, model: str) -> None:
        self._load, self._process, self._coming, self.model = load, process, None, model
        self._is_ready.set()
        self._is_lost()  # in case that it has ended meanwhile, when nobody looked for it

    async def _begun(self, load: ReplicaLoad) -> tuple[ModelConnection, str]:
        """Return a new process that has loaded a model, and the model's name."""
        loop = asyncio.get_running_loop()

        def lost() -> None:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(self._is_lost)

        process = self._coming = await loop.run_in_executor(self._threads, self._begin, lost)
        call: Message = {"call": "load", **load._asdict()}
        answer = await self._call(process, call, None, _LOADING)
        if "result" in answer:
            return process, answer["result"]["model"]
        process.end()
        if "complaint" in answer:
            raise CannotLoadError(answer["complaint"])
        raise ReplicaLostError(f"the model failed while it was loaded ({answer['trouble']})")

    async def write(self, asked: WindowRequest, sender: Sender, cancellation: CancelToken) -> WrittenTexts:
        """Return the texts for a request, when its turn has come.

        Raises BodyError, ReplicaLostError, ReplicaAwayError and ReplicaDefectError, and NotWantedError if it was
        cancelled before its turn.
        """
        document = f"{sender.key} {sender.document}"  # what is kept for a document is never found by another key
        call: Message = {"call": "write", "window": to_plain(asked), "document": document}
        patience = _HANG + self._load.most_seconds * asked.count
        return from_plain(await self._ask(call, sender, cancellation, patience), WrittenTexts)

    async def converse(self, asked: SessionRequest, sender: Sender, cancellation: CancelToken) -> Message:
        """Return the answer to a request of a session, when its turn has come; raises as `write` does."""
        call: Message = {"call": "converse", "request": to_plain(asked), "key": sender.key}
        answer: Message = await self._ask(call, sender, cancellation, _HANG + self._load.most_seconds * _MOST_TEXTS)
        return answer

    async def _ask(self, call: Message, sender: Sender, cancellation: CancelToken, patience: float) -> Any:
        async with self._turns.turn(sender.key, cancellation):
            process = self._process
            if process is None or not self.ready:
                raise ReplicaAwayError
            answer = await self._call(process, call, cancellation, patience)
            if answer.get("trouble") in _LASTING:
                process.end("lost")
                self._is_lost()
        if "result" in answer:
            return answer["result"]
        if "mistake" in answer:
            raise BodyError(answer["mistake"])
        if answer["trouble"] == "defect":
            raise ReplicaDefectError(f"there was {answer['error']}")
        raise ReplicaLostError(f"its model failed ({answer['trouble']})")

    def stop(self) -> None:
        """End the process; requests in work get no answer."""
        self._stopped = True
        self._is_ready.clear()
        if self._task is not None:
            self._task.cancel()
        for process in (self._process, self._coming):
            if process is not None:
                process.end()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _call(
        self, process: ModelConnection, call: Message, cancellation: CancelToken | None, seconds: float
    ) -> Message:
        def work() -> Message:
            return process.call(call, cancellation=cancellation, seconds=seconds)

        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        except NoProcessError as ended:
            self._is_lost()
            raise ReplicaLostError(str(ended)) from None

    def _is_lost(self) -> None:
        """Start another process in the place of one that has ended; whoever called `start` sees the end itself."""
        if self._stopped or not self.ready or self._process is None or self._process.ended is None:
            return
        self._is_ready.clear()
        logger.warning("The process of %s has ended; another is started.", self)
        self._task = asyncio.get_running_loop().create_task(self._start_again())

    async def _start_again(self) -> None:
        failures = 0
        while not self._stopped:
            await asyncio.sleep(_PAUSES[min(failures, len(_PAUSES) - 1)])
            self.restarts += 1
            try:
                await self.start()
            except (CannotLoadError, ReplicaLostError, OSError) as error:
                failures += 1
                logger.warning("The process of %s could not be started: %s", self, error)
            else:
                return
