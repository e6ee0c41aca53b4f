"""A limit on the documents of several caches together: the one that was used longest ago makes room."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable


class DocumentLimit:
    """Counts the documents of its caches, and has the oldest dropped where there are too many."""

    def __init__(self, most: int) -> None:
        """Make a limit of `most` documents."""
        self._most = most
        self._kept: OrderedDict[Hashable, Callable[[], None]] = OrderedDict()  # document → drops it from its cache

    def __len__(self) -> int:
        return len(self._kept)

    def use(self, document: Hashable, drop: Callable[[], None]) -> None:
        """Note that a document was used; `drop` removes it from its cache, when it is the oldest of too many."""
        self._kept[document] = drop
        self._kept.move_to_end(document)
        if len(self._kept) > self._most:
            _, drop_oldest = self._kept.popitem(last=False)
            drop_oldest()

    def forget(self, document: Hashable) -> None:
        """Forget a document that its cache does not keep any more."""
        self._kept.pop(document, None)
