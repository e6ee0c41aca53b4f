"""`initialized`: the session begins, and the model is loaded."""

from __future__ import annotations

import asyncio
import logging
import uuid
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

if TYPE_CHECKING:
    from dovetail.lsp.server import Server

logger = logging.getLogger(__name__)

_LOADING = "the loading of the model"
"""The worker's key of the loading; no document's address is like it, so no request takes its place."""


def initialized(server: Server, _params: types.InitializedParams) -> None:
    """Load the model in the background; requests wait behind it on the worker."""
    completer = server.completer
    if completer is not None:
        # Queued here and now, before any request can be.
        loading = asyncio.create_task(server.worker.ask(_LOADING, lambda _: completer.load()))
        server.loading = asyncio.create_task(_accompany(server, loading))


async def _accompany(server: Server, loading: asyncio.Task[str | None]) -> None:
    """Show the progress of the loading if the client can; say once why a model cannot be loaded."""
    window = server.client_capabilities.window
    shows = window is not None and window.work_done_progress
    showing = asyncio.create_task(_show_progress(server, loading)) if shows else None
    try:
        complaint = await loading
    except Exception:
        logger.exception("The loading of the model failed.")
        complaint = "The model could not be loaded because of a defect in Dovetail; its log says more."
    if complaint is not None:
        server.show(types.MessageType.Error, complaint)
    if showing is not None:
        await showing


async def _show_progress(server: Server, loading: asyncio.Task[str | None]) -> None:
    """Show a progress from now until the loading ends."""
    token = str(uuid.uuid4())
    progress = server.work_done_progress
    try:
        await progress.create_async(token)
    except JsonRpcException:
        return  # the client does not want to show it after all
    progress.begin(token, types.WorkDoneProgressBegin(title="Dovetail", message="loading the model"))
    await asyncio.wait([loading])
    progress.end(token, types.WorkDoneProgressEnd())
