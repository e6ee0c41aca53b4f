"""What decoding asks of the quotient; tests answer for finite sets of texts, `quotient` for languages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, Self

if TYPE_CHECKING:
    from dovetail.quotient.enclosure import Enclosure


class State(Protocol):
    """A middle so far, seen from both sides; a value that never changes."""

    @property
    def accepting(self) -> bool:
        """Whether left, middle and right together are a program."""

    @property
    def enclosure(self) -> Enclosure:
        """What is open around the end of the middle."""

    def opens_block(self) -> bool:
        """Return whether a block may begin on the next line with content, by the left side alone."""

    def advance(self, piece: str | bytes) -> Self | None:
        """Return the state after more text, or None where no program continues like this."""

    def accepts(self, piece: str | bytes) -> bool:
        """Return whether the state after more text is accepting; what `advance` and `accepting` say, for less."""

    def closing(self) -> str | None:
        """Return the shortest text that makes the state accepting, or None; None inside a character."""


class Quotient(Protocol):
    """A left and a right text, and what fits between them."""

    @property
    def viable(self) -> bool:
        """Whether any middle exists."""

    @property
    def start(self) -> State:
        """The empty middle."""

    @property
    def keeping_rest_of_line(self) -> Quotient:
        """The same place, for middles that do not swallow the rest of the line; itself where that is no difference."""


class Mask(Protocol):
    """Packed bits of a whole vocabulary."""

    def __getitem__(self, place: int, /) -> Any:
        """Return a byte: token `t` fits if bit `t & 7`, the lowest first, of byte `t >> 3` is set."""


class Masker(Protocol):
    """Answers for a whole vocabulary at once what `State.advance` answers token by token."""

    def mask(self, state: Any, /) -> Mask:
        """Return which tokens a state of its own kind may be advanced by."""
