"""The acceptance of an offered text: the command that its item carries, and the name of its offer.

The Language Server Protocol has no messages for showing and accepting a text. So the notifications have the names and
forms of Copilot's language server: the parameters hold the offered item, and the argument of the item's command names
the offer. When a user accepts an item to its end, the editor runs that command (`methods/execute_command.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from dovetail.lsp.offers import Offered

if TYPE_CHECKING:
    from dovetail.completer.answer import Answer
    from dovetail.lsp.documents import OpenDocument
    from dovetail.lsp.session import Session

ACCEPTED = "dovetail.server.accepted"
"""The command of an item."""


def acceptance(
    session: Session, answer: Answer, text: str, document: OpenDocument, start: int, skipped: str = ""
) -> types.Command:
    """Remember an offered text of an answer and return the command for its item.

    The text would begin at `start` in the document, which holds its beginning `skipped` already. Editors may show the
    title of the command, so it says `unchecked` for a text that no grammar checked.
    """
    about = session.statistics.subject(document, answer.reason, session.completer.model)
    name = session.offers.add(Offered(about, text, document.uri, document.serial, start, skipped), answer.reason)
    return types.Command("Accepted, unchecked" if answer.unchecked else "Accepted", ACCEPTED, arguments=[name])


def offer_name(params: object) -> str | None:
    """Return the name of the offer in the parameters `{item}` of a notification, or None if they have another form."""
    found: Any = params
    for key in ("item", "command"):
        found = found.get(key) if isinstance(found, dict) else None
    arguments = found.get("arguments") if isinstance(found, dict) else None
    name = arguments[0] if isinstance(arguments, list) and arguments else None
    return name if isinstance(name, str) else None
