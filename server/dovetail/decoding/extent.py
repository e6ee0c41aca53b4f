"""How far a completion goes: one statement, a block, or to the end of the bracket around the cursor.

Which of them is decided by the syntax at the cursor. A completion does not leave what encloses the cursor once it
could stop inside: what a model writes after that has nothing to do with the place. Where the right context needs
it to be left, no place inside is one to stop at, and the completion goes on to the end of the statement.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from dovetail.decoding.completion import Stop
from dovetail.decoding.limits import Shape

if TYPE_CHECKING:
    from dovetail.decoding.constraint import State
    from dovetail.quotient.enclosure import Enclosure


class Kind(Enum):
    """What is to be completed."""

    LINE = "line"
    STATEMENT = "statement"
    BLOCK = "block"
    BRACKET = "bracket"
    FREE = "free"


_FAR = 1 << 30


class Extent:
    """The rule for one cursor."""

    def __init__(self, start: State, right: str, shape: Shape) -> None:
        """Decide by the state at the cursor and the text to its right, as far as `shape` leaves it open."""
        around = start.enclosure
        self._depth = around.depth
        self._limit = around.column if around.blank is None else around.blank
        """Content at this column or before it, on a later line, belongs to another statement or block."""
        self.kind = Kind.STATEMENT
        header = start.opens_block()
        rest_of_line = right.replace("\r", "\n").partition("\n")[0]
        if shape is Shape.LINE:
            self.kind = Kind.LINE
        elif shape is Shape.FREE:
            self.kind = Kind.FREE
        elif header and not rest_of_line.strip() and not start.accepting:
            self.kind = Kind.BLOCK
            self._limit = around.column
        elif around.depth:
            self.kind = Kind.BRACKET
        elif shape is Shape.BLOCK:
            self.kind = Kind.BLOCK
            self._limit -= 1
        elif header and around.blank is None:
            # The right context has the block already: one more statement of it, whatever its column.
            self._limit = _FAR

    @property
    def stop(self) -> Stop:
        """Why a text ends that is as long as it may be."""
        return {Kind.LINE: Stop.LINE, Kind.STATEMENT: Stop.STATEMENT, Kind.BLOCK: Stop.BLOCK}.get(
            self.kind, Stop.ENCLOSURE
        )

    def is_statement(self, line: Enclosure) -> bool:
        """Return whether a line that ends like this has content and does not go on inside a bracket."""
        return line.blank is None and line.depth <= self._depth

    def ends_with_line(self, below: Enclosure) -> bool:
        """Return whether a text is complete at a line end where it may stop; `below` is what is open after that."""
        if self.kind is Kind.LINE:
            return True
        return self.kind is Kind.STATEMENT and below.depth <= self._depth and below.column <= self._limit

    def leaves_bracket(self, now: Enclosure) -> bool:
        """Return whether a text is outside of the bracket that it should stay in."""
        return self.kind is not Kind.FREE and now.depth < self._depth

    def is_left(self, now: Enclosure, lines: bool) -> bool:
        """Return whether a text is outside of what it should stay in; `lines`: it has more than one with content."""
        return self.leaves_bracket(now) or (
            lines
            and now.blank is None
            and now.depth == self._depth
            and self.kind in (Kind.STATEMENT, Kind.BLOCK)
            and now.column <= self._limit
        )

    def leave(self, now: Enclosure) -> None:
        """Take note that the right context needs the enclosure to be left."""
        if now.depth < self._depth:
            self._depth = now.depth
            if self.kind is Kind.BRACKET and not now.depth:
                self.kind = Kind.STATEMENT
        else:
            self._limit = min(self._limit, now.column - 1)
