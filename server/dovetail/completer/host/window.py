"""One window of a host: its requests come one after the other, between those of other windows."""

from __future__ import annotations

import logging
import os
import socket
import threading
from contextlib import suppress
from dataclasses import dataclass
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Protocol

from dovetail.completer.cancel_token import CancelToken
from dovetail.completer.host.turns import SteppedCancellation
from dovetail.completer.log_redaction import RedactingFormatter
from dovetail.completer.wire import from_line, to_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail.completer.child import Child
    from dovetail.completer.host.turns import Turns
    from dovetail.completer.wire import Message

logger = logging.getLogger(__name__)

_OF_WINDOWS = threading.local()
"""`level` and `send` of the window whose thread this is; other threads have neither."""


class WindowOwner(Protocol):
    """The host, as its windows see it; all methods may be called on any thread."""

    build: str
    turns: Turns

    def status(self) -> dict[str, Any]:
        """Return the state of the host, for `dovetail host`."""

    def fail(self, trouble: str) -> None:
        """End the host, whose model has failed or which was stopped; all windows are told why."""

    def left(self, window: Window) -> None:
        """Note that a window's connection has ended."""

    def make_room(self) -> None:
        """End the host if it has no windows."""

    def answered(self) -> None:
        """Note that a request was answered."""

    def log_at(self, level: int) -> None:
        """Make log records of a level, for a window that wants them."""


@dataclass(eq=False, slots=True)
class _Request:
    message: Message
    token: CancelToken


class Window:
    """One connection to the host."""

    def __init__(self, owner: WindowOwner, connection: socket.socket, child: Child) -> None:
        """Take over a connection; `child` answers its calls. Nothing is read before `begin`."""
        self.greeted = False
        """True if it said that it is a window; `dovetail host` only asks."""
        self.was_refused = False
        """True if it runs another version."""
        self.leaves_for_good = False
        """True if the window does not need the model any more."""
        self._owner = owner
        self._connection = connection
        self._child = child
        self._level = logging.CRITICAL
        self._requests: SimpleQueue[_Request | None] = SimpleQueue()
        self._tokens: dict[int, CancelToken] = {}  # number → the cancellation of what waits or runs
        # A thread of its own writes these lines, so that a window that reads nothing keeps no other waiting.
        self._lines: SimpleQueue[bytes | None] = SimpleQueue()
        self._written = threading.Event()

    @property
    def idle_minutes(self) -> float:
        """Minutes for which the host waits after this window has left, by its settings."""
        return self._child.settings.host_idle

    def begin(self) -> None:
        """Begin to read, to work and to write, each on a thread of its own."""
        for work in (self._read, self._work, self._write):
            threading.Thread(target=work, name=f"window {work.__name__}", daemon=True).start()

    def send(self, message: Message) -> None:
        """Send a line; a window that is gone misses it."""
        self._lines.put(to_line(message))

    def end(self, patience: float) -> None:
        """Send what was put before, for up to `patience` seconds; then the connection ends."""
        self._lines.put(None)
        self._written.wait(patience)

    def _read(self) -> None:
        # A line that is no message ends the connection, like the end of the stream.
        with suppress(OSError, ValueError, KeyError, TypeError), self._connection.makefile("rb") as lines:
            for line in lines:
                self._take(from_line(line))
        for token in list(self._tokens.values()):
            token.cancel()
        self._requests.put(None)
        self._owner.left(self)  # now, because the request in work may hang

    def _take(self, message: Message) -> None:
        if "cancel" in message:
            token = self._tokens.get(message["cancel"])
            if token is not None:
                token.cancel()
        elif "hello" in message:
            self._greet(message)
        elif "status" in message:
            self.send({"status": self._owner.status(), "number": message["number"]})
        elif "stop" in message:
            self.send({"stop": True, "number": message["number"]})
            self._owner.fail("ended")
        elif "room" in message:
            self._owner.make_room()
            self.send({"room": False, "number": message["number"]})
        elif "leave" in message:
            self.leaves_for_good = True
        elif self.greeted:
            self._tokens[message["number"]] = token = CancelToken()
            self._requests.put(_Request(message, token))

    def _greet(self, message: Message) -> None:
        """Take a window that runs the same version; refuse any other."""
        number, given = message["number"], message["hello"]
        self.greeted = given["build"] == self._owner.build
        self.was_refused = not self.greeted
        self._level = given["level"]
        self._owner.log_at(self._level)
        told = {"process": os.getpid()} if self.greeted else None
        self.send({"hello": told, "number": number})

    def _work(self) -> None:
        _OF_WINDOWS.level, _OF_WINDOWS.send = self._level, self.send
        turns = self._owner.turns
        while (request := self._requests.get()) is not None:
            _OF_WINDOWS.level = self._level
            message = request.message
            with turns.turn():
                answer = self._child.answer(message, SteppedCancellation(request.token, turns))
            del self._tokens[message["number"]]
            if answer.get("trouble") is not None:
                self._owner.fail(answer["trouble"])  # all windows are told, this one too
                continue
            self.send({**answer, "number": message["number"]})
            self._owner.answered()
        with turns.turn():
            self._child.forget_all()
        self._lines.put(None)

    def _write(self) -> None:
        with suppress(OSError), self._connection.makefile("wb") as stream:
            while (line := self._lines.get()) is not None:
                stream.write(line)
                if self._lines.empty():
                    stream.flush()
            stream.flush()
        with suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)
        self._connection.close()
        self._written.set()


_WHOLE, _REDACTED = logging.Formatter("%(message)s"), RedactingFormatter("%(message)s")


class WindowLogs(logging.Handler):
    """Sends log records to the window whose request was in work; no other window gets them."""

    def emit(self, record: logging.LogRecord) -> None:
        """Send a record that is severe enough for the window."""
        send: Callable[[Message], None] | None = getattr(_OF_WINDOWS, "send", None)
        if send is not None and record.levelno >= _OF_WINDOWS.level:
            form = _WHOLE if _OF_WINDOWS.level <= logging.DEBUG else _REDACTED
            send({"log": [record.levelno, record.name, form.format(record)]})
