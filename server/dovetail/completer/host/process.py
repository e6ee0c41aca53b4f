"""The host: the process that holds a model for all windows of a user, and ends some minutes after the last one.

Each window has a connection to the host's socket, over which it calls the same operations as a process of its own
would answer (`operations.py`). Windows have their own settings and documents. They share the model and the tables, and
take turns at each step of decoding (`turns.py`).
"""

from __future__ import annotations

import logging
import os
import resource
import selectors
import signal
import socket
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dovetail.completer.child import Child
from dovetail.completer.gc_pauses import PAUSE, Collector
from dovetail.completer.host.folder import CannotShareError, HostFolder
from dovetail.completer.host.identity import build_digest
from dovetail.completer.host.shared import SharedResources
from dovetail.completer.host.turns import Turns
from dovetail.completer.host.window import Window, WindowLogs
from dovetail.completer.local import LocalCompleter
from dovetail.model.hosting import load_model

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail.completer.host.folder import HostFiles
    from dovetail.decoding.proposer import Proposer

_SPEAKING = 2.0
"""Seconds in which windows are told why the host ends; one that reads nothing is not waited for."""

_AGAIN = 1.0
"""Seconds after which a host tries again to end, if somebody was about to connect."""

_FIRST = 60.0
"""Seconds in which the window that started the host has to connect."""


class Host:
    """Serves windows until none has been there for some minutes, or the model fails."""

    def __init__(
        self,
        listener: socket.socket,
        build: str,
        load: Callable[[str | None, str | None], Proposer] = load_model,
        trouble: Callable[[Exception], str | None] | None = None,
        collector: Collector | None = None,
        *,
        withdraw: Callable[[Callable[[], bool]], bool] = lambda is_free: is_free(),
    ) -> None:
        """Make a host that takes windows from a listening socket.

        `build` is the version that windows must have. `load` loads the model, `trouble` names the model's failure for
        an exception. `withdraw` takes the socket away if the function that it is given returns True afterwards, and
        returns whether it did.
        """
        self.build = build
        self.turns = Turns()
        self._shared = SharedResources(self.turns, load)
        self._trouble = trouble
        self._collector = collector
        self._withdraw = withdraw
        self._listener = listener
        self._lock = threading.Lock()
        self._windows: list[Window] = []
        self._count = 0
        self._ends_at: float | None = time.monotonic() + _FIRST
        self._ended_for: str | None = None
        self._worked = time.monotonic()
        self._has_rested = True
        self._wake, self._woken = socket.socketpair()
        if collector is not None:
            self._shared.model.loaded = collector.settle

    def run(self) -> None:
        """Serve; return when the host has to end."""
        self._listener.setblocking(False)
        with self._wake, self._woken, selectors.DefaultSelector() as selector:
            selector.register(self._listener, selectors.EVENT_READ)
            selector.register(self._woken, selectors.EVENT_READ)
            while self._ended_for is None:
                for key, _ in selector.select(self._patience()):
                    if key.fileobj is self._listener:
                        self._accept_all()
                    else:
                        self._woken.recv(64)
                self._rest()
                if self._is_due():
                    if self._withdraw(self._is_free):
                        return
                    self._ends_at = time.monotonic() + _AGAIN
        self._tell_all()

    def status(self) -> dict[str, Any]:
        """Return the state of the host, for `dovetail host`."""
        proposer = self._shared.model.proposer
        with self._lock:
            windows = sum(window.greeted for window in self._windows)
            ends_at = self._ends_at
        name = None if proposer is None else proposer.name
        ends_in = None if windows or ends_at is None else max(0.0, ends_at - time.monotonic())
        return {
            "process": os.getpid(), "model": name, "windows": windows, "memory": resident_bytes(), "ends_in": ends_in
        }  # fmt: skip

    def fail(self, trouble: str) -> None:
        """End the host, whose model has failed or which was stopped."""
        self._ended_for = trouble
        self._wake_up()

    def left(self, window: Window) -> None:
        """Note that a window's connection has ended."""
        with self._lock:
            self._windows.remove(window)
            others = any(other.greeted for other in self._windows)
            if window.was_refused and not others:
                self._ends_at = time.monotonic()  # this host has another version than the window that started it
            elif window.greeted and not others:
                # Without a model there is nothing to keep; it may even hang while it is loaded.
                at_once = window.leaves_for_good or self._shared.model.proposer is None
                self._ends_at = time.monotonic() + (0.0 if at_once else 60.0 * window.idle_minutes)
        self._wake_up()

    def make_room(self) -> None:
        """End the host if it has no windows."""
        with self._lock:
            if not any(window.greeted for window in self._windows):
                self._ends_at = time.monotonic()
        self._wake_up()

    def answered(self) -> None:
        """Note that a request was answered."""
        self._worked = time.monotonic()
        if self._collector is not None:
            self._collector.rest(idle=False)
            if self._has_rested:
                self._has_rested = False
                self._wake_up()

    def log_at(self, level: int) -> None:
        """Make log records of a level, for a window that wants them."""
        root = logging.getLogger()
        root.setLevel(min(level, root.level))

    def _accept_all(self) -> None:
        with suppress(BlockingIOError):
            while True:
                self._accept()

    def _accept(self) -> None:
        """Take a window; raise BlockingIOError if none waits."""
        with suppress(ConnectionAbortedError):
            connection, _ = self._listener.accept()
            connection.setblocking(True)
            self._begin(connection)

    def _begin(self, connection: socket.socket) -> None:
        self._count += 1
        number, shared = self._count, self._shared
        completer = LocalCompleter(
            lambda name, device: shared.model.for_window(number, name, device),
            limit=shared.limit,
            tables=shared.tables,
        )
        window = Window(self, connection, Child(completer, self._trouble))
        with self._lock:
            self._windows.append(window)
        window.begin()

    def _is_due(self) -> bool:
        """Return whether the time of a host without windows is over."""
        return self._is_free() and self._ends_at is not None and time.monotonic() >= self._ends_at

    def _is_free(self) -> bool:
        """Return whether there is no window, not even one that has connected a moment ago."""
        self._accept_all()
        with self._lock:
            return not self._windows

    def _patience(self) -> float | None:
        """Return the seconds until there is something to do; None if only a window can bring it."""
        with self._lock:
            ends = None if self._windows or self._ends_at is None else max(0.0, self._ends_at - time.monotonic())
        rests = None if self._has_rested else PAUSE
        known = [seconds for seconds in (ends, rests) if seconds is not None]
        return min(known, default=None)

    def _rest(self) -> None:
        """Collect garbage in a pause of all windows."""
        if self._has_rested or not self.turns.are_free or time.monotonic() - self._worked < PAUSE:
            return
        assert self._collector is not None, "without a collector there is no need for rest"
        self._has_rested = True
        self._collector.rest(idle=True)

    def _wake_up(self) -> None:
        with suppress(OSError):
            self._wake.send(b".")

    def _tell_all(self) -> None:
        """Tell every window why the host ends, also those that have connected a moment ago."""
        self._accept_all()
        self._listener.close()  # before they are told, or they would find this host again
        with self._lock:
            windows = list(self._windows)
        for window in windows:
            window.send({"ended": self._ended_for})
        for window in windows:
            window.end(_SPEAKING)


def resident_bytes() -> int | None:
    """Return the resident memory of this process in bytes, the most that it had where the system tells no more."""
    with suppress(OSError, ValueError, IndexError):
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
        return pages * resource.getpagesize()
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def main(
    load: Callable[[str | None, str | None], Proposer] = load_model,
    trouble: Callable[[Exception], str | None] | None = None,
) -> None:
    """Run a host. The last four arguments are its socket's number, its name, its folder and the version that is wanted.

    The process that starts the host has made the socket.
    """
    number, name, folder, build = sys.argv[-4:]
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    # On some systems threads have less room than the main thread, for deep recursion in libraries.
    threading.stack_size(16 << 20)
    logging.basicConfig(level=logging.CRITICAL, handlers=[WindowLogs()])
    listener = socket.socket(fileno=int(number))
    listener.listen(128)  # again: from here on the system names this process to those who connect
    place = HostFolder(Path(folder))
    files = place.files(name)
    own = build_digest()
    collector = Collector()
    host = Host(listener, own, load, trouble, collector, withdraw=lambda is_free: withdraw(place, files, is_free))
    host.run()
    # The model's library may be busy for long, so the process does not wait for it.
    os._exit(0 if own == build else 3)


def withdraw(place: HostFolder, files: HostFiles, is_free: Callable[[], bool]) -> bool:
    """Take the socket of this host away if nobody has connected to it when it is gone; return whether that is so."""
    try:
        with place.locked(files, 0.0):
            aside = files.socket.with_suffix(".aside")
            ours = files.process() == os.getpid()  # another host may have taken its place
            if ours:
                files.socket.replace(aside)
            if not is_free():
                if ours:
                    aside.replace(files.socket)
                return False
            if ours:
                for path in (aside, files.record, files.log):
                    path.unlink(missing_ok=True)
            return True
    except CannotShareError:
        return False  # somebody is about to connect
    except OSError:
        return is_free()


if __name__ == "__main__":
    main()
