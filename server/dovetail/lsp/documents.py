"""The open documents: their text at each version, in our own store.

pygls keeps copies of its own, which break lines at characters that end no line of the protocol and whose
handler changes the positions of an event in place; the server takes that handler out (`server.py`) and
applies every change here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from lsprotocol import types

from dovetail.lsp.positions import Encoding, LineIndex

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Snapshot:
    """A document as it was at one version; a value, which later changes leave alone."""

    uri: str
    language_id: str
    version: int
    text: str

    @cached_property
    def lines(self) -> LineIndex:
        """Where the lines of the text begin."""
        return LineIndex(self.text)

    def changed(
        self, version: int, change: types.TextDocumentContentChangeEvent, encoding: Encoding
    ) -> Snapshot:
        """Return the document after one change, whose positions speak of the text as it is here."""
        if isinstance(change, types.TextDocumentContentChangeWholeDocument):
            text = change.text
        else:
            start, end = sorted(
                self.lines.offset(place.line, place.character, encoding)
                for place in (change.range.start, change.range.end)
            )
            text = self.text[:start] + change.text + self.text[end:]
        return Snapshot(self.uri, self.language_id, version, text)


class Documents:
    """The open documents by their addresses."""

    def __init__(self) -> None:
        self.encoding: Encoding = "utf-16"
        """The unit of columns, agreed when the session began."""
        self._open: dict[str, Snapshot] = {}  # uri -> the newest text

    def open(self, document: types.TextDocumentItem) -> None:
        """Take a document into the store; one that is already open begins anew."""
        self._open[document.uri] = Snapshot(
            document.uri, document.language_id, document.version, document.text
        )

    def change(
        self, uri: str, version: int, changes: Sequence[types.TextDocumentContentChangeEvent]
    ) -> bool:
        """Apply the changes in their order; return whether the document is open."""
        document = self._open.get(uri)
        if document is None:
            return False
        for change in changes:
            document = document.changed(version, change, self.encoding)
        self._open[uri] = document if changes else replace(document, version=version)
        return True

    def close(self, uri: str) -> None:
        """Forget a document."""
        self._open.pop(uri, None)

    def all(self) -> list[Snapshot]:
        """Return all open documents as they are now."""
        return list(self._open.values())

    def snapshot(self, uri: str) -> Snapshot | None:
        """Return a document as it is now, the same value until it changes; None if it is not open."""
        return self._open.get(uri)
