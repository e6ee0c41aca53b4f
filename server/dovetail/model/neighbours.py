"""Parts of other files that a sample is preceded by: those that a completion at the same place would be shown.

For each document the files are worked out once that a session would search for it: those of its package that it imports
or that import it, and after them the ones that share the rarest identifiers with it, in place of open documents. A
sample then has the parts that `project` finds in them. In a few a part is drawn at random instead, so that a model
learns to ignore as well.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from dovetail.grammar.library import languages
from dovetail.model.collection import language_of
from dovetail.project.blocks import cut
from dovetail.project.definitions import definitions, names_of
from dovetail.project.folders import LARGEST
from dovetail.project.imports import read_imports
from dovetail.project.modules import Modules
from dovetail.project.search import Found, Source, query_at
from dovetail.project.selection import MOST_DEFINED, choose, ranked

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    import numpy.typing as npt

    from dovetail.model.sources import SourceFile

NEIGHBOURS = 12
"""Files that are remembered of each document."""

_RELATED = 9
"""Files among them that the document imports or that import it, at most."""

_RANDOM_SHARE = 0.1
_COMMON = 64
"""A word that more files of a package than this have says nothing of which belong together."""
_WORDS_KEPT = 400
"""The most identifiers of a document that are used: its rarest."""
_SOURCES_KEPT = 4096
"""Files that are kept in blocks, of some 100 kB each."""
_NAMES_KEPT = 16384
"""Documents whose imported names are remembered."""

_WORD = re.compile(r"[A-Za-z_]\w{2,}")


def neighbours(documents: Sequence[SourceFile]) -> npt.NDArray[np.int32]:
    """Return the numbers of each document's nearest ones in its package, best first, -1 for none.

    Shape (documents, NEIGHBOURS).
    """
    found = np.full((len(documents), NEIGHBOURS), -1, np.int32)
    packages: dict[tuple[str, str], list[int]] = {}
    for number, document in enumerate(documents):
        packages.setdefault((document.package, language_of(document.name)), []).append(number)
    for (_, language), members in packages.items():
        if len(members) > 1:
            within = [documents[number] for number in members]
            nearest = _alike([document.text for document in within])
            for place, related in enumerate(_related(within, _pattern(language))):
                both = list(dict.fromkeys((*related, *nearest[place])))[:NEIGHBOURS]
                found[members[place], : len(both)] = [members[other] for other in both]
    return found


def _related(documents: Sequence[SourceFile], pattern: str | None) -> list[list[int]]:
    """Return the places of the files that each of one package imports, and of those that import it."""
    if pattern is None:
        return [[] for _ in documents]
    paths = [f"/{document.name}" for document in documents]
    places = {path: place for place, path in enumerate(paths)}
    imports = [read_imports(document.text, pattern) for document in documents]
    modules = Modules(paths)
    for path, some in zip(paths, imports, strict=True):
        modules.note(path, some)
    return [
        [places[other] for other in dict.fromkeys((*modules.imported(path, some), *modules.importers(path)))][:_RELATED]
        for path, some in zip(paths, imports, strict=True)
    ]


def _alike(texts: Sequence[str]) -> list[list[int]]:
    """Return the places of the texts that share the rarest identifiers with each of one package, best first."""
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
    found: list[list[int]] = []
    for place, own in enumerate(words):
        shared = sorted((word for word in own if word in telling), key=lambda word: (len(telling[word][0]), word))
        if not shared:
            found.append([])
            continue
        shared = shared[:_WORDS_KEPT]
        others = np.concatenate([telling[word][0] for word in shared])
        gains = np.repeat([telling[word][1] for word in shared], [len(telling[word][0]) for word in shared])
        scores = np.bincount(others, gains, len(texts))
        scores[place] = 0
        best = np.argsort(-scores, kind="stable")[:NEIGHBOURS]
        found.append(best[scores[best] > 0].tolist())
    return found


def _pattern(language: str) -> str | None:
    """Return what an import of a language looks like; None where that is not known."""
    facts = languages().get(language)
    return None if facts is None else facts.imports


class Pieces:
    """Finds parts of other files for the samples of a set of documents."""

    def __init__(self, documents: Sequence[SourceFile], nearest: npt.NDArray[np.int32]) -> None:
        self._documents = documents
        self._nearest = nearest
        self._packages: dict[str, list[int]] = {}
        for number, document in enumerate(documents):
            self._packages.setdefault(document.package, []).append(number)
        self._source = lru_cache(_SOURCES_KEPT)(self._read)
        self.imported = lru_cache(_NAMES_KEPT)(self._imported)

    def find(self, choice: random.Random, number: int, start: int, end: int) -> list[tuple[str, str]]:
        """Return the parts that a prompt would show, the best last: each its file's name and its text.

        `start`, `end`: the middle that was cut out of the document; it is not looked at.
        """
        document = self._documents[number]
        left, right = document.text[:start], document.text[end:]
        sources = self._sources(number)
        chosen = choose(ranked(query_at(left, right), sources, self._defined(left + right, left, sources, number)), ())
        parts = [(part.path, part.text) for part in chosen]
        if parts and choice.random() < _RANDOM_SHARE:
            other = self._source(choice.choice(self._packages[document.package]))
            place = choice.randrange(max(1, len(other.blocks)))
            text = "".join(block.text for block in other.blocks[place : place + 2])
            parts[choice.randrange(len(parts))] = other.path, text
        return [(path, text) for path, text in parts if text and path != document.name]

    def _imported(self, number: int) -> list[str]:
        """Return the names that a document imports and that a file among its neighbours defines."""
        text = self._documents[number].text
        return list(self._defined(text, text, self._sources(number), number))

    def _defined(self, text: str, left: str, sources: Sequence[Source], number: int) -> dict[str, Found]:
        pattern = _pattern(language_of(self._documents[number].name))
        if pattern is None or not sources:
            return {}
        return definitions(names_of(read_imports(text, pattern), left)[:MOST_DEFINED], sources, pattern)

    def _sources(self, number: int) -> list[Source]:
        known = [self._source(int(other)) for other in self._nearest[number] if other >= 0]
        return [source for source in known if source.blocks]

    def _read(self, number: int) -> Source:
        """Return a document in blocks; without any where a session would not read it."""
        document = self._documents[number]
        return Source(document.name, cut(document.text) if len(document.text) <= LARGEST else ())
