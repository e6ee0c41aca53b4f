"""From a failing text, or three texts around two cuts, to small ones that fail too."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

Texts = tuple[str, ...]

_SHORT = 30  # pieces
_FEW = 200  # a text of so many characters is shortened by single ones


def shrink(texts: Texts, fails: Callable[[Texts], bool], tries: int = 600) -> Texts:
    """Return texts that still fail and from which nothing can be left out, as far as the tries reach.

    >>> shrink(("one two", "three"), lambda texts: "tw" in texts[0])
    ('tw', '')
    """
    left_over = [tries]

    def still(smaller: Texts) -> bool:
        left_over[0] -= 1
        return left_over[0] >= 0 and fails(smaller)

    size = -1
    while size != sum(map(len, texts)) and left_over[0] > 0:
        size = sum(map(len, texts))
        for part in reversed(range(len(texts))):
            texts = _shorter(texts, part, still)
    return texts


def _shorter(texts: Texts, part: int, still: Callable[[Texts], bool]) -> Texts:
    """Leave out stretches of one text: whole lines first, in halves down to one, then single characters."""
    for lines in (True, False):
        pieces: list[str] = texts[part].splitlines(keepends=True) if lines else [*texts[part]]
        if not lines and len(pieces) > _FEW:
            break
        step = len(pieces)
        while step:
            place = 0
            while place < len(pieces):
                fewer = pieces[:place] + pieces[place + step :]
                smaller = (*texts[:part], "".join(fewer), *texts[part + 1 :])
                if still(smaller):
                    texts, pieces = smaller, fewer
                else:
                    # A short text is tried with a gap at every place, so that a part of any length goes at once.
                    place += 1 if len(pieces) <= _SHORT else step
            step //= 2
    return texts
