"""The state of the server, in a word for programs and a sentence for people.

A client that names `didChangeStatus` among its experimental capabilities is told of every change by a notification of
that name, whose form is that of Copilot's language server; others are not, because some warn of what they do not know.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from dovetail.lsp.reason_off import obstacle, without_grammar

if TYPE_CHECKING:
    from dovetail.completer.snapshot import Snapshot
    from dovetail.lsp.server import Server

DID_CHANGE_STATUS = "didChangeStatus"
"""The name of the notification, and of the client's capability."""


@dataclass(frozen=True, slots=True)
class Status:
    """What the server is doing."""

    kind: Literal["Normal", "Warning", "Error", "Inactive"]
    """`Inactive` is off, `Warning` goes on all the same, `Error` cannot go on without the user."""
    busy: bool
    """Whether the model is being loaded or asked."""
    message: str
    """One sentence for the user."""


def status(server: Server, document: Snapshot | None = None) -> Status:
    """Return the state of the server, as far as it matters to a document if one is given."""
    model = server.completer.model
    if not server.switches.everywhere:
        return Status("Inactive", False, "Completions are switched off.")
    if server.loading is not None:
        return Status("Normal", True, "The model is being loaded.")
    if model is None:
        return Status("Error", False, server.complaint or "No model is loaded.")
    hindrance = obstacle(document, server.settings, server.switches) if document is not None else None
    if hindrance is not None:
        return Status("Inactive", False, f"Nothing is offered here: {hindrance}.")
    unknown = without_grammar(document) if document is not None else None
    if unknown is not None:
        return Status("Warning", server.in_work > 0, f"Nothing is checked here: {unknown}.")
    if server.complaint is not None:
        return Status("Warning", server.in_work > 0, f"{server.complaint} Until then {_named(model)} completes.")
    if server.completer.notice is not None:
        return Status("Warning", server.in_work > 0, server.completer.notice)
    if server.in_work > 0:
        return Status("Normal", True, _sentence(f"{_named(model)} completes."))
    return Status("Normal", False, _sentence(f"{_named(model)} is ready."))


def _named(model: str) -> str:
    """Return what people call a model."""
    return "the embedded model" if model == "embedded" else f"the model {model}"


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
