"""`textDocument/didClose`: the client takes a document back."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lsprotocol import types

    from dovetail.lsp.server import Server


def did_close(server: Server, params: types.DidCloseTextDocumentParams) -> None:
    """Forget the document and answer what is still asked about it."""
    server.worker.supersede(params.text_document.uri)
    server.documents.close(params.text_document.uri)
    server.asked.pop(params.text_document.uri, None)
