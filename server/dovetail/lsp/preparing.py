"""The preparation of a language: its tables are read from disk at once, or built in seconds the first time.

Preparation begins when the client opens a document of the language, so that the first request need not wait for it. It
shows a progress if it takes long. Requests that come meanwhile wait for its end.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from dovetail.lsp.progress import show_progress
from dovetail.lsp.status import tell_status
from dovetail.lsp.switches import title_of

if TYPE_CHECKING:
    from dovetail.completer.cancel_token import CancelToken
    from dovetail.completer.snapshot import Snapshot
    from dovetail.lsp.session import Session

logger = logging.getLogger(__name__)

_SOON = 0.3
"""Seconds before a progress is shown; reading tables from disk takes a tenth of them."""
_LATER = 1.0
"""Seconds after that until the status says it: only what is built takes so long."""


def prepare(session: Session, document: Snapshot) -> None:
    """Prepare the language of a document, unless it is prepared already or completions are off there."""
    name = document.language
    if name is None or name in session.prepared or session.reason_off(document) is not None:
        return
    session.prepared.add(name)
    task = asyncio.create_task(_prepare(session, document, name))
    session.preparing.add(task)
    task.add_done_callback(session.preparing.discard)


def prepare_anew(session: Session) -> None:
    """Prepare the languages of all open documents again, because the settings or the model changed."""
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

    # Addresses hold no blank, so this key is never that of a request.
    working = asyncio.ensure_future(session.worker.ask(f"prepare {name}", work))
    beginning = asyncio.create_task(begun.wait())
    await asyncio.wait([working, beginning], return_when=asyncio.FIRST_COMPLETED)
    beginning.cancel()
    await asyncio.wait([working], timeout=_SOON)
    showing = asyncio.create_task(show_progress(session, working, f"preparing {title_of((name,))}, once"))
    await asyncio.wait([working], timeout=_LATER)
    try:
        if not working.done():
            session.awaited.add(name)
            tell_status(session)
        await showing
        await working
    except Exception:
        logger.exception("The tables of a language could not be built.")
    finally:
        session.awaited.discard(name)
        tell_status(session)
