"""Reading after an answer: the unread parts of a long document, one slice at a time, between other work."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dovetail.completer.snapshot import Snapshot
    from dovetail.lsp.session import Session

logger = logging.getLogger(__name__)


async def read_on(session: Session, document: Snapshot, offset: int) -> None:
    """Read until an answer at an offset leaves nothing unread, or until the document changes."""
    completer = session.completer
    try:
        while session.documents.snapshot(document.uri) is document:
            done = await session.worker.ask(f"read {document.uri}", lambda _: completer.read_on(document, offset))
            if done is None or done:
                return
    except Exception:
        logger.exception("Reading the rest of a long document failed.")
