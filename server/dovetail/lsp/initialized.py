"""`initialized`: the session begins, and the model is loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.lsp.loading import follow_losses, load

if TYPE_CHECKING:
    from lsprotocol import types

    from dovetail.lsp.server import Server


def initialized(server: Server, _params: types.InitializedParams) -> None:
    """Load the model, unless the user does not want any completions."""
    follow_losses(server)
    if server.switches.everywhere:
        load(server)
    else:
        server.tell_status()
