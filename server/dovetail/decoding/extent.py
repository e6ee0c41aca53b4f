"""The extent of a completion: one statement, a block, or the rest of the bracket around the cursor.

The syntax at the cursor decides between them. A completion does not leave the enclosure of the cursor once it could
stop inside: text after that has nothing to do with the place. Where the right context needs the enclosure to be left,
no place inside is one to stop at, and the completion goes on to the end of the statement.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING

from dovetail.decoding.completion import Stop
from dovetail.decoding.limits import Shape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.decoding.constraint import ConstraintState
    from dovetail.quotient.enclosure import Enclosure


class Kind(Enum):
    """The construct that a completion completes."""

    LINE = "line"
    STATEMENT = "statement"
    BLOCK = "block"
    BRACKET = "bracket"
    FREE = "free"


_STOPS = {Kind.LINE: Stop.LINE, Kind.STATEMENT: Stop.STATEMENT, Kind.BLOCK: Stop.BLOCK}

_FAR = 1 << 30

_WORD_OR_MARK = re.compile(r"\w+|\W")


@dataclass(frozen=True, slots=True)
class Extent:
    """The construct at one cursor and its bounds; a value."""

    kind: Kind
    depth: int
    """Brackets that are open around the construct."""
    limit: int
    """Content at this column or before it, on a later line, belongs to another statement or block."""
    closed: bool = False
    """True if the right text has the end of the block, so that no other end is a part of it."""

    @property
    def stop(self) -> Stop:
        """The reason to stop where the construct ends."""
        return _STOPS.get(self.kind, Stop.ENCLOSURE)

    def is_statement(self, line: Enclosure) -> bool:
        """Return whether a line that ends like this has content and does not go on inside a bracket."""
        return line.blank is None and line.depth <= self.depth

    def ends_with_line(self, below: Enclosure) -> bool:
        """Return whether a text is complete at a line end where it may stop; `below` is open after the line end."""
        if self.kind is Kind.LINE:
            return True
        # A block whose brackets are closed ends with that line. In a language with layout none has ended by then.
        ending = self.kind is Kind.STATEMENT or self.kind is Kind.BLOCK
        return ending and below.depth <= self.depth and below.column <= self.limit

    def leaves_bracket(self, now: Enclosure) -> bool:
        """Return whether a text is outside of the bracket that it should stay in."""
        # The depth first: it is asked of every token, and to look up a member of an enumeration is slow.
        return now.depth < self.depth and self.kind is not Kind.FREE

    def is_left(self, now: Enclosure, lines: bool) -> bool:
        """Return whether a text is outside of its construct; `lines`: a line with content has ended in it."""
        if now.depth != self.depth:
            return self.leaves_bracket(now)
        # What closes a block in brackets is still a part of it. The next statement begins after the end of its line.
        limit = self.limit - (now.counted and not self.closed)
        return lines and now.blank is None and now.column <= limit and self.kind in (Kind.STATEMENT, Kind.BLOCK)

    def without(self, now: Enclosure) -> Extent:
        """Return the extent after the right context has forced the text out of an enclosure."""
        if now.depth < self.depth:
            kind = Kind.STATEMENT if self.kind is Kind.BRACKET and not now.inner else self.kind
            return replace(self, kind=kind, depth=now.depth)
        return replace(self, limit=min(self.limit, now.column if now.counted else now.column - 1))


def find_extent(start: ConstraintState, right: str, shape: Shape, block_ends: Sequence[str] = ()) -> Extent:
    """Return the extent at a cursor: by its state and the text to its right, as far as `shape` leaves it open.

    `block_ends`: the texts that close a block where brackets make them.
    """
    around = start.enclosure
    limit = around.column if around.blank is None else around.blank
    kind, closed = Kind.STATEMENT, False
    header = start.opens_block()
    rest_of_line = right.replace("\r", "\n").partition("\n")[0]
    if shape is Shape.LINE:
        kind = Kind.LINE
    elif shape is Shape.FREE:
        kind = Kind.FREE
    elif header and not rest_of_line.strip() and not start.accepting:
        kind, limit = Kind.BLOCK, around.column - around.opens
    elif header and around.blank is not None and around.opens and begins_with_one(right.lstrip(), block_ends):
        # The block is there and empty, as editors leave it that close brackets by themselves: all of it is wanted.
        kind, limit, closed = Kind.BLOCK, around.column - 1, True
    elif around.inner:
        kind = Kind.BRACKET
    elif shape is Shape.BLOCK:
        kind, limit = Kind.BLOCK, limit - 1
    elif header and around.blank is None:
        # The right context has the block already: one more statement of it, whatever its column.
        limit = _FAR
    return Extent(kind, around.depth, limit, closed)


def begins_with_one(text: str, words: Sequence[str]) -> bool:
    """Return whether a text begins with one of some words or marks; a word ends there.

    >>> begins_with_one("end)", ["end", "}"]), begins_with_one("ending", ["end", "}"])
    (True, False)
    """
    found = _WORD_OR_MARK.match(text)
    return found is not None and (found[0] in words or (not found[0][0].isalnum() and text.startswith(tuple(words))))
