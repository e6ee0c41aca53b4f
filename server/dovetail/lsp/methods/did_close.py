"""`textDocument/didClose`: the client takes a document back."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lsprotocol import types

    from dovetail.lsp.session import Session

logger = logging.getLogger(__name__)


def did_close(session: Session, params: types.DidCloseTextDocumentParams) -> None:
    """Forget the document, here and where it was completed, and answer what is still asked about it."""
    uri = params.text_document.uri
    session.worker.supersede(uri)
    session.documents.close(uri)
    session.asked.pop(uri, None)
    task = asyncio.create_task(_forget(session, uri))
    session.forgetting.add(task)
    task.add_done_callback(session.forgetting.discard)


async def _forget(session: Session, uri: str) -> None:
    completer = session.completer
    try:
        # No address holds a blank, so this takes no request's place, and none takes its place.
        await session.worker.ask(f"forget {uri}", lambda _: completer.forget(uri))
    except Exception:
        logger.exception("What is kept of a closed document could not be let go of.")
