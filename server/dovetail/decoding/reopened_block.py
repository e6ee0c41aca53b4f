"""A block that a text ends only to begin another, for the end that stands below: `end do`, `} {`.

It is a program, and nobody writes it. It comes where the text after the cursor has an end more than the text needs,
mostly because something unfinished stands below.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.decoding.constraint import ConstraintState

_LAST = re.compile(r"(?:\w+|[^\w\s])\Z")

_STATEMENT = "x"
"""The beginning of a statement: where it fits, what was begun instead has no header."""


def find_reopened(text: str, start: ConstraintState, block_ends: Sequence[str]) -> int | None:
    """Return how many characters of a text are left without the block that it begins last, right after an end of one.

    None for a text that ends otherwise. `start`: the state before it. `block_ends`: the texts that close a block where
    brackets make them.
    """
    whole = text.rstrip()
    rest = whole
    last = _LAST.search(rest)
    while last is not None and (below := start.advance(rest + "\n")) is not None and below.enclosure.opens:
        rest = rest[: last.start()].rstrip()
        last = _LAST.search(rest)
    if last is None or rest == whole or last[0] not in block_ends:
        return None
    added = text[len(rest) :]
    blanks = added[: len(added) - len(added.lstrip())] or " "
    if start.advance(rest + blanks + _STATEMENT) is None:
        return None
    # An `else` ends a block where it begins another, so the end before it is that of an inner one.
    blocks = [_blocks(part, start) for part in (rest[: last.start()], rest, whole)]
    return len(rest) if blocks[0] > blocks[1] < blocks[2] else None


def _blocks(text: str, start: ConstraintState) -> int:
    """Return the blocks that are open on the line below a text; -1 if there is no such line."""
    below = start.advance(text + "\n")
    return -1 if below is None else below.enclosure.column
