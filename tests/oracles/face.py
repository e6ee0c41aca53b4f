"""The questions of the comparisons to an engine, and a slow engine for languages of finitely many texts.

The comparisons are themselves tested with the slow engine and with spoiled copies of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection


class State(Protocol):
    """A middle that can still fit."""

    @property
    def accepting(self) -> bool:
        """True if the middle fits as it is."""

    def advance(self, piece: str | bytes) -> State | None:
        """Return the state of a longer middle, or None if that cannot fit any more."""

    def closing(self) -> str | None:
        """Return the shortest text after which the middle fits."""


class Quotient(Protocol):
    """The middles that fit between two texts."""

    @property
    def viable(self) -> bool:
        """True if there is any middle that fits."""

    @property
    def start(self) -> State:
        """The empty middle."""


class Language(Protocol):
    """A language that can be divided."""

    def accepts(self, text: str) -> bool:
        """Return whether the text is of the language."""

    def quotient(self, left: str, right: str, *, tolerant: bool = True) -> Quotient:
        """Return what fits between two texts."""


@dataclass(frozen=True)
class FiniteState:
    """A middle between two texts of a finite language."""

    texts: Collection[str]
    left: bytes
    right: bytes

    def rests(self) -> list[bytes]:
        """Return everything that may still come, the shortest first."""
        low, high = len(self.left), len(self.right)
        encoded = (text.encode() for text in self.texts)
        return sorted(
            (
                text[low : len(text) - high]
                for text in encoded
                if len(text) >= low + high and text.startswith(self.left) and text.endswith(self.right)
            ),
            key=len,
        )

    @property
    def accepting(self) -> bool:
        """True if the three parts together are a text of the language."""
        return b"" in self.rests()

    def advance(self, piece: str | bytes) -> FiniteState | None:
        """Return the state of a longer middle, or None if no text has it."""
        more = piece if isinstance(piece, bytes) else piece.encode()
        state = FiniteState(self.texts, self.left + more, self.right)
        return state if state.rests() else None

    def closing(self) -> str | None:
        """Return the shortest rest."""
        rests = self.rests()
        return rests[0].decode() if rests else None


@dataclass(frozen=True)
class FiniteQuotient:
    """The middles that fit between two texts in a finite language."""

    start: FiniteState

    @property
    def viable(self) -> bool:
        """True if there is any middle that fits."""
        return bool(self.start.rests())


@dataclass(frozen=True)
class FiniteLanguage:
    """A language of finitely many texts, divided by looking at all of them."""

    texts: frozenset[str]

    def accepts(self, text: str) -> bool:
        """Return whether the text is one of them."""
        return text in self.texts

    def quotient(self, left: str, right: str, *, tolerant: bool = True) -> FiniteQuotient:
        """Return what fits between two texts; nothing is ever ignored."""
        return FiniteQuotient(FiniteState(self.texts, left.encode(), right.encode()))
