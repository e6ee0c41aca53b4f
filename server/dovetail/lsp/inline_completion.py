"""`textDocument/inlineCompletion`: what fits at the cursor."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from dovetail.lsp.server import Server


async def inline_completion(
    server: Server, params: types.InlineCompletionParams
) -> types.InlineCompletionList:
    """Answer with the completion at a position, with several where the user asked for them, or with no items.

    There are none where nothing fits, where a newer request of the document came, or where the document
    changed since.
    """
    # pygls starts this coroutine before it reads the next message, so the position and this text belong
    # together, whatever changes arrive while the model works.
    document = server.documents.snapshot(params.text_document.uri)
    completer = server.completer
    if document is None or completer is None:
        return types.InlineCompletionList(items=[])
    encoding = server.documents.encoding
    offset = document.lines.offset(params.position.line, params.position.character, encoding)
    texts: list[str] | None
    if params.context.trigger_kind is types.InlineCompletionTriggerKind.Invoked:
        texts = await server.worker.ask(document.uri, partial(completer.candidates, document, offset))
    else:
        text = await server.worker.ask(document.uri, partial(completer.complete, document, offset))
        texts = [text] if text else []
    if server.documents.snapshot(document.uri) is not document:
        texts = []
    place = types.Position(*document.lines.position(offset, encoding))
    inserted = types.Range(place, place)
    items = [types.InlineCompletionItem(insert_text=text, range=inserted) for text in texts or ()]
    return types.InlineCompletionList(items=items)
