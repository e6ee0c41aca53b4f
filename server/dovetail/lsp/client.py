"""The client's process: the server ends with it.

Usually the stream closes when the client ends. It stays open if another process inherited the client's end of it, so
the server also checks at intervals whether the client's process is there, as the protocol asks. Windows has no harmless
way to check, so only the stream counts there.
"""

from __future__ import annotations

import asyncio
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_PERIOD = 2.0
"""Seconds between two checks."""


async def follow_client(process: int, left: Callable[[], None]) -> None:
    """Call `left` when the client's process ends; it must run now (`is_there`)."""
    is_parent = os.getppid() == process
    while True:
        await asyncio.sleep(_PERIOD)
        # A process whose parent ends gets another parent. A dead process may stay visible for long.
        if (is_parent and os.getppid() != process) or not is_there(process):
            left()
            return


def is_there(process: int) -> bool:
    """Return whether a process is visible; False on Windows and for a process in another container."""
    if sys.platform == "win32" or process <= 0:
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True  # it belongs to another user
    return True
