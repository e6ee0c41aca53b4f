"""`textDocument/didChange`: the user types."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from dovetail.lsp.context import follow

if TYPE_CHECKING:
    from lsprotocol import types

    from dovetail.lsp.session import Session

logger = logging.getLogger(__name__)


def did_change(session: Session, params: types.DidChangeTextDocumentParams) -> None:
    """Apply the changes, and cancel a running completion of the text before them."""
    document = params.text_document
    session.postpone_collection()
    session.worker.supersede(document.uri)
    session.others.pop(document.uri, None)
    if not session.documents.change(document.uri, document.version, params.content_changes):
        logger.warning("A change of %s was ignored, because the document is not open.", document.uri)
    session.statistics.retention.change(document.uri)
    follow(session, document.uri)
