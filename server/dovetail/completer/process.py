"""The process that holds the model, as the server sees it: the server starts it, calls it and ends it.

The model has a process of its own because only a process can be replaced from outside. A thread that hangs cannot be
ended, a device that failed stays lost to the process that used it, and a system short of memory kills processes.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import subprocess
import sys
import threading
from itertools import count
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Literal

import dovetail
from dovetail.completer.wire import from_line, to_line

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dovetail.completer.cancel_token import CancelToken
    from dovetail.completer.wire import Message

COMMAND = (sys.executable, "-P", "-m", "dovetail.completer.child")
"""The command of the process. `-P` stops Python from importing files of the working folder, which are not ours."""

_CANCEL: Message = {}
"""An entry in the queue of answers that asks the waiting thread to pass a cancellation on."""


class NoProcessError(Exception):
    """The process has ended; the message is a clause that says how."""

    def __init__(self, how: Literal["lost", "hung", "ended"], clause: str) -> None:
        super().__init__(clause)
        self.how = how
        """`lost`: it ended by itself; `hung`: it did not answer in time; `ended`: the server ended it."""


class ModelProcess:
    """One process; `call` may be used by several threads, `end` by any."""

    def __init__(self, command: Sequence[str], lost: Callable[[], None]) -> None:
        """Start the process; `lost` is called, on a thread of its own, if the process ends by itself."""
        # The process logs at the server's level.
        level = logging.getLevelName(logging.getLogger().getEffectiveLevel())
        self._process = subprocess.Popen(
            [*command, str(level)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=_environment()
        )
        self._lost = lost
        self._numbers = count()
        self._lock = threading.Lock()
        self._waiting: dict[int, SimpleQueue[Message | None]] = {}  # number of a call → its answers, None for the end
        self._how: Literal["lost", "hung", "ended"] | None = None
        # A thread of its own writes these lines, so a process that does not read blocks no other thread.
        self._lines: SimpleQueue[bytes | None] = SimpleQueue()
        threading.Thread(target=self._write, name="to the model", daemon=True).start()
        threading.Thread(target=self._read, name="from the model", daemon=True).start()

    @property
    def identity(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def ended(self) -> NoProcessError | None:
        """The end of the process as an exception, or None while it runs."""
        return None if self._how is None else NoProcessError(self._how, self._clause())

    def call(
        self, message: Message, *, cancellation: CancelToken | None = None, seconds: float | None = None
    ) -> Message:
        """Send a message and return its answer; raise NoProcessError if the process ends first.

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
                    assert self.ended is not None, "the answers end only with the process"
                    raise self.ended
        except Empty:
            self.end("hung")
            raise NoProcessError("hung", f"it did not answer within {seconds:.0f} seconds") from None
        finally:
            with self._lock:
                del self._waiting[number]

    def end(self, how: Literal["hung", "ended"] = "ended") -> None:
        """End the process at once; waiting calls raise NoProcessError."""
        self._close(how)
        self._process.kill()
        self._lines.put(None)

    def _close(self, how: Literal["lost", "hung", "ended"]) -> bool:
        """Mark the process as ended and wake the waiting calls; return whether it was not marked before."""
        with self._lock:
            if self._how is not None:
                return False
            self._how = how
            for answers in self._waiting.values():
                answers.put(None)
        return True

    def _clause(self) -> str:
        if self._how == "hung":
            return "it did not answer in time"
        code = self._process.poll()
        if self._how == "ended" or code is None:
            return "it was ended"
        if code < 0:
            guess = ", as a system does that is short of memory" if code == -signal.SIGKILL else ""
            return f"it was killed by signal {-code}{guess}"
        return f"it ended with code {code}"

    def _write(self) -> None:
        stream = self._process.stdin
        assert stream is not None
        # If the process is gone the write fails; `_read` reports the end.
        with contextlib.suppress(OSError), stream:
            while (line := self._lines.get()) is not None:
                stream.write(line)
                if self._lines.empty():
                    stream.flush()

    def _read(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        with stream:
            for line in stream:
                message = from_line(line)
                if "log" in message:
                    _log(*message["log"])
                    continue
                with self._lock:
                    answers = self._waiting.get(message["number"])
                if answers is not None:
                    answers.put(message)
        self._process.wait()
        self._lines.put(None)
        if self._close("lost"):
            self._lost()


def _log(level: int, name: str, text: str) -> None:
    logging.getLogger(name).log(level, "%s", text)


def _environment() -> dict[str, str]:
    """Return the environment in which the process imports the same modules as this one, this package included."""
    ours = str(Path(dovetail.__file__).parents[1])
    places = [*(place for place in sys.path if place), ours]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(dict.fromkeys(places))}
