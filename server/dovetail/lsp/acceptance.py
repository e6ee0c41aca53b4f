"""`textDocument/didShowCompletion` and `didPartiallyAcceptCompletion`: what an editor did with a text.

The protocol has no word for these, so the names and forms are those of Copilot's language server: the parameters hold
the item as it was offered, which is known by the argument of its command. To accept an item to its end is to run that
command (`execute_command.py`). Nobody is answered, so a notification of another form is only logged.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from lsprotocol import types

if TYPE_CHECKING:
    from dovetail.lsp.server import Server

logger = logging.getLogger(__name__)

DID_SHOW = "textDocument/didShowCompletion"
DID_PARTIALLY_ACCEPT = "textDocument/didPartiallyAcceptCompletion"

ACCEPTED = "dovetail.server.accepted"
"""The command that an item brings along."""


def acceptance(server: Server, text: str, skipped: str = "", *, unchecked: bool = False) -> types.Command:
    """Return the command of an item with a text, of which `skipped` stands in the document already.

    Its title is what people may be shown of it, so that it says where nothing was checked.
    """
    title = "Accepted, unchecked" if unchecked else "Accepted"
    return types.Command(title, ACCEPTED, arguments=[server.offers.add(text, skipped)])


def did_show_completion(server: Server, params: object) -> None:
    """Take note that an item is shown: `{item}`."""
    name = _name(params)
    if name is None:
        _complain(DID_SHOW)
    else:
        server.offers.show(name)


def did_partially_accept_completion(server: Server, params: object) -> None:
    """Take note that an item was accepted in part: `{item, acceptedLength}`.

    The length is that of all that was accepted of the item so far, in UTF-16 code units.
    """
    name = _name(params)
    length = params.get("acceptedLength") if isinstance(params, dict) else None
    if name is None or not isinstance(length, int) or isinstance(length, bool) or length < 0:
        _complain(DID_PARTIALLY_ACCEPT)
    else:
        server.offers.accept_part(name, length)


def _name(params: object) -> str | None:
    """Return the name of the offer that some parameters speak of, or None where they have another form."""
    found: Any = params
    for key in ("item", "command"):
        found = found.get(key) if isinstance(found, dict) else None
    arguments = found.get("arguments") if isinstance(found, dict) else None
    name = arguments[0] if isinstance(arguments, list) and arguments else None
    return name if isinstance(name, str) else None


def _complain(method: str) -> None:
    logger.warning("A notification %s was ignored, because it does not have its form.", method)
