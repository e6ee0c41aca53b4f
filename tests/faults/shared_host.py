"""A host like that of all windows, whose model fails as its name says (`scripted_host.py`)."""

from __future__ import annotations

import shutil
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from tests.faults.scripted_host import host, trouble

from dovetail.completer.host import process

if TYPE_CHECKING:
    from collections.abc import Sequence

NEWER = "newer"
"""The file of a folder that makes every host begun there one of another version."""


def command(folder: Path) -> Sequence[str]:
    """Return the command that begins such a host, whose model notes in a folder what may happen once."""
    return [sys.executable, "-m", "tests.faults.shared_host", str(folder)]


def remove(folder: Path) -> None:
    """Remove a folder of hosts, which remove files of their own in it while they end."""
    while folder.exists():
        with suppress(FileNotFoundError):
            shutil.rmtree(folder)


def main() -> None:
    """Run the host."""
    if (Path(sys.argv[1]) / NEWER).exists():
        setattr(process, "build_digest", lambda: "another version")  # noqa: B010 - it is a function of another file
    process.main(host, trouble)


if __name__ == "__main__":
    main()
