"""The loading of the model, in the background and in sight."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING

from lsprotocol import types

from dovetail.lsp.preparing import prepare_anew
from dovetail.lsp.progress import show_progress
from dovetail.lsp.status import tell_status

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from dovetail.lsp.session import Session

logger = logging.getLogger(__name__)

_KEY = "the loading of the model"
"""The worker's key of the loading; no document's address is like it, so no request takes its place."""

_AGAIN = "the loading of the same model with other settings"

_DEFECT = "The model could not be loaded because of a defect in Dovetail; its log says more."


def load(session: Session, *, anew: bool = False, say: bool = True) -> asyncio.Task[None]:
    """Have the completer take the settings and load their model; requests from now on wait behind it.

    The loading of another model, and with `anew` whatever runs, is given up. Ends when that is done or newer loading
    took its place. Where it fails, `server.complaint` says why; a client that does not follow the status is shown
    that, if `say`.
    """
    completer, settings = session.completer, session.settings
    same = session.loading is not None and settings.model == session.wanted and not anew
    if anew:
        completer.abandon()
    if not same:
        session.worker.supersede(_AGAIN)
    session.wanted = settings.model
    # Queued here and now, before any request can be. The answer is a tuple: None is that of work that was replaced.
    # The same model with other settings waits behind its loading, of any other the loading is given up.
    key = _AGAIN if same else _KEY
    waiting = session.worker.ask(key, lambda token: (completer.load(settings, token, anew=anew),))
    session.loading = loading = asyncio.create_task(_accompany(session, waiting, say=say))
    prepare_anew(session)
    tell_status(session)
    return loading


def follow_losses(session: Session) -> None:
    """Have the model loaded again whenever it is lost."""
    loop = asyncio.get_running_loop()

    def lost() -> None:
        # The session may have ended: then nobody wants the model.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(_recover, session)

    session.completer.lost = lost


def _recover(session: Session) -> None:
    if session.loading is None and session.switches.everywhere and not session.shut_down:
        load(session)


async def _accompany(session: Session, waiting: Coroutine[None, None, tuple[str | None] | None], *, say: bool) -> None:
    """Show the progress of the loading if the client can; say once why a model cannot be loaded."""
    this = asyncio.current_task()
    loading = asyncio.create_task(_ended(waiting))
    showing = asyncio.create_task(show_progress(session, loading, "loading the model"))
    outcome = await loading
    if outcome is not None and session.loading is this:
        (session.complaint,) = outcome
        logger.info("the model is %s; %s", session.completer.model, session.complaint or "all is well")
        session.loading = None
        if session.complaint is not None and say and not session.follows_status:
            session.show(types.MessageType.Error, session.complaint)
        tell_status(session)
    await showing


async def _ended(waiting: Coroutine[None, None, tuple[str | None] | None]) -> tuple[str | None] | None:
    try:
        return await waiting
    except Exception:
        logger.exception("The loading of the model failed.")
        return (_DEFECT,)
