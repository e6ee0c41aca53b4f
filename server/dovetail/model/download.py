"""The download of one file of the hub: into a part that can be resumed, and checked before it gets its name."""

from __future__ import annotations

import hashlib
import shutil
from contextlib import suppress
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from dovetail.model.error import ModelError
from dovetail.model.hub import HubError, opened

if TYPE_CHECKING:
    from collections.abc import Callable
    from hashlib import _Hash
    from pathlib import Path
    from typing import IO

    from dovetail.model.hub import HubFile

PART = ".part"
"""The end of the name of an unfinished file."""

_PIECE = 2**20
"""Bytes of a part that are read at once."""

_SPARE = 64 * 2**20
"""Bytes of the disk that are left free."""


def fetch(file: HubFile, path: Path, received: Callable[[int], None]) -> None:
    """Fetch a file to `path`; what an earlier attempt has left is not fetched again.

    `received` is told how many bytes there are, at first those of earlier attempts. Whatever ends this function, an
    exception of `received` too, leaves the part. Only a part whose digest is wrong is removed. Raises ModelError.
    """
    part = _part(file, path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # The system gives up the lock of a process that was ended.
        with FileLock(path.with_name(f"{path.name}.lock"), blocking=False):
            _drop_others(path, part)
            digest = _fill(file, part, received)
            if digest != file.sha256:
                part.unlink()
                raise ModelError(
                    f"{file.name} arrived with the SHA-256 digest {digest} instead of {file.sha256}, so it was "
                    "removed: fetch it again, and if that does not help, over another network."
                )
            part.replace(path)
    except Timeout:
        raise ModelError(f"Another process is fetching {file.name}: wait until it has ended.") from None
    except OSError as error:
        raise ModelError(
            f"{part} cannot be written ({error.strerror or error}): make room there, or set XDG_CACHE_HOME to a "
            "folder with more."
        ) from error


def unfinished(path: Path) -> list[Path]:
    """Return the parts that were left of the file that is to be at `path`."""
    return [part for part in path.parent.glob("*" + PART) if part.name.startswith(path.name + ".")]


def _part(file: HubFile, path: Path) -> Path:
    """Return where the bytes are until the file is whole; another version of the file has another part."""
    return path.with_name(f"{path.name}.{file.sha256[:16]}{PART}")


def _drop_others(path: Path, part: Path) -> None:
    """Remove the parts of other versions."""
    for other in unfinished(path):
        if other != part:
            with suppress(OSError):
                other.unlink()


def _fill(file: HubFile, part: Path, received: Callable[[int], None]) -> str:
    """Add to a part what it lacks, and return the digest of the whole."""
    with part.open("a+b") as output:
        size, digest = _read_part(output)
        if size > file.size:
            size, digest = _empty(output)
        _require_room(file, part, file.size - size)
        received(size)
        # A long download over a bad line is cut off more than once: it goes on as long as that gets it further.
        furthest = size
        while size < file.size:
            with opened(file, size) as (pieces, start):
                if start != size:
                    size, digest = _empty(output)
                if start == size:
                    for piece in pieces:
                        output.write(piece[: file.size - size])
                        digest.update(piece[: file.size - size])
                        size = min(file.size, size + len(piece))
                        received(size)
            if size <= furthest:
                raise HubError(
                    f"The connection was lost after {size:,} of {file.size:,} bytes of {file.name}, which are kept: "
                    "the same command goes on from there."
                )
            furthest = size
        return digest.hexdigest()


def _read_part(output: IO[bytes]) -> tuple[int, _Hash]:
    """Return the size of a part and the digest of its bytes, as an object that takes more."""
    digest = hashlib.sha256()
    size = 0
    output.seek(0)
    while piece := output.read(_PIECE):
        digest.update(piece)
        size += len(piece)
    return size, digest


def _empty(output: IO[bytes]) -> tuple[int, _Hash]:
    """Empty a part; return its size and digest."""
    output.truncate(0)
    return 0, hashlib.sha256()


def _require_room(file: HubFile, part: Path, needed: int) -> None:
    """Raise ModelError if the disk has no room for so many bytes."""
    free = shutil.disk_usage(part.parent).free
    if free < needed + _SPARE:
        raise ModelError(
            f"{file.name} needs {needed / 1e9:.1f} GB and {part.parent} has {free / 1e9:.1f} GB free: make room there, "
            "or set XDG_CACHE_HOME to a folder with more."
        )
