"""The acceptance of an offered text: the command that its item carries, and the name of its offer.

The protocol has no word for showing and accepting, so the notifications have the names and forms of Copilot's language
server: the parameters hold the item as it was offered, and the argument of its command names the offer. Accepting an
item to its end runs that command (`methods/execute_command.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

if TYPE_CHECKING:
    from dovetail.lsp.session import Session

ACCEPTED = "dovetail.server.accepted"
"""The command of an item."""


def acceptance(session: Session, text: str, skipped: str = "", *, unchecked: bool = False) -> types.Command:
    """Remember an offered text and return the command for its item; the document holds `skipped` of it already.

    Editors may show the title, so it says if nothing was checked.
    """
    title = "Accepted, unchecked" if unchecked else "Accepted"
    return types.Command(title, ACCEPTED, arguments=[session.offers.add(text, skipped)])


def offer_name(params: object) -> str | None:
    """Return the name of the offer in the parameters `{item}` of a notification, or None if they have another form."""
    found: Any = params
    for key in ("item", "command"):
        found = found.get(key) if isinstance(found, dict) else None
    arguments = found.get("arguments") if isinstance(found, dict) else None
    name = arguments[0] if isinstance(arguments, list) and arguments else None
    return name if isinstance(name, str) else None
