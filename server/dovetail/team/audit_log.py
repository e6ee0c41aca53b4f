"""The audit log: one line of JSON for each request, with sizes and names and no text."""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


class AuditEntry(NamedTuple):
    """The note of one request."""

    key: str | None
    """The name of the key's holder; None without keys, or if the key was wrong."""
    door: str
    status: int
    seconds: float
    language: str | None = None
    left: int = 0
    right: int = 0
    """Characters of the window."""
    texts: int = 0
    """Texts in the answer."""


class AuditLog(Protocol):
    """A place for entries."""

    def note(self, entry: AuditEntry) -> None:
        """Note a request."""


class NoAuditLog:
    """The log of a host that keeps none."""

    def note(self, entry: AuditEntry) -> None:
        """Note nothing."""


class FileAuditLog:
    """Appends entries to a file, which only its owner may read; each is one write, so that a line is never torn."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        """Open the file; raises OSError. `clock` returns the seconds since 1970."""
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self._clock = clock

    def note(self, entry: AuditEntry) -> None:
        """Append a line; a full disk costs the line, and no request."""
        line = {"time": round(self._clock(), 3), **entry._asdict(), "seconds": round(entry.seconds, 3)}
        try:
            os.write(self._file, json.dumps(line, separators=(",", ":")).encode() + b"\n")
        except OSError:
            return

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)
