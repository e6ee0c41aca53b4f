"""A document as a client has it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from lsprotocol import types
from tests.lsp import reference

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_lsp import LanguageClient


class Document:
    """The client's copy of one document, which tells the server of every change."""

    def __init__(
        self, client: LanguageClient, text: str, *, name: str, language: str = "python", encoding: str = "utf-16"
    ) -> None:
        """Open a document; columns are counted in the units of an encoding."""
        self._client = client
        self._encoding = encoding
        self._version = 1
        self.uri = f"file:///{name}"
        self.text = text
        client.text_document_did_open(
            types.DidOpenTextDocumentParams(types.TextDocumentItem(self.uri, language, 1, text))
        )

    def position(self, offset: int) -> types.Position:
        """Return the position of an offset in characters."""
        return types.Position(*reference.position(self.text, offset, self._encoding))

    def offset(self, position: types.Position) -> int:
        """Return the offset in characters of a position that the text has."""
        found = [at for at in range(len(self.text) + 1) if self.position(at) == position]
        assert found, f"the text has no {position}"
        return found[0]  # of the two in a line end that have one position

    def replace(self, start: int, end: int, text: str) -> None:
        """Replace some characters and send the change."""
        self.replace_all([(start, end, text)])

    def replace_all(self, edits: Iterable[tuple[int, int, str]]) -> None:
        """Make some replacements one after the other and send them as one change."""
        self._version += 1
        changes: list[types.TextDocumentContentChangeEvent] = []
        for start, end, text in edits:
            span = types.Range(self.position(start), self.position(end))
            changes.append(types.TextDocumentContentChangePartial(span, text))
            self.text = self.text[:start] + text + self.text[end:]
        self._client.text_document_did_change(
            types.DidChangeTextDocumentParams(types.VersionedTextDocumentIdentifier(self._version, self.uri), changes)
        )

    def replace_whole(self, text: str) -> None:
        """Send a new text as one change without a range."""
        self._version += 1
        self.text = text
        self._client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(self._version, self.uri),
                [types.TextDocumentContentChangeWholeDocument(text)],
            )
        )

    def ask(
        self,
        offset: int,
        number: str | None = None,
        *,
        kind: types.InlineCompletionTriggerKind = types.InlineCompletionTriggerKind.Automatic,
        selected: types.SelectedCompletionInfo | None = None,
    ) -> asyncio.Future[types.InlineCompletionList]:
        """Send a request, now, and return what waits for its answer."""
        params = types.InlineCompletionParams(
            context=types.InlineCompletionContext(kind, selected),
            text_document=types.TextDocumentIdentifier(self.uri),
            position=self.position(offset),
        )
        method = types.TEXT_DOCUMENT_INLINE_COMPLETION
        return asyncio.wrap_future(self._client.protocol.send_request(method, params, msg_id=number))

    def with_edit(self, span: types.Range, text: str) -> str:
        """Return the text with a range of it replaced."""
        return self.text[: self.offset(span.start)] + text + self.text[self.offset(span.end) :]

    def with_item(self, offset: int, item: types.InlineCompletionItem) -> str:
        """Return the text with an item inserted, which is for the place at an offset."""
        assert item.range == types.Range(self.position(offset), self.position(offset))
        assert isinstance(item.insert_text, str)
        return self.text[:offset] + item.insert_text + self.text[offset:]
