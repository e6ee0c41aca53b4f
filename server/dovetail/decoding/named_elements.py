"""Elements that end by their own names: the states of a quotient without the middles that close `<ul>` by `</li>`.

The engine does not compare the two names (`ElementNames` says why). So two are asked here: the engine whether a text
fits, and the names around the cursor whether its elements do. A closing is given the names that it needs, so a plan and
all that is finished by it have them too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.decoding.constraint import Constraint, ConstraintState, ElementNaming
    from dovetail.decoding.proposer import Generation
    from dovetail.quotient.enclosure import Enclosure

_SIGNS = frozenset("<>")
"""Without one of these no text says anything about elements, unless the cursor stands in a name."""


@dataclass(frozen=True, slots=True)
class NamedState:
    """The beginning of a middle, with its text; a value."""

    plain: ConstraintState
    """The state of the engine."""
    names: ElementNaming
    middle: bytes = b""

    @property
    def accepting(self) -> bool:
        """True if left, this middle and right together are a program whose elements end by their names."""
        return self.plain.accepting and self._agrees(self.middle)

    @property
    def enclosure(self) -> Enclosure:
        """The brackets and blocks that are open at the end of the middle."""
        return self.plain.enclosure

    @property
    def due(self) -> bytes:
        """The rest of the end of an element that is needed here; empty outside of such an end."""
        text = self._said(self.middle)
        return b"" if text is None else (self.names.naming(text).due or "").encode()

    def opens_block(self) -> bool:
        """Return whether a block may begin on the next line with content, by the left side alone."""
        return self.plain.opens_block()

    def advance(self, piece: str | bytes) -> NamedState | None:
        """Return the state after more text, or None if no program continues like this."""
        plain = self.plain.advance(piece)
        if plain is None:
            return None
        middle = self.middle + (piece.encode() if isinstance(piece, str) else piece)
        text = self._said(middle)
        fits = text is None or self.names.naming(text).fits
        return NamedState(plain, self.names, middle) if fits else None

    def accepts(self, piece: str | bytes) -> bool:
        """Return whether the state after more text is accepting."""
        middle = self.middle + (piece.encode() if isinstance(piece, str) else piece)
        return self.plain.accepts(piece) and self._agrees(middle)

    def closing(self) -> str | None:
        """Return the shortest text that makes the state accepting, with the names that it needs; None without one."""
        closing = self.plain.closing()
        if closing is None:
            return None
        named = self.names.named(self.middle.decode(errors="replace"), closing)
        return named if self.accepts(named) else None

    def _agrees(self, middle: bytes) -> bool:
        text = self._said(middle)
        if text is None:
            return True
        naming = self.names.naming(text)
        return naming.fits and naming.agrees

    def _said(self, middle: bytes) -> str | None:
        """Return a middle as text; None if it says nothing about elements."""
        text = middle.decode(errors="replace")
        return text if self.names.in_name or not _SIGNS.isdisjoint(text) else None


def name_elements(quotient: Constraint, left: str) -> ConstraintState:
    """Return the empty middle of a quotient, with the names of the elements around it where the language has any.

    `left`: the whole text before the cursor.
    """
    names = quotient.element_names(left)
    return quotient.start if names is None else NamedState(quotient.start, names)


def name_tokens(generation: Generation, pieces: Sequence[bytes | None], due: bytes) -> list[tuple[int, float]]:
    """Return the tokens that begin with the rest of an end, or that it begins with, likeliest first.

    Nobody chooses there: their log-probabilities are those of a model that knows no other tokens.
    """
    tokens = [token for token, piece in enumerate(pieces) if piece and (due.startswith(piece) or piece.startswith(due))]
    scores = generation.scores(tokens)
    most = max(scores, default=0.0)
    if most == -math.inf:
        scores, most = [0.0] * len(tokens), 0.0
    total = most + math.log(math.fsum(math.exp(score - most) for score in scores)) if tokens else 0.0
    pairs = [(token, score - total) for token, score in zip(tokens, scores, strict=True)]
    return sorted(pairs, key=lambda pair: (-pair[1], pair[0]))
