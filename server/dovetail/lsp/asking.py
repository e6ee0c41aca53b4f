"""How a completion is asked for, whatever for: one answer, never an error, and what became of it is remembered."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dovetail.lsp.answer import Answer, nothing
from dovetail.lsp.obstacle import obstacle
from dovetail.lsp.reading import read_on

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail.lsp.documents import Snapshot
    from dovetail.lsp.server import Server
    from dovetail.lsp.worker import CancelToken

logger = logging.getLogger(__name__)

_STALE = nothing("the document changed, or was asked about again")
_DEFECT = nothing("there is a defect in Dovetail; its log says more")


@dataclass(frozen=True, slots=True)
class Asked:
    """What was answered last in a document."""

    document: Snapshot
    offset: int
    """In characters."""
    answer: Answer


async def ask(
    server: Server,
    document: Snapshot,
    offset: int,
    work: Callable[[Snapshot, int, CancelToken], Answer],
    *,
    automatic: bool,
) -> Answer:
    """Return the answer of some work on a document at an offset.

    One that nobody asked for by hand waits until no key was pressed for a while, unless it is at hand. There are no
    texts where a newer request of the document came, and where it changed meanwhile. `document` is an open one as it
    is now, or that with a little changed.
    """
    before = server.documents.snapshot(document.uri)
    hindrance = obstacle(document, server.settings, server.switches)
    if hindrance is not None:
        answer: Answer | None = nothing(hindrance)
    else:
        server.in_work += 1
        server.tell_status()
        try:
            answer = await _answer(server, document, offset, work, automatic=automatic)
        except Exception:
            logger.exception("A completion failed.")
            answer = _DEFECT
        finally:
            server.in_work -= 1
            server.tell_status()
    if answer is None or server.documents.snapshot(document.uri) is not before:
        return _STALE
    server.asked[document.uri] = Asked(document, offset, answer)
    if hindrance is None and before is document:
        server.reading = asyncio.create_task(read_on(server, document, offset))
    return answer


async def _answer(
    server: Server,
    document: Snapshot,
    offset: int,
    work: Callable[[Snapshot, int, CancelToken], Answer],
    *,
    automatic: bool,
) -> Answer | None:
    after = 0.0
    if automatic and server.settings.debounce > 0:
        completer = server.completer
        known = await server.worker.ask(document.uri, lambda _: completer.recall(document, offset))
        if known is None or known.texts:
            return known
        after = server.settings.debounce
    return await server.worker.ask(document.uri, lambda token: work(document, offset, token), after=after)
