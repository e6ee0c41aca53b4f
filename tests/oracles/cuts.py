"""Every way to cut the texts of a language into left, middle and right, with the shortest middles."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


def strings(alphabet: str, length: int) -> Iterator[str]:
    """Yield every text over the alphabet of at most `length` characters, the short ones first."""
    for count in range(length + 1):
        for characters in product(alphabet, repeat=count):
            yield "".join(characters)


class Middles:
    """The shortest middles of all cuts, as far as texts of a bounded length show them."""

    def __init__(self, texts: Iterable[str]) -> None:
        """Cut all texts of a language up to some length."""
        shortest: dict[tuple[str, str], int] = {}
        for text in texts:
            for low in range(len(text) + 1):
                left = text[:low]
                for high in range(low, len(text) + 1):
                    key = left, text[high:]
                    shortest[key] = min(shortest.get(key, high), high - low)
        self._shortest = shortest

    def missing(self, left: str, right: str) -> int | None:
        """Return the length of the shortest middle, None if within the bound there is none."""
        return self._shortest.get((left, right))


def accepted(accepts: Callable[[str], bool], alphabet: str, length: int) -> list[str]:
    """Return every text of at most `length` characters that a reader accepts."""
    return [text for text in strings(alphabet, length) if accepts(text)]
