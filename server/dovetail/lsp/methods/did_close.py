"""`textDocument/didClose`: the client closes a document."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from dovetail.lsp.context import let_go

if TYPE_CHECKING:
    from lsprotocol import types

    from dovetail.lsp.session import Session

logger = logging.getLogger(__name__)


def did_close(session: Session, params: types.DidCloseTextDocumentParams) -> None:
    """Forget the document, here and in the completer, and answer its waiting request with no texts."""
    uri = params.text_document.uri
    session.worker.supersede(uri)
    session.others.pop(uri, None)
    document = session.documents.snapshot(uri)
    if document is not None:
        let_go(session, document)
    session.documents.close(uri)
    session.statistics.retention.change(uri)
    session.asked.pop(uri, None)
    session.offers.last.pop(uri, None)
    task = asyncio.create_task(_forget(session, uri))
    session.forgetting.add(task)
    task.add_done_callback(session.forgetting.discard)


async def _forget(session: Session, uri: str) -> None:
    completer = session.completer
    try:
        # Addresses hold no blank, so this key is never that of a request.
        await session.worker.ask(f"forget {uri}", lambda _: completer.forget(uri))
    except Exception:
        logger.exception("A closed document could not be forgotten.")
