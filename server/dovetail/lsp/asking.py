"""Requests for completions: each gets one answer, never an error; the last request of a document is remembered."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING

from dovetail.completer.answer import Answer, nothing
from dovetail.lsp.context import around
from dovetail.lsp.last_answer import MANUAL
from dovetail.lsp.list_entry import continuing
from dovetail.lsp.reading import read_on
from dovetail.lsp.session import Asked
from dovetail.lsp.status import tell_status

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail.completer.cancel_token import CancelToken
    from dovetail.lsp.documents import OpenDocument
    from dovetail.lsp.meter import Kind, Outcome
    from dovetail.lsp.session import Session

logger = logging.getLogger(__name__)

_STALE = nothing("the document changed, or was asked about again")
_CANCELLED = nothing("the editor took the request back before there was an answer")
_DEFECT = nothing("Dovetail has a defect; see its log")


async def ask(
    session: Session,
    document: OpenDocument,
    offset: int,
    work: Callable[..., Answer],
    *,
    kind: Kind,
    entry: str = "",
    running: asyncio.Task[Answer | None] | None = None,
) -> Answer:
    """Return the answer of `work` on a document at an offset, or of `running` work, and count its outcome.

    An automatic request waits for a pause in typing, unless the answer is remembered. The answer has no texts if a
    newer request of the document came, or if the document changed meanwhile. `work` takes the document, the offset, a
    cancellation, and what the model is told of other files as `project`. `document` is the open document, or a
    copy of it with the selected `entry` of a list in it.
    """
    begun = time.perf_counter()
    outcome: Outcome = "cancelled"  # stays so if the waiting below is cancelled
    session.meter.begin()
    try:
        answer = continuing(await _ask(session, document, offset, work, kind, running), entry)
        outcome = _outcome(answer)
    except asyncio.CancelledError:
        _note(session, Asked(begun, document, offset, _CANCELLED, kind != "invoked", entry))
        raise
    finally:
        seconds = time.perf_counter() - begun
        session.meter.end(kind, outcome, seconds)
        session.postpone_collection()
        if outcome == "cancelled":
            logger.info("%s request in %s at %d: cancelled after %.0f ms", kind, document.uri, offset, 1000 * seconds)
    _note(session, Asked(begun, document, offset, answer, kind != "invoked", entry))
    spent = answer.work.seconds if answer.work is not None else None
    logger.info(
        "%s request in %s at %d: %s after %.0f ms, %.0f of them the model's, because %s",
        kind, document.uri, offset, outcome, 1000 * seconds, 1000 * (spent.prompt + spent.model) if spent else 0,
        answer.reason,
    )  # fmt: skip
    logger.debug("the texts are %r", answer.texts)
    return answer


async def _ask(
    session: Session,
    document: OpenDocument,
    offset: int,
    work: Callable[..., Answer],
    kind: Kind,
    running: asyncio.Task[Answer | None] | None,
) -> Answer:
    before = session.documents.snapshot(document.uri)
    reason = session.reason_off(document)
    if reason is None and kind == "automatic" and session.settings.trigger == "manual":
        reason = MANUAL
    if reason is None and kind != "invoked":
        reason = session.unknown_language(document)
    if reason is not None:
        return nothing(reason)
    session.in_work += 1
    tell_status(session)
    try:
        if running is None:
            answer = await _answer(session, document, offset, work, automatic=kind != "invoked")
        else:
            answer = await asyncio.shield(running)  # it outlives a request that is cancelled
    except Exception:
        logger.exception("A completion failed.")
        answer = _DEFECT
    finally:
        session.in_work -= 1
        tell_status(session)
    if answer is None or session.documents.snapshot(document.uri) is not before:
        return _STALE
    # Switches and settings may have changed since the request.
    reason = session.reason_off(document)
    if reason is not None:
        return nothing(reason) if answer.texts else answer
    if before is document:
        session.reading = asyncio.create_task(read_on(session, document, offset))
    return answer


async def _answer(
    session: Session,
    document: OpenDocument,
    offset: int,
    work: Callable[..., Answer],
    *,
    automatic: bool,
) -> Answer | None:
    after = 0.0
    if automatic and session.settings.debounce > 0:
        completer = session.completer
        known = await session.worker.ask(document.uri, lambda _: counted(session, completer.recall(document, offset)))
        if known is None or known.texts:
            return known
        after = session.settings.debounce

    def complete(token: CancelToken) -> Answer:
        project = around(session, document, offset)
        return counted(session, work(document, offset, token, project=project))

    return await session.worker.ask(document.uri, complete, after=after)


def _note(session: Session, asked: Asked) -> None:
    """Remember the last request of a document and its answer; an older request may be cancelled after it."""
    uri = asked.document.uri
    last = session.asked.get(uri)
    if session.documents.snapshot(uri) is not None and (last is None or _replaces(last, asked)):
        session.asked[uri] = asked


def _replaces(last: Asked, asked: Asked) -> bool:
    """Return whether a request takes the place of the one that is remembered: the newer one does.

    An editor may ask by itself while its user asks by hand at the same place. Where that is never answered with a text
    it does not count, or the user's next request would be taken for a first one.
    """
    if last.document is asked.document and last.offset == asked.offset:
        untried = [each.answer.reason == MANUAL for each in (last, asked)]
        if untried[0] != untried[1]:
            return untried[0]
    return last.begun <= asked.begun


def counted(session: Session, answer: Answer) -> Answer:
    """Count the cost of an answer. It runs on the worker's thread, so answers of cancelled requests count too."""
    if answer.work is not None:
        session.meter.decode(answer.work)
    elif answer.texts:
        session.meter.recall()
    return answer


def _outcome(answer: Answer) -> Outcome:
    if answer is _STALE:
        return "stale"
    if answer is _DEFECT:
        return "failed"
    return "offered" if answer.texts else "nothing"
