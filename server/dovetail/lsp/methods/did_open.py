"""`textDocument/didOpen`: the client opens a document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.lsp.context import follow
from dovetail.lsp.preparing import prepare

if TYPE_CHECKING:
    from lsprotocol import types

    from dovetail.lsp.session import Session


def did_open(session: Session, params: types.DidOpenTextDocumentParams) -> None:
    """Store the document, prepare its language for the first request, and read the files that belong to it."""
    session.documents.open(params.text_document)
    document = session.documents.snapshot(params.text_document.uri)
    assert document is not None, "it was opened just now"
    prepare(session, document)
    follow(session, document.uri, anew=True)
