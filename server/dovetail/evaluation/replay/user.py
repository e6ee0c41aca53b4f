"""The simulated user: what is taken of a shown text, and what that costs.

Costs are in keys. To accept a whole text costs 1. To accept a part costs 1 and 1 for each word, or 2 for the first
lines; a part is taken only where it saves at least `_WORTH` keys. The user knows the text to write, and takes no
character that is not in it.
"""

from __future__ import annotations

import re
from itertools import takewhile
from typing import NamedTuple

READING = 1.0
"""The cost of reading a text in vain, in keys."""

_WHOLE = 1
_LINES = 2
_WORTH = 2

_WORD = re.compile(r"\s*(\w+|[^\w\s]+)")
"""The pattern of the text that one key accepts in editors that accept word by word."""


class Taking(NamedTuple):
    """The part of a shown text that the user takes."""

    length: int
    """Characters."""
    keys: int
    whole: bool


def matching(shown: str, to_come: str) -> int:
    """Return how many characters at the beginning of a shown text are those to come.

    >>> matching("name)", "names")
    4
    """
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(shown, to_come, strict=False)))


def take(shown: str, to_come: str) -> Taking | None:
    r"""Return what the user takes of a shown text that is not empty; None for nothing.

    `to_come`: at least as many characters as the shown text, as far as there are any.

    >>> take("return x", "return x\n")
    Taking(length=8, keys=1, whole=True)
    >>> take("self.name = None", "self.name = name")
    Taking(length=11, keys=5, whole=False)
    >>> take("x + 1", "y + 1")
    """
    right = matching(shown, to_come)
    if right == len(shown):
        return Taking(right, _WHOLE, whole=True) if right - _WHOLE >= 1 else None
    ways = []
    lines = shown.rfind("\n", 0, right + 1)
    if lines > 0:
        ways.append(Taking(lines, _LINES, whole=False))
    ends = [found.end() for found in _WORD.finditer(shown) if found.end() <= right]
    ways += [Taking(end, 1 + words, whole=False) for words, end in enumerate(ends, 1)]
    best = max(ways, key=lambda way: way.length - way.keys, default=None)
    return best if best is not None and best.length - best.keys >= _WORTH else None
