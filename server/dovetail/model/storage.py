"""Writing files so that each is whole or not there."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING

from dovetail.model.error import ModelError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_PARTIAL = ".partial"


def write_text(path: Path, text: str) -> None:
    """Replace a file as a whole by text in UTF-8; raises `ModelError` if it cannot be written."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, data: bytes) -> None:
    """Replace a file as a whole, and make its folder if there is none; raises `ModelError` if it cannot be written."""
    partial = path.with_name(path.name + _PARTIAL)
    with sentence(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with partial.open("wb") as file:
                file.write(data)
            partial.replace(path)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise


@contextmanager
def whole_folder(folder: Path) -> Iterator[Path]:
    """Give a new folder to write to, which takes a folder's place at the end, or leaves no trace after an error.

    Raises `ModelError` where there is no room, or no permission.
    """
    partial = folder.with_name(folder.name + _PARTIAL)
    before = folder.with_name(folder.name + ".before")
    with sentence(folder):
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        try:
            yield partial
            shutil.rmtree(before, ignore_errors=True)
            if folder.exists():
                folder.replace(before)
            partial.replace(folder)
        except BaseException:
            shutil.rmtree(partial, ignore_errors=True)
            raise
        shutil.rmtree(before, ignore_errors=True)


@contextmanager
def sentence(folder: Path) -> Iterator[None]:
    """Turn what the system says of a folder into a `ModelError`."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise ModelError(f"Nothing can be written to {folder} ({reason}): make room there, or name another.") from error
