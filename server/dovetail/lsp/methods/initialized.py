"""`initialized`: the session begins, and the model is loaded."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from lsprotocol import types

from dovetail.lsp.configuration import configure
from dovetail.lsp.context import begin
from dovetail.lsp.loading import follow_losses, load
from dovetail.lsp.methods.completion import offer_items
from dovetail.lsp.methods.did_change_configuration import fetch
from dovetail.lsp.status import tell_status
from dovetail.lsp.watching import watch

if TYPE_CHECKING:
    from dovetail.lsp.session import Session


def initialized(session: Session, _params: types.InitializedParams) -> None:
    """Load the model, unless completions are off.

    If the client sent no settings but can be asked for them, the server asks first.
    """
    follow_losses(session)
    if session.pulls_settings:
        session.fetching = asyncio.create_task(_pull(session))
    else:
        _start(session)


async def _pull(session: Session) -> None:
    configure(session, await fetch(session))
    _start(session)
    await offer_items(session)
    workspace = session.client.client_capabilities.workspace
    changes = workspace.did_change_configuration if workspace is not None else None
    if changes is not None and changes.dynamic_registration:
        method = types.WORKSPACE_DID_CHANGE_CONFIGURATION
        registration = types.Registration(method, method)
        await session.client.client_register_capability_async(types.RegistrationParams([registration]))


def _start(session: Session) -> None:
    begin(session)
    session.watching = asyncio.create_task(watch(session))
    if session.switches.everywhere:
        load(session)
    else:
        tell_status(session)
