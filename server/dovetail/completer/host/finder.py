"""The way to a host: find the one that runs, or start it; of several windows that look at once, one starts it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass, fields
from functools import partial
from typing import TYPE_CHECKING, Any

from dovetail.completer.host.connection import HostConnection
from dovetail.completer.host.folder import CannotShareError, HostFolder, listens
from dovetail.completer.process import environment
from dovetail.completer.wire import from_line, to_line

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Iterator, Sequence

    from dovetail.completer.host.folder import HostFiles
    from dovetail.completer.host.identity import HostIdentity

COMMAND = (sys.executable, "-P", "-m", "dovetail.completer.host.process")
"""The command of a host. `-P` stops Python from importing files of the working folder, which are not ours."""

_PATIENCE = 30.0
"""Seconds for a lock that is held for milliseconds; a process that was stopped may hold it for ever."""

_ANSWERING = 5.0
"""Seconds in which a host says how it is; a thread of its own answers."""

_ENDING = 10.0
"""Seconds in which a killed process frees its memory."""


@dataclass(frozen=True, slots=True)
class HostStatus:
    """A host that runs, as it describes itself."""

    process: int
    model: str | None
    """The name of the model; None while it is loaded."""
    windows: int
    memory: int | None
    """Its resident memory in bytes; None where the system does not tell."""
    ends_in: float | None
    """Seconds until it ends, if no window comes; None while it has windows."""


class HostFinder:
    """Finds and starts hosts; its methods may be called on any thread."""

    def __init__(
        self, folder: HostFolder | None = None, command: Sequence[str] = COMMAND, *, patience: float = _PATIENCE
    ) -> None:
        """Use a folder, by default the user's. `command` starts a host. `patience`: seconds to wait for a lock."""
        self.command = tuple(command)
        self._folder = folder or HostFolder()
        self._patience = patience

    def connect(self, identity: HostIdentity, lost: Callable[[], None], *, anew: bool = False) -> HostConnection:
        """Return a connection to the host of an identity, which is started if there is none.

        `lost` is called, on a thread of its own, if the host ends by itself. `anew` ends a running host first. Raises
        CannotShareError if this window has to use a process of its own.
        """
        self._folder.prepare()
        files = self._folder.files(identity.name)
        try:
            connection = None if anew else self._folder.connect(files)
            if connection is None:
                connection = self._start(files, identity, anew=anew)
        except OSError as error:
            raise CannotShareError(f"no host could be started ({error.strerror or error})") from None
        process = files.process()
        if process is None:
            connection.close()
            raise CannotShareError(f"the file {files.record} cannot be read")
        return HostConnection(connection, process, partial(self._kill, files), lost)

    def make_room(self) -> None:
        """End all hosts that no window uses; a model that is loaded needs their memory."""
        for files in self._files():
            with suppress(CannotShareError, OSError, ValueError):
                self._ask(files, {"room": True})

    def status(self) -> Iterator[tuple[str, HostStatus | None]]:
        """Yield the name and the state of every host; None for one that does not answer in time."""
        for files in self._files():
            try:
                told = self._ask(files, {"status": True})
            except (CannotShareError, OSError, ValueError):
                yield files.name, None
            else:
                if told is not None:
                    state = told["status"]  # of another version it may say more or less
                    yield files.name, HostStatus(**{field.name: state.get(field.name) for field in fields(HostStatus)})

    def obstacle(self) -> str | None:
        """Return a clause that says why windows cannot share here; None if they can."""
        try:
            self._folder.prepare()
        except CannotShareError as error:
            return str(error)
        return None

    def stop(self) -> Iterator[tuple[str, HostStatus | None, bool]]:
        """End every host; yield its name, the state that it had, and whether it has ended.

        One that does not answer is killed. Windows that use a host start another at once.
        """
        for name, status in list(self.status()):
            files = self._folder.files(name)
            process = files.process()
            asked = False
            if status is not None:
                with suppress(CannotShareError, OSError, ValueError):
                    asked = self._ask(files, {"stop": True}, to_end=True) is not None
            if not asked and process is not None:
                self._kill(files, process)
            yield name, status, asked or process is not None

    def _files(self) -> list[HostFiles]:
        with suppress(CannotShareError):
            self._folder.prepare()
            return [self._folder.files(name) for name in self._folder.names()]
        return []

    def _ask(self, files: HostFiles, message: dict[str, Any], *, to_end: bool = False) -> dict[str, Any] | None:
        """Return the host's answer, `to_end` after the host has ended; None if nobody listens.

        Raises OSError if it does not answer in time.
        """
        connection = self._folder.connect(files)
        if connection is None:
            return None
        with connection:
            connection.settimeout(_ANSWERING)
            connection.sendall(to_line({**message, "number": 0}))
            with connection.makefile("rb") as answers:
                line = answers.readline()
                while to_end and answers.readline():
                    pass
        return from_line(line) if line else None

    def _start(self, files: HostFiles, identity: HostIdentity, *, anew: bool) -> socket.socket:
        """Start a host, unless another window has; return a connection to it."""
        with self._folder.locked(files, self._patience):
            running = self._folder.connect(files)
            if running is not None and not anew:
                return running
            if running is not None:
                self._replace(files, running)
            with self._folder.listen(files) as listener:
                process = self._spawn(files, identity, listener)
            self._folder.publish(files, process.pid)
            # Connections wait in the socket that the host has inherited, until it is ready to take them.
            connection = self._folder.connect(files)
        # Its end has to be noticed, or the system would keep its number for us.
        threading.Thread(target=process.wait, name="host", daemon=True).start()
        if connection is None:
            raise CannotShareError(f"the host ended at once; {files.log} may say why")
        return connection

    def _spawn(self, files: HostFiles, identity: HostIdentity, listener: socket.socket) -> subprocess.Popen[bytes]:
        log = os.open(files.log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            return subprocess.Popen(
                [*self.command, str(listener.fileno()), files.name, str(files.socket.parent), identity.build],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, pass_fds=[listener.fileno()],
                cwd=files.socket.parent, env=environment(),
                start_new_session=True,  # the interrupt key and the end of a terminal are meant for one window
            )  # fmt: skip
        finally:
            os.close(log)

    def _replace(self, files: HostFiles, running: socket.socket) -> None:
        """End a host that runs, and wait until its memory is free."""
        process = files.process()
        with running:
            if process is None or not listens(running, process):
                return  # its socket is taken away, and it ends when its windows have left
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
            running.settimeout(_ENDING)
            with suppress(OSError):
                running.recv(1)  # ends with the process

    def _kill(self, files: HostFiles, process: int) -> None:
        """Kill a host that does not answer, if it is still there, and let the next window start another."""
        with suppress(CannotShareError, OSError), self._folder.locked(files, self._patience):
            if files.process() != process:
                return  # another window has replaced it
            connection = self._folder.connect(files)
            if connection is None:
                return
            with connection:
                if listens(connection, process):
                    os.kill(process, signal.SIGKILL)
                files.socket.unlink()
