"""A constraint under which every text fits, for languages without a grammar, if the user has chosen that.

A completion still consists of whole characters, ends with its line unless more is asked for, and repeats neither
itself nor the right text. Nothing says that it is a program.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dovetail.grammar.habits import NO_HABITS
from dovetail.lexing.utf8 import split_characters
from dovetail.quotient.enclosure import Enclosure

if TYPE_CHECKING:
    from typing import Self

    from dovetail.grammar.habits import Habits

_TAB = 8


@dataclass(frozen=True, slots=True)
class UncheckedState:
    """A place in any text; a value."""

    line: str
    """The text of its line before it."""
    begun: bytes = b""
    """The first bytes of a character that is not whole yet."""

    @property
    def accepting(self) -> bool:
        """True if the text ends between characters."""
        return not self.begun

    @property
    def enclosure(self) -> Enclosure:
        """An enclosure in which nothing is open; the line has content or only blanks."""
        blank = None if self.line.strip() else len(self.line.expandtabs(_TAB))
        return Enclosure(0, 0, blank)

    def opens_block(self) -> bool:
        """Return False: blocks are not known."""
        return False

    def advance(self, piece: str | bytes) -> Self | None:
        """Return the state after more text, or None if that is not UTF-8."""
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
        """Return the empty text: nothing is missing. None inside a character."""
        return None if self.begun else ""


class UncheckedQuotient:
    """Any two texts; every middle fits between them."""

    def __init__(self, left: str) -> None:
        """Begin after the last line of the left text."""
        self.start = UncheckedState(left.replace("\r", "\n").rpartition("\n")[2])

    @property
    def viable(self) -> bool:
        """True: every middle exists."""
        return True

    @property
    def comment(self) -> str | None:
        """None: comments are not known."""
        return None

    @property
    def long_comment(self) -> None:
        """None: comments are not known."""
        return None

    @property
    def documentation(self) -> str | None:
        """None: nothing is known of the language."""
        return None

    @property
    def imports(self) -> str | None:
        """None: nothing is known of the language."""
        return None

    @property
    def declarations(self) -> str | None:
        """None: nothing is known of the language."""
        return None

    @property
    def habits(self) -> Habits:
        """None: nothing is known of the language."""
        return NO_HABITS

    def element_names(self, left: str) -> None:
        """Return None: nothing is known of the language."""

    def allowed_words(self, left: str) -> None:
        """Return None: nothing is known of the language."""

    @property
    def tab(self) -> int:
        """The columns of a tab."""
        return _TAB

    @property
    def block_ends(self) -> tuple[str, ...]:
        """None."""
        return ()

    @property
    def has_bracket_blocks(self) -> bool:
        """False: blocks are not known."""
        return False

    @property
    def labels(self) -> tuple[str, ...]:
        """The empty tuple: labels are not known."""
        return ()

    @property
    def block_is_due(self) -> bool:
        """False: blocks are not known."""
        return False

    @property
    def keeping_rest_of_line(self) -> Self:
        """The quotient itself: comments are not known."""
        return self

    @property
    def within_line(self) -> Self:
        """The quotient itself: nothing has to be closed."""
        return self
