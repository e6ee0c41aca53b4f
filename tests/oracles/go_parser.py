"""Workers of `go/parser` of several versions of Go, as far as `make go-parsers` has built them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import platformdirs

if TYPE_CHECKING:
    from pathlib import Path

FOLDER = platformdirs.user_cache_path("dovetail-tests") / "go"
"""The folder that `make go-parsers` fills, with one folder for each version."""


def find_worker(version: str) -> Path | None:
    """Return the worker that judges by a version of Go, such as `1.27`, or None if it was not built."""
    path = FOLDER / version / "worker"
    return path if path.exists() else None
