"""`workspace/didChangeConfiguration`: the user changes settings while the server runs."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from dovetail.lsp.configuration import SECTION, configure
from dovetail.lsp.loading import load
from dovetail.lsp.methods.completion import offer_items

if TYPE_CHECKING:
    from dovetail.lsp.server import Server

_PATIENCE = 5.0
"""Seconds that a client has to say what its settings are."""


def did_change_configuration(server: Server, params: types.DidChangeConfigurationParams) -> None:
    """Take the settings that the client sends, at once, or else ask for them."""
    settings = params.settings
    if isinstance(settings, dict) and SECTION in settings:
        _take(server, settings[SECTION])
        return
    workspace = server.client_capabilities.workspace
    if workspace is not None and workspace.configuration:
        server.fetching = asyncio.create_task(_follow(server))


async def fetch(server: Server) -> object:
    """Return the settings that the client has, or those that hold where it cannot say after all.

    Null means that it has none for us, as of an editor whose settings were all given at the start.
    """
    asked = types.ConfigurationParams([types.ConfigurationItem(section=SECTION)])
    try:
        (given,) = await asyncio.wait_for(server.workspace_configuration_async(asked), _PATIENCE)
    except (JsonRpcException, TimeoutError, TypeError, ValueError):
        given = None
    return server.options if given is None else given


async def _follow(server: Server) -> None:
    _take(server, await fetch(server))


def _take(server: Server, given: object) -> None:
    """Take settings; the completer has them, and the model that they name, before the next request."""
    if configure(server, given) and server.switches.everywhere:
        load(server)
    server.registering = asyncio.create_task(offer_items(server))
    server.tell_status()
