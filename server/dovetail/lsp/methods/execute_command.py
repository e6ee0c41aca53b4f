"""`workspace/executeCommand`: the commands of the server, for every editor.

Each command answers with a mapping whose `message` is a sentence for the user, except the command of an item, which
answers null. Wrong arguments get an error. The names contain `server` so that a client can have commands of its own
with the names that are left.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from dovetail.lsp.acceptance import ACCEPTED
from dovetail.lsp.configuration import choose_model, take_choice
from dovetail.lsp.last_answer import accepted_before, may_ask_by_hand, nothing_offered, outcome, parts_read
from dovetail.lsp.loading import load
from dovetail.lsp.preparing import prepare
from dovetail.lsp.reason_off import without_grammar
from dovetail.lsp.report import report
from dovetail.lsp.setting_names import in_names_of
from dovetail.lsp.status import being_prepared, status, status_apart, tell_status
from dovetail.lsp.switches import title_of
from dovetail.model.engines.address import is_address
from dovetail.settings import SettingsError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from dovetail.completer.explainer import Explanation
    from dovetail.lsp.documents import OpenDocument
    from dovetail.lsp.session import Session

Result = dict[str, Any]
"""The answer of a command. Not under `TYPE_CHECKING`, because pygls reads the annotations of commands."""


def register_commands(session: Session) -> None:
    """Register the commands with pygls, which announces them to the client."""
    for name, command in COMMANDS.items():
        session.client.command(name)(_bound(session, command))


async def show_status(session: Session, uri: object = None) -> Result:
    """Return what `didChangeStatus` says, for a document if its address is given."""
    return _status(session, None if uri is None else _document(session, uri))


async def why(session: Session, uri: object) -> Result:
    """Return the reason for the last answer in a document, and the parts of the document that were left out.

    `by_hand` and `other_model` say that asking by hand, or another model, would get more. Mistakes in the settings come
    last, and are `mistakes` too.
    """
    found = await _why(session, _document(session, uri))
    message = in_names_of(session.setting_names, found["message"])
    mistakes = session.settings_mistakes
    return {**found, "message": " ".join([message, *mistakes]), "mistakes": mistakes}


async def _why(session: Session, document: OpenDocument) -> Result:
    reason = session.reason_off(document)
    asked = session.asked.get(document.uri)
    if reason is None and session.completer.model is None:
        message = status_apart(session).message
        return {"message": f"{message} Nothing is offered meanwhile.", "reason": message.rstrip("."), "offered": 0}
    if reason is not None:
        return {"message": f"Nothing is offered here: {reason}.", "reason": reason, "offered": 0}
    awaited = being_prepared(session, document)
    if awaited is not None:
        # Nothing can be explained before that either.
        return {"message": awaited, "reason": awaited.rstrip("."), "offered": 0, "preparing": True}
    other = session.unknown_language(document) is not None
    last = session.offers.last.get(document.uri)
    accepted_text = accepted_before(last, asked)
    if last is not None and accepted_text and (asked is None or asked.begun <= last.when):
        return {"message": accepted_text, "reason": last.reason, "offered": 1, "other_model": other}
    if asked is None:
        message = status_apart(session, document).message if other else "Nothing was asked for in this document yet."
        return {"message": message, "reason": None, "offered": 0, "other_model": other}
    count, reason = len(asked.answer.texts), asked.answer.reason
    sentences = outcome(asked, accepted_text)
    read = asked.answer.parts
    result = {
        "reason": reason,
        "offered": count,
        "by_hand": may_ask_by_hand(asked),
        "other_model": other,
        "context": [{"path": part.path, "tokens": part.tokens} for part in read],
    }
    shown = [parts_read(read)] if read else []
    unknown = without_grammar(document)
    if unknown is not None:
        return {"message": " ".join([f"{sentences} Nothing was checked: {unknown}.", *shown]), **result}
    found = await _explain(session, asked.document, asked.offset)
    if found is None:
        return {"message": " ".join([sentences, *shown]), **result}
    known = report(found, asked.document, asked.offset, session.documents.encoding)
    # If nothing fits, the engine's sentence about the place says more than the decoder's reason.
    said = [sentences] if count or found.viable else [f"{nothing_offered(accepted_text)}.", found.message]
    parts = [*said, *known.pop("notes"), *shown]
    return {**known, **result, "message": " ".join(parts)}


async def toggle(session: Session, what: object = None) -> Result:
    """Switch completions on or off: `{scope: "all" | "language" | "document", uri, enabled}`.

    Without `enabled` it toggles; without an argument the scope is `all`.
    """
    given = {} if what is None else what
    if not isinstance(given, dict) or not isinstance(given.get("enabled"), bool | None):
        raise JsonRpcInvalidParams("the argument is {scope, uri, enabled}")
    on, scope, before = given.get("enabled"), given.get("scope", "all"), session.switches.everywhere
    document = _document(session, given["uri"]) if given.get("uri") is not None else None
    if scope == "all":
        is_on, place = session.switches.all(on), ""
    elif scope == "language" and document is not None:
        names = document.language_names
        is_on, place = session.switches.language(names, on), f" for {title_of(names)}"
    elif scope == "document" and document is not None:
        is_on, place = session.switches.document(document.uri, on), " for this document"
    else:
        raise JsonRpcInvalidParams("the scope is `all`, or `language` or `document` with a `uri`")
    absent = session.completer.model is None and session.loading is None
    # Settings that changed while completions were off have not reached the completer yet.
    if session.switches.everywhere and (absent or not before):
        load(session)
    elif document is not None:
        prepare(session, document)
    tell_status(session)
    reason = None if document is None else session.reason_off(document)
    message = f"Completions are switched {'on' if is_on else 'off'}{place}."
    if is_on and reason is not None:
        message += f" Nothing is offered here all the same: {reason}."
    return {**_status(session, document), "enabled": is_on, "message": message}


async def restart(session: Session) -> Result:
    """Load the model again in a new process, and answer with the state after that."""
    await load(session, anew=True, say=False)
    return _status(session, None)


async def model(session: Session, name: object = None) -> Result:
    """Load the model of a folder or name, or the embedded one for null, and answer with the state after that.

    If there is no such model, the one before goes on, as if none had been chosen; an engine that does not answer may be
    starting, and is tried again.
    """
    if name is not None and not isinstance(name, str):
        raise JsonRpcInvalidParams("the argument is the folder or the name of a model, or null")
    choice, complaint = session.choice, session.complaint
    try:
        choose_model(session, name)
    except SettingsError as error:
        return {**_status(session, None), "message": str(error)}
    await load(session, say=False)
    answer = _status(session, None)
    is_missing = session.complaint is not None and session.loading is None and not is_address(name or "")
    if is_missing and session.completer.model is not None:
        take_choice(session, choice)
        session.complaint, session.wanted = complaint, session.settings.model
        tell_status(session)
    return answer


async def explain(session: Session, place: object) -> Result:
    """Return the explanation of a place, with or without a model: `{textDocument: {uri}, position}`."""
    try:
        params = session.client.protocol._converter.structure(place, types.TextDocumentPositionParams)
    except Exception as error:  # cattrs raises many kinds for the same mistake
        raise JsonRpcInvalidParams("the argument is {textDocument: {uri}, position}") from error
    document = _document(session, params.text_document.uri)
    reason = session.reason_off(document) or without_grammar(document)
    encoding = session.documents.encoding
    offset = document.lines.offset(params.position.line, params.position.character, encoding)
    found = None if reason is not None else await _explain(session, document, offset)
    if found is None:
        return {"message": f"There is no explanation: {reason or 'a newer one was asked for'}."}
    known = report(found, document, offset, encoding)
    return {**known, "message": " ".join([found.message, *known.pop("notes")])}


async def accepted(session: Session, name: object) -> None:
    """Note that an item was accepted to its end; `name` is the name of its offer."""
    if not isinstance(name, str):
        raise JsonRpcInvalidParams("the argument is that of the item's command")
    session.offers.accept(name)


COMMANDS: dict[str, Callable[..., Coroutine[Any, Any, Result | None]]] = {
    "dovetail.server.status": show_status,
    "dovetail.server.why": why,
    "dovetail.server.toggle": toggle,
    "dovetail.server.restart": restart,
    "dovetail.server.model": model,
    "dovetail.server.explain": explain,
    ACCEPTED: accepted,
}
"""Name → command."""


def _bound(
    session: Session, command: Callable[..., Coroutine[Any, Any, Result | None]]
) -> Callable[..., Coroutine[Any, Any, Result | None]]:
    # Any, because pygls passes the server itself to a parameter that is annotated with its type.
    async def run(*arguments: Any) -> Result | None:
        try:
            running = command(session, *arguments)
        except TypeError as error:
            raise JsonRpcInvalidParams("there are too many arguments, or too few") from error
        return await running

    return run


async def _explain(session: Session, document: OpenDocument, offset: int) -> Explanation | None:
    """Explain on a thread of its own; return None if a newer explanation of the document replaced this one."""
    completer = session.completer
    return await session.explainer.ask(document.uri, lambda _: completer.explain(document, offset))


def _status(session: Session, document: OpenDocument | None) -> Result:
    return {
        **asdict(status(session, document)),
        "other_model": document is not None and session.unknown_language(document) is not None,
        "model": session.completer.model,
        "enabled": session.switches.everywhere
        and (document is None or session.switches.off(document.language_names, document.uri) is None),
    }


def _document(session: Session, uri: object) -> OpenDocument:
    document = session.documents.snapshot(uri) if isinstance(uri, str) else None
    if document is None:
        raise JsonRpcInvalidParams(f"no document with the address {uri!r} is open")
    return document
