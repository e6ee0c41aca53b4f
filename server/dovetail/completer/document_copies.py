"""Copies of documents in another process: the whole text crosses once, and after that only edits.

`SentDocuments` stands in the process that has the documents, `DocumentCopies` in the one that gets them. Each pair
belongs to one connection.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from dovetail.completer.difference import difference
from dovetail.completer.snapshot import Snapshot

if TYPE_CHECKING:
    from dovetail.completer.wire import Message

_KEPT = 16
"""Documents of which the other process keeps a copy."""


class SentDocuments:
    """The texts that the other process has."""

    def __init__(self) -> None:
        self._sent: OrderedDict[str, Snapshot] = OrderedDict()  # address → document as it was sent last
        self._dropped: list[str] = []

    def __len__(self) -> int:
        return len(self._sent)

    def send(self, document: Snapshot) -> Message:
        """Return the message from which the other side makes a document."""
        before = self._sent.pop(document.uri, None)
        self._sent[document.uri] = document
        if len(self._sent) > _KEPT:
            self._dropped.append(self._sent.popitem(last=False)[0])
        dropped, self._dropped = self._dropped, []
        return {
            "uri": document.uri,
            "language": document.language_id,
            "version": document.version,
            "edits": [(0, 0, document.text)] if before is None else _edits(before, document),
            "dropped": dropped,
        }

    def forget(self, uri: str) -> bool:
        """Forget that a document was sent; return whether it was."""
        return self._sent.pop(uri, None) is not None

    def clear(self) -> None:
        """Take note that the other process is a new one, which has nothing."""
        self._sent.clear()
        self._dropped.clear()


class DocumentCopies:
    """The documents as they were sent."""

    def __init__(self) -> None:
        self._copies: dict[str, str] = {}  # address → text

    def receive(self, message: Message) -> Snapshot:
        """Return the document of a message, brought up to date by its edits."""
        for uri in message["dropped"]:
            self.drop(uri)
        uri = message["uri"]
        text = self._copies.get(uri, "")
        for start, end, put in message["edits"]:
            text = text[:start] + put + text[end:]
        self._copies[uri] = text
        return Snapshot(uri, message["language"], message["version"], text)

    def drop(self, uri: str) -> None:
        """Let go of a document."""
        self._copies.pop(uri, None)


def _edits(before: Snapshot, after: Snapshot) -> list[tuple[int, int, str]]:
    return [difference(before.text, after.text)]
