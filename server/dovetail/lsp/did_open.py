"""`textDocument/didOpen`: the client hands a document over."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lsprotocol import types

    from dovetail.lsp.server import Server


def did_open(server: Server, params: types.DidOpenTextDocumentParams) -> None:
    """Take the document into the store."""
    server.documents.open(params.text_document)
