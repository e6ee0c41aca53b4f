"""Pauses of the collector while many objects are made that are all kept."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def collector_paused() -> Iterator[None]:
    """Switch the collection of garbage off.

    A language, and a right context that is read, are tens of thousands of objects, of which nearly all are kept.
    Searching them for cycles again and again would take a quarter of the time.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
