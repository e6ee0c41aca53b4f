"""Texts that are nearly the same, by MinHash over runs of words.

Broder, *On the Resemblance and Containment of Documents* (1997); the bands are those of Indyk and Motwani,
*Approximate Nearest Neighbors* (1998): two texts are compared if they agree on all of one band of their sketches.
"""

from __future__ import annotations

import re
import zlib
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Sketch = npt.NDArray[np.uint64]

_RUN = 5
"""Words in a row that count as one thing."""

_BANDS, _ROWS = 16, 4
"""Texts that share four fifths of their runs meet in a band with a probability of 0.9998, a third of them 0.18."""

_WORD = re.compile(r"\w+|[^\w\s]")

_MOST_WORDS = 500_000

_NEAR = 0.7
"""Texts that have this part of all their runs in common count as one."""

_MULTIPLIERS = np.random.default_rng(7).integers(1, 2**63, size=_BANDS * _ROWS, dtype=np.uint64) * 2 + 1  # odd


class Seen:
    """The texts met so far, as sketches."""

    def __init__(self) -> None:
        self._sketches: list[Sketch] = []
        self._bands: dict[tuple[int, bytes], list[int]] = {}  # band -> numbers of sketches
        self._sketcher = Sketcher()

    def is_new(self, text: str) -> bool:
        """Return whether no text like this was met before, and remember it if so."""
        return self.add(self._sketcher.sketch(text))

    def add(self, sketch: Sketch) -> bool:
        """Return whether no text with a sketch like this was met before, and remember it if so."""
        keys = [(band, sketch[band * _ROWS : (band + 1) * _ROWS].tobytes()) for band in range(_BANDS)]
        near = {number for key in keys for number in self._bands.get(key, ())}
        if any(np.mean(self._sketches[number] == sketch) >= _NEAR for number in near):
            return False
        for key in keys:
            self._bands.setdefault(key, []).append(len(self._sketches))
        self._sketches.append(sketch)
        return True


class Sketcher:
    """Makes sketches; remembers the hashes of words, of which most return."""

    def __init__(self) -> None:
        self._words: dict[str, int] = {}  # word -> hash

    def sketch(self, text: str) -> Sketch:
        """Return the least hash of the text's runs under each of several hash functions, (hash functions)."""
        known = self._words
        if len(known) > _MOST_WORDS:
            known.clear()
        words = _WORD.findall(text)
        for word in set(words).difference(known):
            known[word] = zlib.crc32(word.encode("utf-8", "surrogatepass"))  # `hash` differs between runs
        codes = np.fromiter((known[word] for word in words), np.uint64, len(words))
        runs = np.zeros(max(1, len(codes) - _RUN + 1), np.uint64)
        for place in range(min(_RUN, len(codes))):
            runs = _mixed(runs + codes[place : place + len(runs)])
        runs = np.unique(runs)
        return np.array([(runs * multiplier).min() for multiplier in _MULTIPLIERS], np.uint64)


def _mixed(values: Sketch) -> Sketch:
    """Return values whose bits all depend on all bits (the finish of MurmurHash3)."""
    values = (values ^ (values >> np.uint64(33))) * np.uint64(0xFF51AFD7ED558CCD)
    return values ^ (values >> np.uint64(33))
