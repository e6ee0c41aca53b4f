"""Requests by hand: the first text is answered as soon as it is ready, while the others are still being written.

The protocol has one answer for one request. So the first answer has one text, and the next request by hand at the same
place gets all of them. Clients that never ask twice would miss the others: only a client that says that it asks again
(`ASKS_AGAIN`) is answered like that. A user who asks by hand where a text is shown already wants the others: all come
at once then.
"""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import TYPE_CHECKING

from dovetail.lsp.asking import counted
from dovetail.lsp.context import around
from dovetail.lsp.session import Others

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail.completer.answer import Answer
    from dovetail.completer.cancel_token import CancelToken
    from dovetail.lsp.documents import OpenDocument
    from dovetail.lsp.session import Session

    Work = Callable[..., Answer]

logger = logging.getLogger(__name__)

ASKS_AGAIN = "asksAgain"
"""The experimental capability of a client that asks by hand again when its user wants another text."""


def wants_first(session: Session, document: OpenDocument, offset: int) -> bool:
    """Return whether the first text alone answers a request by hand: the client asks again, and none is shown there."""
    asked = session.asked.get(document.uri)
    is_shown = asked is not None and asked.document is document and asked.offset == offset and asked.answer.texts != ()
    return session.asks_again and not is_shown


def first(session: Session) -> Work:
    """Return the work for the first text alone."""
    return partial(session.completer.candidates, first=True)


def write_others(session: Session, document: OpenDocument, offset: int) -> None:
    """Begin to write all texts of a place whose first was answered; a newer request of the document ends that."""
    task = asyncio.create_task(_written(session, document, offset))
    session.others[document.uri] = Others(document, offset, task)


def others_at(session: Session, document: OpenDocument, offset: int) -> asyncio.Task[Answer | None] | None:
    """Return the task that writes all texts of a place; None if there is none, or if it was ended."""
    others = session.others.get(document.uri)
    if others is None or others.document is not document or others.offset != offset:
        return None
    task = others.answer
    return None if task.done() and (task.cancelled() or task.result() is None) else task


async def _written(session: Session, document: OpenDocument, offset: int) -> Answer | None:
    completer = session.completer

    def write(token: CancelToken) -> Answer:
        project = around(session, document, offset)
        return counted(session, completer.candidates(document, offset, token, project=project))

    try:
        return await session.worker.ask(document.uri, write)
    except Exception:
        logger.exception("Further completions failed.")
        return None
