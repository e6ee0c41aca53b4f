"""What decoding asks of the quotient; tests answer for finite sets of texts, `quotient` for languages."""

from __future__ import annotations

from typing import Protocol, Self


class State(Protocol):
    """A middle so far, seen from both sides; a value that never changes."""

    @property
    def accepting(self) -> bool:
        """Whether left, middle and right together are a program."""

    def advance(self, piece: str | bytes) -> Self | None:
        """Return the state after more text, or None where no program continues like this."""

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


