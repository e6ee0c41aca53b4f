"""The process that holds the model for one server, which starts it, calls it and ends it.

The model has a process of its own because only a process can be replaced from outside. A thread that hangs cannot be
ended, a device that failed stays lost to the process that used it, and a system short of memory kills processes.
"""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import dovetail
from dovetail.completer.connection import ModelConnection

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dovetail.completer.fallback import Trouble

COMMAND = (sys.executable, "-P", "-m", "dovetail.completer.child")
"""The command of the process. `-P` stops Python from importing files of the working folder, which are not ours."""


class ModelProcess(ModelConnection):
    """One process; it ends with the connection."""

    def __init__(self, command: Sequence[str], lost: Callable[[], None]) -> None:
        """Start the process; `lost` is called, on a thread of its own, if the process ends by itself."""
        # The process logs at the server's level.
        level = logging.getLevelName(logging.getLogger().getEffectiveLevel())
        self._process = subprocess.Popen(
            [*command, str(level)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment()
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        super().__init__(self._process.stdin, self._process.stdout, lost)

    @property
    def identity(self) -> int:
        """The process id."""
        return self._process.pid

    def _cut(self, *, hung: bool) -> None:
        self._process.kill()

    def _wait(self) -> None:
        self._process.wait()

    def _clause(self, how: Trouble) -> str:
        if how == "hung":
            return "it did not answer in time"
        code = self._process.poll()
        if how == "ended" or code is None:
            return "it was ended"
        if code < 0:
            guess = ", as a system does that is short of memory" if code == -signal.SIGKILL else ""
            return f"it was killed by signal {-code}{guess}"
        return f"it ended with code {code}"


def environment() -> dict[str, str]:
    """Return the environment in which a process imports the same modules as this one, this package included."""
    ours = str(Path(dovetail.__file__).parents[1])
    places = [*(place for place in sys.path if place), ours]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(dict.fromkeys(places))}
