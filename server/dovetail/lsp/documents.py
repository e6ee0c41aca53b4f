"""The open documents, in a store of our own.

The documents of pygls break lines at characters that end no line in the protocol, and its handler changes the positions
of an event in place. So the server removes that handler (`protocol.py`) and applies every change here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from lsprotocol import types

from dovetail.completer.snapshot import Snapshot
from dovetail.lsp.editing import edited
from dovetail.lsp.positions import LineIndex

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.lsp.positions import Encoding


@dataclass(frozen=True)
class OpenDocument(Snapshot):
    """A snapshot of an open document with the positions of its lines."""

    @cached_property
    def lines(self) -> LineIndex:
        """The lines of the text, and where they begin."""
        return LineIndex(self.text)

    def changed(
        self, version: int, changes: Sequence[types.TextDocumentContentChangeEvent], encoding: Encoding
    ) -> OpenDocument:
        """Return the document after some changes; each has positions in the text that the one before it left."""
        if not changes:
            return replace(self, version=version)
        lines, edits = edited(self.lines.lines, changes, encoding)
        # After a lost change, only a change of the whole text restores the client's text.
        known = any(isinstance(change, types.TextDocumentContentChangeWholeDocument) for change in changes)
        doubtful = (self.doubtful or version < self.version) and not known
        after = replace(self.edited("".join(lines), edits), version=version, doubtful=doubtful)
        vars(after)["lines"] = LineIndex(after.text, lines)  # the value that the property would compute
        return after


class Documents:
    """The open documents by their addresses."""

    def __init__(self) -> None:
        self.encoding: Encoding = "utf-16"
        """The unit of columns, agreed when the session began."""
        self._open: dict[str, OpenDocument] = {}  # uri -> the newest text

    def open(self, document: types.TextDocumentItem) -> None:
        """Take a document into the store; one that is already open begins anew."""
        self._open[document.uri] = OpenDocument(document.uri, document.language_id, document.version, document.text)

    def change(self, uri: str, version: int, changes: Sequence[types.TextDocumentContentChangeEvent]) -> bool:
        """Apply the changes in their order; return whether the document is open.

        A version older than the known one makes the document doubtful, because some change came out of order.
        """
        document = self._open.get(uri)
        if document is None:
            return False
        self._open[uri] = document.changed(version, changes, self.encoding)
        return True

    def close(self, uri: str) -> None:
        """Forget a document."""
        self._open.pop(uri, None)

    def doubt(self, uri: str | None = None) -> None:
        """Mark a document as doubtful because a change was lost; without an address, mark all of them.

        It stays doubtful until the client opens it again or sends its whole text.
        """
        for address, document in self._open.items():
            if uri in (None, address):
                self._open[address] = replace(document, doubtful=True)

    def all(self) -> list[OpenDocument]:
        """Return snapshots of all open documents."""
        return list(self._open.values())

    def snapshot(self, uri: str) -> OpenDocument | None:
        """Return the current snapshot of a document, the same value until it changes; None if it is not open."""
        return self._open.get(uri)
