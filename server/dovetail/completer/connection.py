"""A connection to a process that holds a model: calls and their answers, as lines of JSON over two streams."""

from __future__ import annotations

import contextlib
import logging
import threading
from abc import ABC, abstractmethod
from itertools import count
from queue import Empty, SimpleQueue
from typing import IO, TYPE_CHECKING

from dovetail.completer.wire import from_line, to_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail.completer.cancel_token import CancelToken
    from dovetail.completer.fallback import Trouble
    from dovetail.completer.wire import Message

_CANCEL: Message = {}
"""An entry in the queue of answers that asks the waiting thread to pass a cancellation on."""


class NoProcessError(Exception):
    """The process has ended or cannot be reached any more; the message is a clause that says how."""

    def __init__(self, how: Trouble, clause: str) -> None:
        super().__init__(clause)
        self.how: Trouble = how
        """`lost`: it ended by itself; `hung`: it did not answer in time; `ended`: this side ended the connection; or
        the trouble for which a shared process ended."""


class ModelConnection(ABC):
    """One connection; `call` may be used by several threads, `end` by any."""

    def __init__(self, requests: IO[bytes], answers: IO[bytes], lost: Callable[[], None]) -> None:
        """Begin to write and to read; `lost` is called, on a thread of its own, if the other side ends it."""
        self._requests = requests
        self._answers = answers
        self._lost = lost
        self._numbers = count()
        self._lock = threading.Lock()
        self._waiting: dict[int, SimpleQueue[Message | None]] = {}  # number of a call → its answers, None for the end
        self._how: Trouble | None = None
        # A thread of its own writes these lines, so a process that does not read blocks no other thread.
        self._lines: SimpleQueue[bytes | None] = SimpleQueue()
        threading.Thread(target=self._write, name="to the model", daemon=True).start()
        threading.Thread(target=self._read, name="from the model", daemon=True).start()

    @property
    @abstractmethod
    def identity(self) -> int:
        """The process id."""

    @property
    def ended(self) -> NoProcessError | None:
        """The end of the connection as an exception, or None while it lasts."""
        return None if self._how is None else NoProcessError(self._how, self._clause(self._how))

    def call(
        self, message: Message, *, cancellation: CancelToken | None = None, seconds: float | None = None
    ) -> Message:
        """Send a message and return its answer; raise NoProcessError if the connection ends first.

        The call ends a process that has not answered after `seconds`. It passes the cancellation on.
        """
        number = next(self._numbers)
        answers: SimpleQueue[Message | None] = SimpleQueue()
        with self._lock:
            self._waiting[number] = answers
            if self._how is not None:
                answers.put(None)
        self._lines.put(to_line({**message, "number": number}))
        if cancellation is not None:
            cancellation.tell(lambda: answers.put(_CANCEL))
        try:
            while True:
                answer = answers.get(timeout=seconds)
                if answer is _CANCEL:
                    self._lines.put(to_line({"cancel": number}))
                elif answer is not None:
                    return answer
                else:
                    assert self.ended is not None, "the answers end only with the connection"
                    raise self.ended
        except Empty:
            self.end("hung")
            raise NoProcessError("hung", f"it did not answer within {seconds:.0f} seconds") from None
        finally:
            with self._lock:
                del self._waiting[number]

    def end(self, how: Trouble = "ended") -> None:
        """End the connection at once, and a process that hangs with it; waiting calls raise NoProcessError."""
        fresh = self._close(how)
        self._cut(hung=fresh and how == "hung")
        self._lines.put(None)

    def leave(self) -> None:
        """End the connection; the model is not needed any more."""
        self.end()

    @abstractmethod
    def _cut(self, *, hung: bool) -> None:
        """Have both streams end, whatever the process does."""

    @abstractmethod
    def _clause(self, how: Trouble) -> str:
        """Return a clause that says how the process ended."""

    @abstractmethod
    def _wait(self) -> None:
        """Wait until all is over; the stream of answers has ended."""

    def _close(self, how: Trouble) -> bool:
        """Mark the connection as ended and wake the waiting calls; return whether it was not marked before."""
        with self._lock:
            if self._how is not None:
                return False
            self._how = how
            for answers in self._waiting.values():
                answers.put(None)
        return True

    def _write(self) -> None:
        # If the process is gone the write fails; `_read` reports the end.
        with contextlib.suppress(OSError), self._requests as stream:
            while (line := self._lines.get()) is not None:
                stream.write(line)
                if self._lines.empty():
                    stream.flush()

    def _read(self) -> None:
        how: Trouble = "lost"
        # A connection that is broken off may raise where a pipe ends.
        with contextlib.suppress(OSError), self._answers as stream:
            for line in stream:
                message = from_line(line)
                if "log" in message:
                    _log(*message["log"])
                elif "ended" in message:
                    how = message["ended"]  # the process tells why it is about to end
                else:
                    with self._lock:
                        answers = self._waiting.get(message["number"])
                    if answers is not None:
                        answers.put(message)
        self._wait()
        self._lines.put(None)
        if self._close(how):
            self._lost()


def _log(level: int, name: str, text: str) -> None:
    logging.getLogger(name).log(level, "%s", text)
