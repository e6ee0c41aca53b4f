"""Files that are kept between runs: read only where nobody else can have written them, written whole or not at all.

What they hold is plain data, and who writes such a file could still choose what is completed; so a file that another
user owns or may change is as good as none. The folder does not matter: who may only write there can put files of their
own into it, which are not read, or other ones of ours under a wrong name, which those who read them look at.
"""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Iterable

_OTHERS = stat.S_IWGRP | stat.S_IWOTH

_ROOT = 0


def open_kept(path: Path) -> BinaryIO:
    """Open a file for reading; raise OSError if it is not there, or if anybody else may have written it."""
    # A pipe in its place must keep nobody waiting.
    file = os.fdopen(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)), "rb")
    found = os.fstat(file.fileno())
    # Windows has neither owners nor modes like these; there a user's cache folder is the user's alone.
    ours = os.name != "posix" or (found.st_uid in (os.geteuid(), _ROOT) and not found.st_mode & _OTHERS)
    if not stat.S_ISREG(found.st_mode) or not ours:
        file.close()
        raise PermissionError(f"{path} may have been written by somebody else")
    return file


def write_kept(path: Path, parts: Iterable[bytes]) -> None:
    """Keep some bytes under a path, whole or not at all, also for a process beside this one.

    Where the disk refuses, nothing is kept and nothing is lost.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as part:
            part.writelines(parts)
        Path(part.name).replace(path)
    except OSError:
        return
