"""An index of tokens by their bytes: the tokens that begin with a text, and the tokens that a text begins with.

>>> index = PrefixIndex([b"in", b"int", b"i", None])
>>> index.beginning_with(b"in"), list(index.within(b"inside"))
([1], [(2, b'i'), (0, b'in')])
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class PrefixIndex:
    """An index of the pieces of a vocabulary; None and empty pieces are left out."""

    def __init__(self, pieces: Sequence[bytes | None]) -> None:
        pairs = sorted((piece, token) for token, piece in enumerate(pieces) if piece)
        self._sorted = [piece for piece, _ in pairs]
        self._tokens = [token for _, token in pairs]
        self._longest = max(map(len, self._sorted), default=0)

    def beginning_with(self, text: bytes) -> list[int]:
        """Return the tokens that begin with a text and are longer than it."""
        low = bisect_left(self._sorted, text + b"\0")
        return self._tokens[low : self._end(text)]

    def goes_on(self, text: bytes) -> bool:
        """Return whether a token begins with a text and is longer than it."""
        low = bisect_left(self._sorted, text + b"\0")
        return low < len(self._sorted) and self._sorted[low].startswith(text)

    def within(self, text: bytes) -> Iterator[tuple[int, bytes]]:
        """Yield each token that is a prefix of a text, or the whole text, with its bytes, shortest first."""
        for length in range(1, min(len(text), self._longest) + 1):
            piece = text[:length]
            place = bisect_left(self._sorted, piece)
            while place < len(self._sorted) and self._sorted[place] == piece:
                yield self._tokens[place], piece
                place += 1

    def _end(self, text: bytes) -> int:
        """Return the index after the last piece that begins with a text."""
        above = text.rstrip(b"\xff")
        if not above:
            return len(self._sorted)
        return bisect_left(self._sorted, above[:-1] + bytes([above[-1] + 1]))
