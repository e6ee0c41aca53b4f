"""The client's process: a server does not outlive it.

Most clients that are gone have closed their end of the stream. One whose end some other process has inherited has not;
therefore its process is looked at now and then, as the protocol asks of a server that is told which one it is. Windows
has no harmless way to look, so there only the stream counts.
"""

from __future__ import annotations

import asyncio
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_PERIOD = 2.0
"""Seconds."""


async def follow_client(process: int, left: Callable[[], None]) -> None:
    """Call `left` when a process that `is_there` is gone."""
    is_parent = os.getppid() == process
    while True:
        await asyncio.sleep(_PERIOD)
        # Whoever lost its parent has another; a dead process may be seen for long.
        if (is_parent and os.getppid() != process) or not is_there(process):
            left()
            return


def is_there(process: int) -> bool:
    """Return whether a process can be seen; one in another container, or on Windows, cannot."""
    if sys.platform == "win32" or process <= 0:
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True  # it is somebody else's
    return True
