"""A document as a client has it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from lsprotocol import types
from tests.lsp import reference

if TYPE_CHECKING:
    from pytest_lsp import LanguageClient


class Document:
    """The client's copy of one document, which tells the server of every change."""

    def __init__(self, client: LanguageClient, text: str, *, name: str, language: str = "python") -> None:
        self._client = client
        self._version = 1
        self.uri = f"file:///{name}"
        self.text = text
        client.text_document_did_open(
            types.DidOpenTextDocumentParams(types.TextDocumentItem(self.uri, language, 1, text))
        )

    def position(self, offset: int) -> types.Position:
        """Return the position of an offset in characters."""
        return types.Position(*reference.position(self.text, offset, "utf-16"))

    def replace(self, start: int, end: int, text: str) -> None:
        """Replace some characters and send the change."""
        self._version += 1
        span = types.Range(self.position(start), self.position(end))
        self.text = self.text[:start] + text + self.text[end:]
        self._client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(self._version, self.uri),
                [types.TextDocumentContentChangePartial(span, text)],
            )
        )

    def ask(self, offset: int, number: str | None = None) -> asyncio.Future[types.InlineCompletionList]:
        """Send a request, now, and return what waits for its answer."""
        params = types.InlineCompletionParams(
            context=types.InlineCompletionContext(types.InlineCompletionTriggerKind.Automatic),
            text_document=types.TextDocumentIdentifier(self.uri),
            position=self.position(offset),
        )
        method = types.TEXT_DOCUMENT_INLINE_COMPLETION
        return asyncio.wrap_future(self._client.protocol.send_request(method, params, msg_id=number))

    def with_item(self, offset: int, item: types.InlineCompletionItem) -> str:
        """Return the text with an item inserted, which is for the place at an offset."""
        assert item.range == types.Range(self.position(offset), self.position(offset))
        assert isinstance(item.insert_text, str)
        return self.text[:offset] + item.insert_text + self.text[offset:]
