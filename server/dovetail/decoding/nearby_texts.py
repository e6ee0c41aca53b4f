"""The n-grams of the texts around a cursor, kept from key to key and indexed in the background.

The own text is cut into pieces, that before the cursor from its beginning and that after it from its end, so typing
changes one piece on either side; it is read at once, which takes a millisecond with a key, and some tens of them the
first time. Other files come whole. They are left to a thread, and until that is done, what was known of them before is
used.
"""

from __future__ import annotations

import threading
from array import array
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeAlias, TypeVar

from dovetail.decoding.ngram_index import BOUNDARY, NgramIndex
from dovetail.decoding.own_pieces import pieces_after, pieces_before

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from dovetail.decoding.repository import ProjectContext

_AT_ONCE = 4096
"""Characters of other files that are read at once, in some three milliseconds; more are left to the thread."""

_KEPT, _KEPT_FOR_PROGRAMS = 1_500_000, 15_000_000
"""Tokens; with their indexes 1.5 millions take some 40 MB. A program goes through many packages."""

_DOCUMENTS = 32
"""Documents whose levels are kept."""

_MOST = 6
"""Indexes of a level while some are not ready."""

Levels: TypeAlias = "Mapping[str, tuple[NgramIndex, ...]]"
"""Level → its indexes."""

K = TypeVar("K", bound="Hashable")
V = TypeVar("V", "array[int]", NgramIndex)


class _Group(NamedTuple):
    """Texts that share an index."""

    texts: tuple[str, ...]
    are_apart: bool
    """True if they are texts of their own, and not one that was cut."""


class _Kept(Generic[K, V]):
    """Values of some length, those that were used last."""

    def __init__(self, most: int) -> None:
        self._values: OrderedDict[K, V] = OrderedDict()
        self._most, self._total = most, 0

    def get(self, key: K) -> V | None:
        """Return a value that is kept."""
        value = self._values.get(key)
        if value is not None:
            self._values.move_to_end(key)
        return value

    def keep(self, key: K, value: V) -> None:
        """Keep a value, and let go of old ones."""
        before = self._values.pop(key, None)
        self._values[key] = value
        self._total += len(value) - (0 if before is None else len(before))
        while self._total > self._most and len(self._values) > 1:
            self._total -= len(self._values.popitem(last=False)[1])


class NearbyTexts:
    """The indexes around the documents of a model."""

    def __init__(self, encode: Callable[[str], Sequence[int]], most: int | None = None, *, patient: bool) -> None:
        """Index nothing yet; `encode` returns a text's tokens, and may run on a thread.

        `patient`: `read` returns when everything is indexed; else other files are left to the thread. `most`: tokens
        of texts that are kept, and as many in indexes.
        """
        self._patient = patient
        most = most or (_KEPT_FOR_PROGRAMS if patient else _KEPT)
        self._encode = encode
        self._lock = threading.Lock()
        """Held while one of the dictionaries below is used."""
        self._tokens = _Kept[str, "array[int]"](most)
        self._indexes = _Kept[_Group, NgramIndex](most)
        self._levels: OrderedDict[str | None, Levels] = OrderedDict()
        self._waiting: set[_Group] = set()
        self._thread: ThreadPoolExecutor | None = None

    def read(self, document: str | None, left: str, right: str, project: ProjectContext | None) -> None:
        """Take the texts around a cursor in a document as they stand now."""
        groups = {
            "left": [_Group(texts, are_apart=False) for texts in pieces_before(left)],
            "right": [_Group(texts, are_apart=False) for texts in pieces_after(right)],
        }
        if project is not None:
            others = {"open": project.open_texts, "workspace": project.workspace_texts}
            groups |= {level: [_Group(texts, are_apart=True)] for level, texts in others.items() if texts}
        with self._lock:
            before = self._levels.get(document, {})
        levels: dict[str, tuple[NgramIndex, ...]] = {}
        for level, wanted in groups.items():
            found = [index for group in wanted if (index := self._index(group)) is not None]
            # An older index is better than none.
            levels[level] = tuple(found) if len(found) == len(wanted) else (*before.get(level, ()), *found)[-_MOST:]
        with self._lock:
            self._levels.pop(document, None)
            self._levels[document] = levels
            while len(self._levels) > _DOCUMENTS:
                self._levels.popitem(last=False)

    def around(self, document: str | None) -> Levels | None:
        """Return the indexes around a document by level; None if its texts were never read."""
        with self._lock:
            return self._levels.get(document)

    def forget(self, document: str) -> None:
        """Forget a document that was closed."""
        with self._lock:
            self._levels.pop(document, None)

    def wait(self) -> None:
        """Return when everything that was left to the thread is done."""
        thread = self._thread
        if thread is not None:
            thread.submit(lambda: None).result()

    def _index(self, group: _Group) -> NgramIndex | None:
        """Return the index of a group; None where it is left to the thread."""
        with self._lock:
            found = self._indexes.get(group)
            if found is not None:
                return found
            new = sum(len(text) for text in group.texts if self._tokens.get(text) is None)
        if self._patient or not group.are_apart or new <= _AT_ONCE:
            return self._make(group)
        with self._lock:
            if group not in self._waiting:
                self._waiting.add(group)
                self._thread = self._thread or ThreadPoolExecutor(1, "n-grams")
                self._thread.submit(self._make, group)
        return None

    def _make(self, group: _Group) -> NgramIndex:
        """Index a group and keep it."""
        tokens: list[int] = []
        for text in group.texts:
            if group.are_apart:
                tokens.append(BOUNDARY)
            tokens += self._read(text)
        made = NgramIndex(tokens)
        with self._lock:
            self._waiting.discard(group)
            self._indexes.keep(group, made)
        return made

    def _read(self, text: str) -> array[int]:
        with self._lock:
            found = self._tokens.get(text)
        if found is not None:
            return found
        found = array("i", self._encode(text))
        with self._lock:
            self._tokens.keep(text, found)
        return found
