"""Next mistake: of several mends that lead to another mistake, the one after whose mend most of the text fits.

Two mistakes near each other cut short the reach of the right mend of the first one. Another mend may go as far by
chance, or a little further, as where it takes in the second mistake. But only behind the right one is the second
mistake mended like one that stands alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.diagnostics.fault import find_bare_fault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from dovetail.diagnostics.change import Mend
    from dovetail.diagnostics.fault import Fault
    from dovetail.quotient.machine import Machine

    FindMend = Callable[[Machine, str, Fault], Mend | None]

_MOST = 4
"""The most mends that are compared."""
_LARGEST = 20_000
"""The most characters of a text in which they are compared."""


def best_before_next(machine: Machine, best: Mend, others: Iterable[Mend | None], find: FindMend) -> Mend:
    """Return the mend of a fault with which most of its text fits once the next fault is mended too.

    `best`: the one with the furthest reach, which is returned unless another one is better. `find` finds the mend of
    the next fault.
    """
    if len(best.text) > _LARGEST:
        return best
    distinct = {best.text: best}
    for each in others:
        if each is not None and len(distinct) < _MOST:
            distinct.setdefault(each.text, each)
    if len(distinct) == 1:
        return best
    return min(distinct.values(), key=lambda mend: _left(machine, mend, find))


def _left(machine: Machine, mend: Mend, find: FindMend) -> int:
    """Return how many characters of a text are left behind its next fault and that one's mend.

    -1 if nothing is, and -2 if there is no next fault.
    """
    found = find_bare_fault(machine, mend.text)
    if found is None:
        return -2
    fault, text = found
    following = find(machine, text, fault)
    return len(text) - (fault.offset if following is None else max(following.reach, fault.offset))
