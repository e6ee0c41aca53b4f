"""A quotient given by the finite set of its middles: a fake in the place of a language."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dovetail.grammar.habits import NO_HABITS
from dovetail.quotient.enclosure import Enclosure

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dovetail.grammar.habits import Habits


@dataclass(frozen=True)
class FiniteState:
    """A beginning of some of the middles."""

    middles: frozenset[bytes]
    text: bytes = b""

    @property
    def accepting(self) -> bool:
        return self.text in self.middles

    def advance(self, piece: str | bytes) -> FiniteState | None:
        text = self.text + (piece.encode() if isinstance(piece, str) else piece)
        fits = any(middle.startswith(text) for middle in self.middles)
        return FiniteState(self.middles, text) if fits else None

    def accepts(self, piece: str | bytes) -> bool:
        after = self.advance(piece)
        return after is not None and after.accepting

    @property
    def enclosure(self) -> Enclosure:
        return Enclosure(0, 0, None)

    def opens_block(self) -> bool:
        return False

    def closing(self) -> str | None:
        try:
            self.text.decode()
        except UnicodeDecodeError:
            return None
        rests = [middle[len(self.text) :] for middle in self.middles if middle.startswith(self.text)]
        return min(rests, key=lambda rest: (len(rest), rest)).decode()


class FiniteQuotient:
    """All texts of a finite set fit, and nothing else."""

    def __init__(self, middles: Iterable[str]) -> None:
        self._middles = frozenset(middle.encode() for middle in middles)

    @property
    def viable(self) -> bool:
        return bool(self._middles)

    @property
    def start(self) -> FiniteState:
        return FiniteState(self._middles)

    @property
    def comment(self) -> str | None:
        return None

    @property
    def long_comment(self) -> None:
        return None

    @property
    def documentation(self) -> str | None:
        return None

    @property
    def imports(self) -> str | None:
        return None

    @property
    def declarations(self) -> str | None:
        return None

    @property
    def habits(self) -> Habits:
        return NO_HABITS

    def element_names(self, left: str) -> None:
        return None

    def allowed_words(self, left: str) -> None:
        return None

    @property
    def tab(self) -> int:
        return 8

    @property
    def block_ends(self) -> tuple[str, ...]:
        """None."""
        return ()

    @property
    def has_bracket_blocks(self) -> bool:
        return False

    @property
    def labels(self) -> tuple[str, ...]:
        return ()

    @property
    def block_is_due(self) -> bool:
        return False

    @property
    def keeping_rest_of_line(self) -> FiniteQuotient:
        return self

    @property
    def within_line(self) -> FiniteQuotient:
        return self
