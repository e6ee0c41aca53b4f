"""Copies of documents in another process: the whole text is sent once, and only edits after that.

`SentDocuments` belongs to the sending process, `DocumentCopies` to the receiving one. Each pair belongs to one
connection.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING

from dovetail.completer.difference import difference
from dovetail.completer.snapshot import Edit, Snapshot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.completer.wire import Message

_KEPT = 16
"""Documents that the other process keeps."""


class SentDocuments:
    """The texts that the other process has."""

    def __init__(self) -> None:
        self._sent: OrderedDict[str, Snapshot] = OrderedDict()  # address → document as it was sent last
        self._dropped: list[str] = []

    def __len__(self) -> int:
        return len(self._sent)

    def send(self, document: Snapshot) -> Message:
        """Return the message that brings the other process's copy of a document up to date."""
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
        """Forget everything: the other process is new and has no copies."""
        self._sent.clear()
        self._dropped.clear()


class DocumentCopies:
    """The documents as they were sent."""

    def __init__(self) -> None:
        self._copies: dict[str, Snapshot] = {}  # address → document

    def receive(self, message: Message) -> Snapshot:
        """Return the document of a message, brought up to date by its edits."""
        for uri in message["dropped"]:
            self.drop(uri)
        uri, edits = message["uri"], [(start, end, text) for start, end, text in message["edits"]]
        copy = self._copies.get(uri) or Snapshot(uri, "", 0, "")
        text = copy.text
        for start, end, put in edits:
            text = text[:start] + put + text[end:]
        copy = replace(copy.edited(text, edits), language_id=message["language"], version=message["version"])
        self._copies[uri] = copy
        return copy

    def drop(self, uri: str) -> None:
        """Drop a document."""
        self._copies.pop(uri, None)

    def drop_all(self) -> list[str]:
        """Drop all documents and return their addresses."""
        uris = list(self._copies)
        self._copies.clear()
        return uris


def _edits(before: Snapshot, after: Snapshot) -> Sequence[Edit]:
    """Return the client's edits between two snapshots, or the shortest edit if those are not known."""
    known = after.edits_since(before.serial)
    return [difference(before.text, after.text)] if known is None else known
