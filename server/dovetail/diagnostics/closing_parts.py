"""Parts of a closing: what of the shortest text that closes all brackets belongs to a statement or a line alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.diagnostics.flaw import MIRRORED

if TYPE_CHECKING:
    from collections.abc import Iterator

_CLOSERS = frozenset(MIRRORED.values())
_MOST = 3
"""The most beginnings of a closing that are tried."""


def beginnings(closing: str) -> Iterator[str]:
    """Yield the shortest beginnings of a closing with all their brackets closed, at least one pair of them.

    >>> list(beginnings("catch{}finally{}}"))
    ['catch{}', 'catch{}finally{}']
    """
    depth = found = 0
    for end, sign in enumerate(closing, start=1):
        depth += (sign in MIRRORED) - (sign in _CLOSERS)
        if depth < 0 or found == _MOST:
            return
        if depth == 0 and sign in _CLOSERS:
            found += 1
            yield closing[:end]


def up_to_closer(closing: str, depth: int) -> str:
    """Return a closing up to the first bracket that closes none of its own, and none of as many that are open.

    >>> up_to_closer("x: {}}", 0), up_to_closer("x)}", 1)
    ('x: {}', 'x)')
    """
    for end, sign in enumerate(closing):
        depth += (sign in MIRRORED) - (sign in _CLOSERS)
        if depth < 0:
            return closing[:end]
    return closing
