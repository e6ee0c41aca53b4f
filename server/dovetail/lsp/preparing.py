"""The preparation of a language: its tables are read from disk at once, or built in seconds the first time.

It begins when a document of the language is opened, so that the first request finds it there, and shows a progress
where it is not done soon. Requests that come meanwhile wait behind it.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from dovetail.lsp.progress import show_progress

if TYPE_CHECKING:
    from dovetail.completer.cancel_token import CancelToken
    from dovetail.completer.snapshot import Snapshot
    from dovetail.lsp.session import Session

logger = logging.getLogger(__name__)

_SOON = 0.3
"""Seconds that are not worth a progress; what is on disk takes a tenth of them."""


def prepare(session: Session, document: Snapshot) -> None:
    """Have the completer prepare for the language of a document, unless it did already or nothing is offered there."""
    name = document.language
    if name is None or name in session.prepared or session.reason_off(document) is not None:
        return
    session.prepared.add(name)
    task = asyncio.create_task(_prepare(session, document, name))
    session.preparing.add(task)
    task.add_done_callback(session.preparing.discard)


def prepare_anew(session: Session) -> None:
    """Prepare for the languages of all open documents again: the settings or the model are others now."""
    session.prepared.clear()
    for document in session.documents.all():
        prepare(session, document)


async def _prepare(session: Session, document: Snapshot, name: str) -> None:
    loop = asyncio.get_running_loop()
    begun = asyncio.Event()
    completer = session.completer

    def work(_: CancelToken) -> None:
        loop.call_soon_threadsafe(begun.set)
        completer.prepare(document)

    # No address holds a blank, so this takes no request's place, and none takes its place.
    working = asyncio.ensure_future(session.worker.ask(f"prepare {name}", work))
    beginning = asyncio.create_task(begun.wait())
    await asyncio.wait([working, beginning], return_when=asyncio.FIRST_COMPLETED)
    beginning.cancel()
    await asyncio.wait([working], timeout=_SOON)
    await show_progress(session, working, f"building the tables of {name}, once")
    try:
        await working
    except Exception:
        logger.exception("The tables of a language could not be built.")
