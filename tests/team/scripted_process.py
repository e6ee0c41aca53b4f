"""A replica's process without a process: a thread that does what the left text of a request says.

- `die`: it ends. `die once PATH`: it ends if there is no file, and makes one.
- `wait PATH`: nothing is written until there is a file at PATH.
- `until cancelled PATH`: nothing is written before the request is cancelled; a file, or a pipe, says that it began.
- `memory`: the model fails for want of memory. `defect`: it raises.
- All else comes back, with the number of the process and the document's name.
"""

from __future__ import annotations

import socket
import threading
import time
from contextlib import suppress
from itertools import count
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING

from dovetail.completer.cancel_token import CancelToken
from dovetail.completer.connection import ModelConnection
from dovetail.completer.wire import from_line, to_line, to_plain
from dovetail.team.written_texts import WrittenTexts

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail.completer.fallback import Trouble
    from dovetail.completer.wire import Message

_NUMBERS = count(1)
_RUNNING: dict[int, ScriptedProcess] = {}


class DiedError(Exception):
    """The process ends."""


class ScriptedProcess(ModelConnection):
    """The connection to such a thread."""

    def __init__(self, lost: Callable[[], None]) -> None:
        """Start it."""
        self._number = next(_NUMBERS)
        _RUNNING[self._number] = self
        self._ours, self._theirs = socket.socketpair()
        self._calls: SimpleQueue[tuple[Message, CancelToken] | None] = SimpleQueue()
        self._tokens: dict[int, CancelToken] = {}
        super().__init__(self._ours.makefile("wb"), self._ours.makefile("rb"), lost)
        for work in (self._take, self._work):
            threading.Thread(target=work, daemon=True).start()

    @staticmethod
    def of(number: int | None) -> ScriptedProcess:
        """Return the process with a number."""
        assert number is not None
        return _RUNNING[number]

    @property
    def identity(self) -> int:
        """Its number."""
        return self._number

    def kill(self) -> None:
        """End it from outside."""
        with suppress(OSError):
            self._theirs.shutdown(socket.SHUT_RDWR)

    def _cut(self, *, hung: bool) -> None:
        self.kill()

    def _clause(self, how: Trouble) -> str:
        return "it was killed"

    def _wait(self) -> None:
        _RUNNING.pop(self._number, None)
        self._ours.close()

    def _take(self) -> None:
        with suppress(OSError), self._theirs.makefile("rb") as lines:
            for line in lines:
                message = from_line(line)
                if "cancel" in message:
                    self._tokens[message["cancel"]].cancel()
                else:
                    self._tokens[message["number"]] = token = CancelToken()
                    self._calls.put((message, token))
        self._calls.put(None)

    def _work(self) -> None:
        with suppress(OSError, DiedError):
            while (call := self._calls.get()) is not None:
                message, token = call
                answer = self._result(message, token)
                self._theirs.sendall(to_line({**answer, "number": message["number"]}))
        self.kill()
        self._theirs.close()

    def _result(self, message: Message, token: CancelToken) -> Message:
        if message["call"] == "load":
            if message["model"] == "deadly":
                raise DiedError
            complaint = {"complaint": "There is no model `wrong`: name another."}
            return complaint if message["model"] == "wrong" else {"result": {"model": "scripted"}}
        left: str = message["window"]["left"]
        if left in ("memory", "defect"):
            return {"trouble": left, "error": "ZeroDivisionError"}
        _obey(left, token)
        return {"result": to_plain(WrittenTexts((f"{left}|{self._number}|{message['document']}",)))}


def _obey(left: str, token: CancelToken) -> None:
    verb, _, path = left.rpartition(" ")
    if left == "die" or (verb == "die once" and not Path(path).exists()):
        if verb:
            Path(path).touch()
        raise DiedError
    if verb == "wait":
        # Not a pipe: a thread whose process was killed goes on to wait, and would take what the next one waits for.
        while not Path(path).exists():
            time.sleep(0.005)
    if verb == "until cancelled":
        ended = threading.Event()
        token.tell(ended.set)
        Path(path).write_bytes(b"")  # a pipe has a reader then
        ended.wait()
