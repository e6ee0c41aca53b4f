"""`workspace/didChangeConfiguration`: the user changes settings while the server runs."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from dovetail.lsp.configuration import SECTION, configure
from dovetail.lsp.loading import load

if TYPE_CHECKING:
    from dovetail.lsp.server import Server


def did_change_configuration(server: Server, params: types.DidChangeConfigurationParams) -> None:
    """Take the settings that the client sends, at once, or else ask for them."""
    settings = params.settings
    if isinstance(settings, dict) and SECTION in settings:
        _take(server, settings[SECTION])
        return
    workspace = server.client_capabilities.workspace
    if workspace is not None and workspace.configuration:
        server.fetching = asyncio.create_task(_fetch(server))


async def _fetch(server: Server) -> None:
    asked = types.ConfigurationParams([types.ConfigurationItem(section=SECTION)])
    try:
        (given,) = await server.workspace_configuration_async(asked)
    except (JsonRpcException, TypeError, ValueError):
        return      # the client cannot say after all; what held before goes on
    _take(server, given)


def _take(server: Server, given: object) -> None:
    """Take settings; the completer has them, and the model that they name, before the next request."""
    if configure(server, given) and server.switches.everywhere:
        load(server)
    server.tell_status()
