"""The files around the documents of a session: found in the background, and told to the model with each request.

`project/folders.py` says which files are read. A client that asks its users whether they trust a folder
says so with the experimental capability `trustedWorkspace`; where that is false, no file of the folders is read.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from dovetail.lsp.progress import show_progress
from dovetail.project.address import path_of
from dovetail.project.reader import OFF, OpenText

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from dovetail.completer.cancel_token import CancelToken
    from dovetail.decoding.repository import ProjectContext
    from dovetail.lsp.documents import OpenDocument
    from dovetail.lsp.session import Session

logger = logging.getLogger(__name__)

TRUSTED = "trustedWorkspace"
"""The client's experimental capability: whether the user trusts the folders."""

_SCAN = "the files of the workspace"
"""The worker's key of the search for files; no document has such an address."""

_SOON = 0.3
"""Seconds before a progress is shown."""


def begin(session: Session) -> None:
    """Find the files of the workspace anew, because the folders or the settings are others; forget what was known."""
    mode = session.settings.context if session.trusted else OFF
    folders = [path for uri in session.client.workspace.folders if (path := path_of(uri)) is not None]
    project = session.project

    def work(token: CancelToken) -> int:
        project.begin(folders, mode)
        return project.scan(lambda: not token.cancelled)

    run(session, _SCAN, work, _scanned)


def follow(session: Session, uri: str, *, anew: bool = False) -> None:
    """Take a document as it stands now; `anew` also looks whether other files changed."""
    document = session.documents.snapshot(uri)
    if document is None or session.settings.context == OFF:
        return
    text = OpenText(uri, next(iter(document.language_names), None), document.text)
    run(session, uri, lambda _: session.project.update(text, anew=anew))


def let_go(session: Session, document: OpenDocument) -> None:
    """Forget a document that was closed."""
    edited = bool(document.edits)
    run(session, document.uri, lambda _: session.project.close(document.uri, edited=edited))


def around(session: Session, document: OpenDocument, offset: int) -> ProjectContext | None:
    """Return what the model is told of the files around a cursor; a failure costs nothing but that."""
    if session.settings.context == OFF:
        return None
    try:
        return session.project.around(document.uri, document.text[:offset], document.text[offset:])
    except Exception:
        logger.exception("The files around a document could not be searched.")
        return None


def run(
    session: Session,
    key: str,
    work: Callable[[CancelToken], int | None],
    accompany: Callable[[Session, asyncio.Future[int | None]], Coroutine[None, None, None]] | None = None,
) -> None:
    """Do some work in the background, in place of what waits under the same key."""
    working: asyncio.Future[int | None] = asyncio.ensure_future(session.files.ask(key, work))

    async def watch() -> None:
        try:
            await (working if accompany is None else accompany(session, working))
        except Exception:
            logger.exception("The files of the workspace could not be read.")

    task = asyncio.create_task(watch())
    session.following_files.add(task)
    task.add_done_callback(session.following_files.discard)


async def _scanned(session: Session, working: asyncio.Future[int | None]) -> None:
    """Show a progress if the search takes long; the open documents are related to what was found."""
    await asyncio.wait([working], timeout=_SOON)
    await show_progress(session, working, "finding what the files of the workspace import")
    count = await working
    if count is not None:
        logger.info("%d files of the workspace are known", count)
        for document in session.documents.all():
            follow(session, document.uri, anew=True)
