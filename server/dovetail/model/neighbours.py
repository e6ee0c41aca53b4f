"""Pieces of other files that a sample is preceded by, as a completion is preceded by what was found in open files.

For each document the files of its package that share the rarest identifiers with it are worked out once. A sample
then looks at windows of ten lines in those few: the ones that share identifiers with the lines around the cut, in
the manner of BM25 (Robertson and Zaragoza, *The Probabilistic Relevance Framework*, 2009) with windows of equal
length, where a word counts once. Some pieces are drawn at random, so that a model learns to ignore as well.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    import numpy.typing as npt

    from dovetail.model.sources import SourceFile

NEIGHBOURS = 8
"""Files that are remembered of each document."""

_LINES = 10
_STEP = 5
_REACH = 40_000
"""Characters of a file that windows are taken from."""
_RANDOM_SHARE = 0.2
_ALIKE = 0.5
"""A window that shares this part of its identifiers with the query says nothing new."""
_COMMON = 64
"""A word that more files of a package than this have says nothing of which belong together."""
_WORDS_KEPT = 400
"""The most identifiers of a document that are used: its rarest."""

_WORD = re.compile(r"[A-Za-z_]\w{2,}")


def neighbours(documents: Sequence[SourceFile]) -> npt.NDArray[np.int32]:
    """Return the numbers of each document's nearest ones in its package, best first, -1 for none.

    Shape (documents, NEIGHBOURS).
    """
    found = np.full((len(documents), NEIGHBOURS), -1, np.int32)
    packages: dict[str, list[int]] = {}
    for number, document in enumerate(documents):
        packages.setdefault(document.package, []).append(number)
    for members in packages.values():
        if len(members) > 1:
            _within([documents[number].text for number in members], np.array(members, np.int32), found)
    return found


def _within(texts: Sequence[str], numbers: npt.NDArray[np.int32], found: npt.NDArray[np.int32]) -> None:
    """Fill in the rows of one package's documents."""
    words = [set(_WORD.findall(text)) for text in texts]
    files: dict[str, list[int]] = {}  # word -> places of the files that have it
    for place, own in enumerate(words):
        for word in sorted(own):
            files.setdefault(word, []).append(place)
    telling = {
        word: (np.array(places), math.log(1 + len(texts) / len(places)))
        for word, places in files.items()
        if 1 < len(places) <= _COMMON
    }
    for place, own in enumerate(words):
        shared = sorted((word for word in own if word in telling), key=lambda word: (len(telling[word][0]), word))
        if not shared:
            continue
        shared = shared[:_WORDS_KEPT]
        others = np.concatenate([telling[word][0] for word in shared])
        gains = np.repeat([telling[word][1] for word in shared], [len(telling[word][0]) for word in shared])
        scores = np.bincount(others, gains, len(texts))
        scores[place] = 0
        best = np.argsort(-scores, kind="stable")[:NEIGHBOURS]
        best = best[scores[best] > 0]
        found[numbers[place], : len(best)] = numbers[best]


class Pieces:
    """Finds pieces for the samples of a set of documents."""

    def __init__(self, documents: Sequence[SourceFile], nearest: npt.NDArray[np.int32]) -> None:
        self._documents = documents
        self._nearest = nearest
        self._packages: dict[str, list[int]] = {}
        for number, document in enumerate(documents):
            self._packages.setdefault(document.package, []).append(number)

    def find(self, choice: random.Random, number: int, start: int, end: int, count: int) -> list[tuple[str, str]]:
        """Return at most `count` pieces of other files, the least similar first: each its file's name and its text.

        `start`, `end`: the middle that was cut out of the document; it is not looked at.
        """
        text = self._documents[number].text
        near = " ".join((*text[:start].rsplit("\n", _LINES)[-_LINES:], *text[end:].split("\n", 2)[:2]))
        query = set(_WORD.findall(near))
        candidates = [int(other) for other in self._nearest[number] if other >= 0]
        windows = [(other, window) for other in candidates for window in _windows(choice, self._documents[other].text)]
        words = [set(_WORD.findall(window)) for _, window in windows]
        have = Counter(word for own in words for word in own & query)
        worth = {word: math.log(1 + (len(windows) - times + 0.5) / (times + 0.5)) for word, times in have.items()}
        order = sorted(
            (-sum(worth[word] for word in sorted(own & query)), place)
            for place, own in enumerate(words)
            if own & query and len(own & query) < _ALIKE * len(own)
        )
        chosen: list[tuple[int, str]] = []
        best = iter(order)
        for _ in range(count):
            if choice.random() < _RANDOM_SHARE:
                chosen.append(self._random(choice, number))
                continue
            # Windows overlap by half: take only the best window of a file.
            taken = {other for other, _ in chosen}
            place = next((place for _, place in best if windows[place][0] not in taken), None)
            if place is not None:
                chosen.append(windows[place])
        return [(self._documents[other].name, piece) for other, piece in reversed(chosen) if piece and other != number]

    def _random(self, choice: random.Random, number: int) -> tuple[int, str]:
        """Return a piece of any file of the package."""
        other = choice.choice(self._packages[self._documents[number].package])
        return other, choice.choice(_windows(choice, self._documents[other].text) or [""])


def _windows(choice: random.Random, text: str) -> list[str]:
    """Return the windows of a text, or of a part of it where it is long."""
    if len(text) > _REACH:
        begin = text.find("\n", choice.randrange(len(text) - _REACH)) + 1
        text = text[begin : begin + _REACH]
    lines = text.splitlines(keepends=True)
    return ["".join(lines[first : first + _LINES]) for first in range(0, max(1, len(lines) - _STEP), _STEP)]
