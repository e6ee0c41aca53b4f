"""`workspace/didChangeConfiguration`: the user changes settings while the server runs."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from dovetail.lsp.configuration import SECTION, configure
from dovetail.lsp.context import begin
from dovetail.lsp.loading import load
from dovetail.lsp.methods.completion import offer_items
from dovetail.lsp.status import tell_status

if TYPE_CHECKING:
    from dovetail.lsp.session import Session

_PATIENCE = 5.0
"""Seconds within which a client must answer with its settings."""


def did_change_configuration(session: Session, params: types.DidChangeConfigurationParams) -> None:
    """Take the settings in the notification; if it has none, ask the client for them."""
    settings = params.settings
    if isinstance(settings, dict) and SECTION in settings:
        _take(session, settings[SECTION])
        return
    workspace = session.client.client_capabilities.workspace
    if workspace is not None and workspace.configuration:
        session.fetching = asyncio.create_task(_follow(session))


async def fetch(session: Session) -> object:
    """Return the client's settings, or the current ones if the client does not answer or answers null.

    Null means that the client has no settings for the server, like an editor that sent them all at the start.
    """
    asked = types.ConfigurationParams([types.ConfigurationItem(section=SECTION)])
    try:
        (given,) = await asyncio.wait_for(session.client.workspace_configuration_async(asked), _PATIENCE)
    except (JsonRpcException, TimeoutError, TypeError, ValueError):
        given = None
    return session.options if given is None else given


async def _follow(session: Session) -> None:
    _take(session, await fetch(session))


def _take(session: Session, given: object) -> None:
    """Take settings; the completer gets them, and loads their model, before the next request."""
    before = session.settings
    if configure(session, given) and session.switches.everywhere:
        load(session)
    if session.settings.context != before.context:
        begin(session)
    session.registering = asyncio.create_task(offer_items(session))
    tell_status(session)
