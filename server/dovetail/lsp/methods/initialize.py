"""`initialize`: the capabilities and settings of the session."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from lsprotocol import types

from dovetail.lsp.by_hand import ASKS_AGAIN
from dovetail.lsp.client import follow_client, is_there
from dovetail.lsp.configuration import configure
from dovetail.lsp.context import TRUSTED
from dovetail.lsp.methods.completion import answer_items
from dovetail.lsp.setting_names import read_setting_names
from dovetail.lsp.status import DID_CHANGE_STATUS
from dovetail.lsp.ways import read_ways

if TYPE_CHECKING:
    from dovetail.lsp.session import Session

logger = logging.getLogger(__name__)


def initialize(session: Session, params: types.InitializeParams) -> None:
    """Take the unit of columns and the settings; a mistake in the settings is shown, and the session begins."""
    session.documents.encoding = types.PositionEncodingKind(session.client.workspace.position_encoding).value
    client = params.client_info
    logger.info("a session with %s begins, columns in %s", client and client.name, session.documents.encoding)
    experimental = params.capabilities.experimental
    if isinstance(experimental, dict):
        session.follows_status = bool(experimental.get(DID_CHANGE_STATUS))
        session.asks_again = bool(experimental.get(ASKS_AGAIN))
        session.ways = read_ways(experimental)
        session.setting_names = read_setting_names(experimental)
        session.trusted = experimental.get(TRUSTED) is not False
    workspace = params.capabilities.workspace
    # A client that sends settings here sends all of them, and may answer in another form if asked for them.
    can_be_asked = workspace is not None and bool(workspace.configuration)
    session.pulls_settings = can_be_asked and params.initialization_options is None
    # Checked before the answer: after the answer the client may end at any moment.
    if params.process_id is not None and is_there(params.process_id):
        session.following = asyncio.create_task(follow_client(params.process_id, session.left))
    configure(session, params.initialization_options)
    if session.settings.completion_items:
        answer_items(session)
