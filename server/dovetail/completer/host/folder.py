"""The folder of a user's hosts: their sockets, which nobody else can reach.

The folder belongs to the user and has the mode 0700. A folder that others own, can enter or can replace is not used.
"""

from __future__ import annotations

import json
import os
import socket
import stat
import sys
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER_VARIABLE = "DOVETAIL_HOSTS"
"""The environment variable with another folder for hosts, where the cache's path is too long or on a network."""

_LONGEST = 100
"""Bytes of a socket's path; systems allow 103 to 107."""

_OTHERS = stat.S_IRWXG | stat.S_IRWXO

_BACKLOG = 128

_FRESH = ".new"


class CannotShareError(Exception):
    """A window cannot use a host and needs a process of its own; the message is a clause that says why."""


@dataclass(frozen=True, slots=True)
class HostFiles:
    """The files of one host."""

    name: str
    socket: Path
    lock: Path
    """Locked while a host is started or takes its socket away."""
    record: Path
    """The process id, for when the host does not answer."""
    log: Path
    """The output of the host on stdout and stderr, such as complaints of libraries."""

    def process(self) -> int | None:
        """Return the process id of the record; None without a readable record."""
        with suppress(OSError, ValueError, KeyError, TypeError):
            return int(json.loads(self.record.read_text("utf-8"))["process"])
        return None


class HostFolder:
    """The folder of a user's hosts."""

    def __init__(self, path: Path | None = None, user: int | None = None) -> None:
        """Use a folder; `user` is the owner that it must have, by default us.

        The default is the one that the environment names, or else one in the user's cache.
        """
        named = os.environ.get(FOLDER_VARIABLE)
        self.path = path or (Path(named).absolute() if named else platformdirs.user_cache_path("dovetail") / "hosts")
        self._user = user

    def files(self, name: str) -> HostFiles:
        """Return the files of the host of a name."""
        kinds = ("socket", "lock", "record", "log")
        return HostFiles(name, *(self.path / f"{name}.{kind}" for kind in kinds))

    def names(self) -> list[str]:
        """Return the names of the hosts that have a socket."""
        return sorted(path.stem for path in self.path.glob("*.socket"))

    def prepare(self) -> None:
        """Make the folder if there is none. Raises CannotShareError if others could reach or replace what is in it."""
        if not hasattr(socket, "AF_UNIX") or sys.platform == "win32":
            raise CannotShareError("this system has no sockets that belong to one user")
        if len(os.fsencode(self.files("0" * 16).socket)) > _LONGEST:
            raise CannotShareError(
                f"the path of the folder {self.path} is too long for a socket; the environment variable "
                f"{FOLDER_VARIABLE} may name a shorter one"
            )
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._check()
        except OSError as error:
            raise CannotShareError(f"the folder {self.path} cannot be used ({error.strerror or error})") from None

    def connect(self, files: HostFiles) -> socket.socket | None:
        """Return a connection to a host's socket, or None if nobody listens there.

        Raises CannotShareError if the socket, or the process that listens, belongs to another user.
        """
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            state = files.socket.lstat()
            if not stat.S_ISSOCK(state.st_mode) or state.st_uid != self._owner:
                raise CannotShareError(f"{files.socket} is not a socket of this user")
            connection.connect(str(files.socket))
            peer = _peer(connection)
            if peer is not None and peer[1] != self._owner:
                raise CannotShareError(f"the process behind {files.socket} belongs to another user")
        except OSError:  # there is no socket, or nobody listens
            connection.close()
            return None
        except CannotShareError:
            connection.close()
            raise
        return connection

    def listen(self, files: HostFiles) -> socket.socket:
        """Return a socket that listens, for a host that is not found before `publish`. Needs the lock."""
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        fresh = files.socket.with_suffix(_FRESH)
        fresh.unlink(missing_ok=True)
        listener.bind(str(fresh))
        fresh.chmod(0o600)
        listener.listen(_BACKLOG)
        return listener

    def publish(self, files: HostFiles, process: int) -> None:
        """Let windows find the host of a process; whoever was in its place is not found any more. Needs the lock."""
        part = files.record.with_suffix(".part")
        part.write_text(json.dumps({"process": process}), "utf-8")
        part.replace(files.record)
        files.socket.with_suffix(_FRESH).replace(files.socket)

    @contextmanager
    def locked(self, files: HostFiles, seconds: float) -> Iterator[None]:
        """Hold a host's lock; the system frees the lock of a process that ends.

        Raises CannotShareError if another process holds it for longer than `seconds`.
        """
        # Here, because only a window that starts a host needs it.
        from filelock import FileLock, Timeout

        try:
            with FileLock(files.lock, timeout=seconds, mode=0o600):
                yield
        except Timeout:
            raise CannotShareError(f"another process holds the lock {files.lock}") from None

    @property
    def _owner(self) -> int:
        return os.getuid() if self._user is None else self._user

    def _check(self) -> None:
        state = self.path.lstat()
        if not stat.S_ISDIR(state.st_mode) or state.st_uid != self._owner or state.st_mode & _OTHERS:
            raise CannotShareError(f"{self.path} is not a folder of this user alone (mode 0700)")
        for above in self.path.resolve().parents:
            state = above.stat()
            # Many systems give each user a group of their own, which may write to what the user makes.
            theirs = stat.S_IWOTH if state.st_gid == os.getgid() else stat.S_IWOTH | stat.S_IWGRP
            others_write = state.st_mode & theirs and not state.st_mode & stat.S_ISVTX
            if state.st_uid not in (0, self._owner) or others_write:
                raise CannotShareError(f"others can replace the folder {self.path}, since they can write to {above}")


def listens(connection: socket.socket, process: int) -> bool:
    """Return whether a process is the one that listens behind a connection, as far as the system tells.

    In another container the same number may be another process.
    """
    peer = _peer(connection)
    # Until a host that was started here is ready, the system names the process that has made the socket for it.
    return peer is None or peer[0] in (process, os.getpid())


def _peer(connection: socket.socket) -> tuple[int, int] | None:
    """Return process and user behind a connection; None where the system does not tell."""
    if not hasattr(socket, "SO_PEERCRED"):
        return None
    size = 3 * 4
    data = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size)
    process, user, _ = (int.from_bytes(data[at : at + 4], sys.byteorder, signed=True) for at in range(0, size, 4))
    return process, user
