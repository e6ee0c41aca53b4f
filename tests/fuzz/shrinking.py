"""From a failing case to a small one that fails too."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from dovetail.comparison.shrinking import shrink

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.fuzz.cases import Case


def shrunk(case: Case, fails: Callable[[Case], bool], tries: int = 600) -> Case:
    """Return a case that still fails and from which nothing can be left out, as far as the tries reach."""

    def made(texts: tuple[str, ...]) -> Case:
        left, middle, right = texts
        return replace(case, left=left, middle=middle, right=right)

    return made(shrink((case.left, case.middle, case.right), lambda texts: fails(made(texts)), tries))
