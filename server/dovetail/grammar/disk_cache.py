"""Cache files on disk: read only if this user wrote them and they are whole, written whole or not at all.

A file is a checksum of `CHECKSUM_SIZE` bytes and the data after it. The checksum covers the file's name too, so a
file that was moved to another name is not read. The name has to say everything that decides the data, the code that
makes it included: `code_digest` gives the part for the code.

A cache file holds plain data, but whoever writes one could still choose what is completed. So a file that another
user owns or may write is not read. The folder may be open to others: their own files are not read, and ours under
another name fail the checksum.
"""

from __future__ import annotations

import hashlib
import mmap
import os
import stat
import tempfile
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

CHECKSUM_SIZE = 64
"""Bytes of the checksum: a SHA-256 digest in hexadecimal. Data that is aligned in itself is aligned in the file too."""

_OTHERS = stat.S_IWGRP | stat.S_IWOTH

_ROOT = 0

_PACKAGE = Path(__file__).resolve().parents[1]


@cache
def code_digest(*folders: str, package: Path = _PACKAGE) -> bytes:
    """Return a digest of all Python files in some folders of a package, and in the folders inside them.

    A cache file whose name holds this digest is read by no version of the code but the one that wrote it.
    """
    digest = hashlib.sha256()
    for folder in folders:
        for source in sorted((package / folder).rglob("*.py")):
            text = source.read_bytes()
            digest.update(b"%d %d " % (len(source.name), len(text)) + source.name.encode() + text)
    return digest.digest()


def read_cached(path: Path) -> memoryview | None:
    """Return the data of a cache file, or None if it is missing, damaged, moved, or writable by another user.

    The data is mapped, not copied: processes that read the same file share its memory.
    """
    try:
        with _open(path) as file:
            view = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except (OSError, ValueError):
        return None  # mmap raises ValueError for an empty file
    return view[CHECKSUM_SIZE:] if view[:CHECKSUM_SIZE] == _checksum(path, (view[CHECKSUM_SIZE:],)) else None


def write_cached(path: Path, parts: Sequence[bytes]) -> None:
    """Write a cache file of some parts, whole or not at all, even beside another process that writes the same one.

    If the disk refuses, nothing is written and no error is raised: a cache only saves time.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as file:
            part = Path(file.name)
    except OSError:
        return
    try:
        with part.open("wb") as file:
            file.writelines((_checksum(path, parts), *parts))
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)


@contextmanager
def making(path: Path) -> Iterator[None]:
    """Wait until no other process makes the same cache file, and keep others from it meanwhile.

    The system ends the wait if the other process dies. Where it has no such locks, or refuses one, nobody waits: the
    file is then made twice, and is whole all the same.
    """
    with ExitStack() as stack:
        try:
            import fcntl

            path.parent.mkdir(parents=True, exist_ok=True)
            lock = stack.enter_context(_lock_of(path).open("ab"))
            fcntl.flock(lock, fcntl.LOCK_EX)
        except (ImportError, OSError):
            yield
            return
        _made_here.add(path)
        try:
            yield
        finally:
            _made_here.discard(path)


def is_made_elsewhere(path: Path) -> bool:
    """Return whether another process makes a cache file now."""
    try:
        import fcntl

        with _lock_of(path).open("ab") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return path not in _made_here
    except (ImportError, OSError):
        return False
    return False


_made_here: set[Path] = set()
"""The cache files that this process makes now."""


def _lock_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.lock")


def _open(path: Path) -> BinaryIO:
    """Open a file for reading; raise OSError if it is missing or if another user may have written it."""
    # Without O_NONBLOCK a named pipe in place of the file would block the reader for ever.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    file = os.fdopen(os.open(path, flags), "rb")
    found = os.fstat(file.fileno())
    # Windows has neither such owners nor such modes; there a user's cache folder belongs to the user alone.
    ours = os.name != "posix" or (found.st_uid in (os.geteuid(), _ROOT) and not found.st_mode & _OTHERS)
    if not stat.S_ISREG(found.st_mode) or not ours:
        file.close()
        raise PermissionError(f"{path} may have been written by another user; delete it, and it is made again.")
    return file


def _checksum(path: Path, parts: Iterable[bytes | memoryview]) -> bytes:
    digest = hashlib.sha256(path.name.encode() + b"\n")
    for part in parts:
        digest.update(part)
    return digest.hexdigest().encode()
