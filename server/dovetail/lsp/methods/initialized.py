"""`initialized`: the session begins, and the model is loaded."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from lsprotocol import types

from dovetail.lsp.configuration import configure
from dovetail.lsp.loading import follow_losses, load
from dovetail.lsp.methods.completion import offer_items
from dovetail.lsp.methods.did_change_configuration import fetch

if TYPE_CHECKING:
    from dovetail.lsp.server import Server


def initialized(server: Server, _params: types.InitializedParams) -> None:
    """Load the model, unless the user does not want any completions.

    A client that gave no settings but can be asked for them is asked first.
    """
    follow_losses(server)
    if server.pulls_settings:
        server.fetching = asyncio.create_task(_pull(server))
    else:
        _start(server)


async def _pull(server: Server) -> None:
    configure(server, await fetch(server))
    _start(server)
    await offer_items(server)
    workspace = server.client_capabilities.workspace
    changes = workspace.did_change_configuration if workspace is not None else None
    if changes is not None and changes.dynamic_registration:
        method = types.WORKSPACE_DID_CHANGE_CONFIGURATION
        registration = types.Registration(method, method)
        await server.client_register_capability_async(types.RegistrationParams([registration]))


def _start(server: Server) -> None:
    if server.switches.everywhere:
        load(server)
    else:
        server.tell_status()
