"""The files that change outside of the editor: clients watch them, and what is known of them follows.

A client that takes registrations is asked to watch the files of all languages with imports, and the files of rules.
What it then tells is a hint: each file is looked at as if it was found just now, so it may be read under the same
conditions as any other (`project/folders.py`).
"""

from __future__ import annotations

import logging
import posixpath
from typing import TYPE_CHECKING

from lsprotocol import types

from dovetail.grammar.library import languages
from dovetail.lsp.context import begin, follow, run
from dovetail.project.address import path_of
from dovetail.project.ignored import RULES
from dovetail.project.reader import OFF

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Sequence

    from dovetail.lsp.session import Session

logger = logging.getLogger(__name__)

_CHANGES = "the files that changed"
"""The worker's key of the look at them."""

_MANY = 500
"""Files that change together, as where another branch is checked out; beyond that all are found anew."""


async def watch(session: Session) -> None:
    """Ask the client to watch files, if it takes that."""
    workspace = session.client.client_capabilities.workspace
    known = workspace.did_change_watched_files if workspace is not None else None
    if known is None or not known.dynamic_registration:
        return
    endings = sorted(
        ending for facts in languages().values() if facts.imports is not None for ending in facts.extensions
    )
    patterns = (f"**/*{{{','.join(endings)}}}", f"**/{RULES}")
    options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(each) for each in patterns])
    method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
    try:
        await session.client.client_register_capability_async(
            types.RegistrationParams([types.Registration(method, method, options)])
        )
    except Exception:  # a client that answers with an error does not watch, and all else goes on
        logger.warning("The client does not watch files.", exc_info=True)


def follow_files(session: Session, uris: Sequence[str]) -> None:
    """Look at files that have changed, come or gone."""
    paths = [path for uri in uris if (path := path_of(uri)) is not None]
    if not session.trusted or session.settings.context == OFF or not paths:
        return
    session.changed_files.update(paths)
    if len(session.changed_files) > _MANY or any(posixpath.basename(path) == RULES for path in paths):
        session.changed_files.clear()
        begin(session)
        return

    def work(_: object) -> int:
        # Work that waits under the same key gives way to newer work, which then has these paths to look at, too.
        looked = 0
        while session.changed_files:
            session.project.look(session.changed_files.pop())
            looked += 1
        return looked

    run(session, _CHANGES, work, _relate)


async def _relate(session: Session, working: asyncio.Future[int | None]) -> None:
    """Relate the open documents to the files as they are now."""
    if await working:
        for document in session.documents.all():
            follow(session, document.uri, anew=True)
