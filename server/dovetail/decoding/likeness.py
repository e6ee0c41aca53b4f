"""The likeness of a name to the line that it stands on: people call variables as what they put into them.

In `headers = form.get_headers()` the member has the words of the variable. On 439 lines of 25 packages that no model of
ours has read, cut behind a dot whose members were known, all words of the true member stood before the dot in 15 of 100
cases, of one of its other members in 1; some of them in 12 and 4.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

_NONE, _FEW, _HALF, _ALL = 0.88, 1.2, 1.9, 4.0
"""How many times likelier a name is of whose words none, less than half, more and all stand on the line: the square
roots of what was counted, as the model has read the line too."""

_LEAST = 3
"""Letters of a word."""

_WORD = re.compile(rb"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


@lru_cache(maxsize=8192)
def words_of_names(text: bytes) -> frozenset[bytes]:
    """Return the words that the names of a text are made of, in small letters and without an `s` at their end.

    >>> sorted(words_of_names(b"widgets = HTTPPage(get_items)"))
    [b'get', b'http', b'item', b'page', b'widget']
    """
    words = (word.lower() for word in _WORD.findall(text) if len(word) >= _LEAST)
    return frozenset(word[:-1] if word.endswith(b"s") and len(word) > _LEAST else word for word in words)


def likeness(name: bytes, line: AbstractSet[bytes]) -> float:
    """Return how many times likelier a name is beside the words of a line; 1 where either has none."""
    words = words_of_names(name)
    if not words or not line:
        return 1.0
    share = len(words & line) / len(words)
    if not share:
        return _NONE
    return _ALL if share == 1 else _HALF if share >= 1 / 2 else _FEW
