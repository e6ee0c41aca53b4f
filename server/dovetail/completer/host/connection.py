"""A window's connection to a host."""

from __future__ import annotations

import socket
from contextlib import suppress
from typing import TYPE_CHECKING

from dovetail.completer.connection import ModelConnection
from dovetail.completer.fallback import CLAUSES
from dovetail.completer.wire import to_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail.completer.fallback import Trouble

_CLAUSES: dict[Trouble, str] = {
    "lost": "the process that all windows share has ended",
    "hung": "it did not answer in time",
    "ended": "it was ended",
}


class HostConnection(ModelConnection):
    """One connection; the host stays when it ends."""

    def __init__(
        self, connection: socket.socket, process: int, kill: Callable[[int], None], lost: Callable[[], None]
    ) -> None:
        """Take over a connection to a process; `kill` ends a process, and `lost` is called if it ends by itself."""
        self._connection = connection
        self._process = process
        self._kill = kill
        super().__init__(connection.makefile("wb"), connection.makefile("rb"), lost)

    @property
    def identity(self) -> int:
        """The process id of the host."""
        return self._process

    def is_to(self, process: int) -> None:
        """Note the process that has answered."""
        self._process = process

    def leave(self) -> None:
        """End the connection, and the host if no other window uses it."""
        self._lines.put(to_line({"leave": True}))
        self._close("ended")
        self._lines.put(None)  # the end of the requests, behind what was sent before

    def _cut(self, *, hung: bool) -> None:
        if hung:
            self._kill(self._process)
        with suppress(OSError):  # the host was faster
            self._connection.shutdown(socket.SHUT_RDWR)

    def _write(self) -> None:
        super()._write()
        with suppress(OSError):
            self._connection.shutdown(socket.SHUT_WR)

    def _wait(self) -> None:
        self._connection.close()

    def _clause(self, how: Trouble) -> str:
        return CLAUSES.get(how) or _CLAUSES[how]
