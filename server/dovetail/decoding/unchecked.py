"""The constraint that is none: every text fits. For languages without a grammar, where somebody wants that.

What is left of the promise is that a completion is whole characters, ends with its line unless more was asked for,
and repeats neither itself nor what follows; that it is a program nobody knows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dovetail.lexing.utf8 import split_characters
from dovetail.quotient.enclosure import Enclosure

if TYPE_CHECKING:
    from typing import Self

_TAB = 8


@dataclass(frozen=True, slots=True)
class UncheckedState:
    """A place in any text; a value."""

    line: str
    """The text of its line up to there."""
    begun: bytes = b""
    """The bytes of a character that is not whole yet."""

    @property
    def accepting(self) -> bool:
        """Whether the text ends between characters."""
        return not self.begun

    @property
    def enclosure(self) -> Enclosure:
        """Nothing is open; the line has content or blanks."""
        blank = None if self.line.strip() else len(self.line.expandtabs(_TAB))
        return Enclosure(0, 0, blank)

    def opens_block(self) -> bool:
        """Return that no block is known of."""
        return False

    def advance(self, piece: str | bytes) -> Self | None:
        """Return the state after more text, or None where that is no UTF-8."""
        added = piece.encode() if isinstance(piece, str) else piece
        split = split_characters(self.begun + added)
        if split is None:
            return None
        text, begun = split
        lines = (self.line + text).replace("\r", "\n").rpartition("\n")
        return replace(self, line=lines[2], begun=begun)

    def accepts(self, piece: str | bytes) -> bool:
        """Return whether more text ends between characters."""
        after = self.advance(piece)
        return after is not None and after.accepting

    def closing(self) -> str | None:
        """Return that nothing is missing; None inside a character."""
        return None if self.begun else ""


class UncheckedQuotient:
    """Any two texts, between which anything fits."""

    def __init__(self, left: str) -> None:
        """Take note of the line that the left text ends with."""
        self.start = UncheckedState(left.replace("\r", "\n").rpartition("\n")[2])

    @property
    def viable(self) -> bool:
        """Whether any middle exists: one does."""
        return True

    @property
    def keeping_rest_of_line(self) -> Self:
        """Itself: what a comment is nobody knows."""
        return self
