"""The state of the session: a word for programs and a sentence for users.

A client that lists `didChangeStatus` among its experimental capabilities gets a notification of that name for every
change, in the form of Copilot's language server. Other clients get none, because some warn of unknown notifications.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Literal

from dovetail.lsp.reason_off import without_grammar
from dovetail.lsp.switches import title_of
from dovetail.lsp.ways import in_words_of

if TYPE_CHECKING:
    from dovetail.completer.snapshot import Snapshot
    from dovetail.lsp.session import Session

DID_CHANGE_STATUS = "didChangeStatus"
"""The name of the notification, and of the client's capability."""


@dataclass(frozen=True, slots=True)
class Status:
    """The state of the server."""

    kind: Literal["Normal", "Warning", "Error", "Inactive"]
    """`Inactive`: completions are off. `Warning`: they continue with a fault. `Error`: the user must act first."""
    busy: bool
    """True if the model is being loaded or asked."""
    message: str
    """One sentence for the user, or several."""
    mistakes: tuple[str, ...] = ()
    """The sentences about wrong settings, with which the message ends."""
    only_mistakes: bool = False
    """True if nothing but wrong settings is the reason for a warning."""
    preparing: bool = False
    """True if a language is being prepared, so that nothing can be offered in it yet."""


def status(session: Session, document: Snapshot | None = None) -> Status:
    """Return the state of the session, for a document if one is given; mistakes in the settings come last."""
    apart = status_apart(session, document)
    mistakes = session.settings_mistakes
    if not mistakes or session.loading is not None:
        return apart
    message = " ".join([apart.message, *mistakes])
    if apart.kind == "Normal":
        return replace(apart, kind="Warning", message=message, mistakes=mistakes, only_mistakes=True)
    return replace(apart, message=message, mistakes=mistakes)


def status_apart(session: Session, document: Snapshot | None = None) -> Status:
    """Return the state of the session apart from mistakes in the settings."""
    model = session.completer.model
    if not session.switches.everywhere:
        return Status("Inactive", False, "Completions are switched off.")
    if session.loading is not None:
        return Status("Normal", True, "The model is being loaded.")
    if model is None:
        return Status("Error", False, session.complaint or "No model is loaded.")
    reason = session.reason_off(document) if document is not None else None
    if reason is not None:
        return Status("Inactive", False, f"Nothing is offered here: {reason}.")
    unknown = without_grammar(document) if document is not None else None
    if unknown is not None:
        return Status("Warning", session.in_work > 0, f"Nothing is checked here: {unknown}.")
    foreign = session.unknown_language(document) if document is not None else None
    if foreign is not None:
        # Also while the model works: it may be for another document.
        return Status("Inactive", session.in_work > 0, f"Nothing is offered here while you type: {foreign}.")
    awaited = being_prepared(session, document)
    if awaited is not None:
        return Status("Normal", True, awaited, preparing=True)
    if session.complaint is not None:
        return Status("Warning", session.in_work > 0, f"{session.complaint} Until then {_named(model)} completes.")
    if session.completer.notice is not None:
        return Status("Warning", session.in_work > 0, in_words_of(session.ways, session.completer.notice))
    if session.in_work > 0:
        return Status("Normal", True, _sentence(f"{_named(model)} completes."))
    remark = f" {session.completer.remark}" if session.completer.remark else ""
    return Status("Normal", False, _sentence(f"{_named(model)} is ready.{remark}"))


def being_prepared(session: Session, document: Snapshot | None = None) -> str | None:
    """Return the sentence about the languages, or that of a document, that are being prepared; None if none is."""
    awaited = session.awaited if document is None else session.awaited & {document.language}
    if not awaited:
        return None
    titles = " and ".join(title_of((name,)) for name in sorted(awaited))
    verb = "is" if len(awaited) == 1 else "are"
    return f"{titles} {verb} being prepared, once; suggestions come after that."


def tell_status(session: Session) -> None:
    """Send the status to the client, if it changed and the client follows it."""
    now = asdict(status(session))
    if session.follows_status and now != session.told_status:
        session.told_status = now
        session.client.protocol.notify(DID_CHANGE_STATUS, now)


def _named(model: str) -> str:
    """Return the name of a model with its article."""
    return "the embedded model" if model == "embedded" else f"the model {model}"


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
