"""The loading of the model in the background, with a progress for the user."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING

from lsprotocol import types

from dovetail.lsp.preparing import prepare_anew
from dovetail.lsp.progress import show_progress
from dovetail.lsp.status import tell_status
from dovetail.lsp.ways import in_words_of
from dovetail.model.engines.address import is_address

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from dovetail.lsp.session import Session

logger = logging.getLogger(__name__)

_KEY = "the loading of the model"
"""The worker's key of the loading; no document has such an address, so no request replaces it."""

_AGAIN = "the loading of the same model with other settings"

_DEFECT = "The model could not be loaded because of a defect in Dovetail; see its log."

_FIRST_RETRY, _LAST_RETRY = 5.0, 300.0
"""Seconds until an engine over HTTP that could not be used is tried again: twice as long each time, up to the last."""


def load(
    session: Session, *, anew: bool = False, say: bool = True, retry_after: float | None = None
) -> asyncio.Task[None]:
    """Start to load the settings' model with the completer, and return the task; later requests wait for it.

    This stops the loading of another model; `anew` stops all running work. The task ends when the model is loaded, or
    when newer loading replaces this one. After a failure `session.complaint` says why. If `say`, a client that does not
    follow the status sees that sentence. An engine over HTTP that cannot be used may be starting, and is tried again
    after `retry_after` seconds, by default a few.
    """
    completer, settings = session.completer, session.settings
    same = session.loading is not None and settings.model == session.wanted and not anew
    if anew:
        completer.abandon()
    if not same:
        session.worker.supersede(_AGAIN)
    session.wanted = settings.model
    # Queued at once, so that no request can come before it. The answer is a tuple because None stands for work that was
    # replaced. Other settings for the same model wait until it is loaded; another model replaces the loading.
    key = _AGAIN if same else _KEY
    # A future at once: what accompanies it may be cancelled before it begins.
    asked = session.worker.ask(key, lambda token: (completer.load(settings, token, anew=anew),))
    waiting = asyncio.ensure_future(asked)
    if session.retry is not None:
        session.retry.cancel()
        session.retry = None
    session.loading = loading = asyncio.create_task(
        _accompany(session, waiting, say=say, retry_after=retry_after or _FIRST_RETRY)
    )
    prepare_anew(session)
    tell_status(session)
    return loading


def follow_losses(session: Session) -> None:
    """Load the model again whenever it is lost."""
    loop = asyncio.get_running_loop()

    def lost() -> None:
        # After the end of the session the loop is closed, and no model is needed.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(_recover, session)

    session.completer.lost = lost


def _recover(session: Session) -> None:
    if session.loading is None and session.switches.everywhere and not session.ends:
        load(session)


def _try_again(session: Session, seconds: float) -> None:
    session.retry = None
    if session.loading is None and session.switches.everywhere and not session.ends:
        load(session, say=False, retry_after=min(2 * seconds, _LAST_RETRY))


async def _accompany(
    session: Session,
    waiting: Awaitable[tuple[str | None] | None],
    *,
    say: bool,
    retry_after: float,
) -> None:
    """Show the progress of the loading if the client can; say once why a model cannot be loaded."""
    this = asyncio.current_task()
    loading = asyncio.create_task(_ended(waiting))
    showing = asyncio.create_task(show_progress(session, loading, "loading the model"))
    outcome = await loading
    if outcome is not None and session.loading is this:
        (complaint,) = outcome
        session.complaint = complaint and in_words_of(session.ways, complaint)
        logger.info("the model is %s; %s", session.completer.model, session.complaint or "all is well")
        session.loading = None
        if session.complaint is not None and say and not session.follows_status:
            session.show(types.MessageType.Error, session.complaint)
        if session.complaint is not None and is_address(session.wanted or "") and not session.ends:
            loop = asyncio.get_running_loop()
            session.retry = loop.call_later(retry_after, _try_again, session, retry_after)
        tell_status(session)
    await showing


async def _ended(waiting: Awaitable[tuple[str | None] | None]) -> tuple[str | None] | None:
    try:
        return await waiting
    except Exception:
        logger.exception("The loading of the model failed.")
        return (_DEFECT,)
