"""Lines of the right text that a string or comment of the text would take in, as Lua's `[[` up to a `]]` below.

It may be the shortest way to a program where an end is missing, and nobody means it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.decoding.ending import PROSE

if TYPE_CHECKING:
    from dovetail.decoding.constraint import ConstraintState

_LINE = f"\n}} {PROSE}"
"""A line that strings and comments of several lines may have, and neither code nor the text of an element."""


def swallows_lines(text: str, start: ConstraintState) -> bool:
    """Return whether a text ends in a string or comment that it begins, and that ends on a line of the right text."""
    after = start.advance(text)
    if after is None or after.enclosure.depth <= start.enclosure.depth:
        return False
    return after.advance(_LINE) is not None and start.advance(_LINE) is None
