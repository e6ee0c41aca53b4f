"""The size of a piece of work: lines of the engine that it executes.

That is the same on every machine, counts loops as well as calls, and needs nothing of the engine itself. What runs
in one step of C (copying a string, comparing two) is not counted; `tests/benchmarks/hostile.py` measures time.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import dovetail

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import Any

_ENGINE = str(Path(dovetail.__file__).parent)


def lines_executed(work: Callable[[], object]) -> int:
    """Return how many lines of the engine a piece of work executes."""
    count = 0

    def line(_: FrameType, event: str, __: Any) -> Any:
        nonlocal count
        count += event == "line"
        return line

    def call(frame: FrameType, _: str, __: Any) -> Any:
        return line if frame.f_code.co_filename.startswith(_ENGINE) else None

    before = sys.gettrace()
    sys.settrace(call)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def growth(work: Callable[[int], object], size: int) -> float:
    """Return by how much more work the step from 2n to 4n is than that from n to 2n: 2 if it grows as n does, 4 for n².

    What is remembered with a language is so after a first time, which is not counted.
    """
    work(4 * size)
    first, second, third = (lines_executed(lambda n=n: work(n)) for n in (size, 2 * size, 4 * size))
    return (third - second) / max(second - first, 1)
