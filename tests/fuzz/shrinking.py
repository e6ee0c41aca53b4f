"""From a failing case to a small one that fails too."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.fuzz.cases import Case


def shrunk(case: Case, fails: Callable[[Case], bool], tries: int = 600) -> Case:
    """Return a case that still fails and from which nothing can be left out, as far as the tries reach."""
    left_over = [tries]

    def still(smaller: Case) -> bool:
        left_over[0] -= 1
        return left_over[0] >= 0 and fails(smaller)

    size = -1
    while size != _size(case) and left_over[0] > 0:
        size = _size(case)
        for part in ("right", "left", "middle"):
            case = _shorter(case, part, still)
    return case


def _size(case: Case) -> int:
    return len(case.left) + len(case.middle) + len(case.right)


def _shorter(case: Case, part: Literal["left", "middle", "right"], still: Callable[[Case], bool]) -> Case:
    """Leave out stretches of one part: whole lines first, in halves down to one, then single characters."""
    for lines in (True, False):
        pieces: list[str] = getattr(case, part).splitlines(keepends=True) if lines else [*getattr(case, part)]
        if not lines and len(pieces) > 200:
            break
        step = len(pieces)
        while step:
            place = 0
            while place < len(pieces):
                fewer = pieces[:place] + pieces[place + step :]
                change: dict[str, Any] = {part: "".join(fewer)}
                smaller = replace(case, **change)
                if still(smaller):
                    case, pieces = smaller, fewer
                else:
                    place += step
            step //= 2
    return case
