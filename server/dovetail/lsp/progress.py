"""Progress of long work, for clients that show it."""

from __future__ import annotations

import asyncio
import uuid
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

if TYPE_CHECKING:
    from dovetail.lsp.session import Session


async def show_progress(session: Session, work: asyncio.Task[Any] | asyncio.Future[Any], message: str) -> None:
    """Show a progress until some work ends or fails; return after the client was told the end."""
    window = session.client.client_capabilities.window
    if window is None or not window.work_done_progress or work.done():
        return
    token = str(uuid.uuid4())
    progress = session.client.work_done_progress
    try:
        await progress.create_async(token)
    except JsonRpcException:
        return  # the client refuses to show it
    progress.begin(token, types.WorkDoneProgressBegin(title="Dovetail", message=message))
    await asyncio.wait([work])
    progress.end(token, types.WorkDoneProgressEnd())
