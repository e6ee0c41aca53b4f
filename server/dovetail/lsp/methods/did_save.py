"""`textDocument/didSave`: the user has written a document to disk, and maybe other programs have written others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.lsp.context import follow

if TYPE_CHECKING:
    from lsprotocol import types

    from dovetail.lsp.session import Session


def did_save(session: Session, params: types.DidSaveTextDocumentParams) -> None:
    """Look whether the files that belong to the document have changed."""
    follow(session, params.text_document.uri, anew=True)
