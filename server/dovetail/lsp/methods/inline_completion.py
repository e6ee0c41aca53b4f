"""`textDocument/inlineCompletion`: the completions at the cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from dovetail.lsp.acceptance import acceptance
from dovetail.lsp.asking import ask
from dovetail.lsp.by_hand import first, others_at, wants_first, write_others

if TYPE_CHECKING:
    from dovetail.completer.answer import Answer
    from dovetail.lsp.documents import OpenDocument
    from dovetail.lsp.session import Session


async def inline_completion(session: Session, params: types.InlineCompletionParams) -> types.InlineCompletionList:
    """Answer with the completion at a position, or with several if the user asked by hand, or with no items.

    By hand the first comes alone where the client asks again for the others.

    There are no items if nothing fits, if a newer request of the document came, or if the document changed since. If a
    list of other completions is open, the text continues the selected one.
    """
    # pygls starts this coroutine before it reads the next message, so the position and this snapshot belong together,
    # even if changes arrive while the model works.
    opened = document = session.documents.snapshot(params.text_document.uri)
    if opened is None or document is None:
        return types.InlineCompletionList(items=[])
    encoding = session.documents.encoding
    lines = document.lines
    start = end = offset = lines.offset(params.position.line, params.position.character, encoding)
    chosen = ""
    selected = params.context.selected_completion_info
    if selected is not None:
        first, last = selected.range.start, selected.range.end
        start, end = sorted(lines.offset(at.line, at.character, encoding) for at in (first, last))
        chosen = selected.text
        changed = document.text[:start] + chosen + document.text[end:]
        document, offset = document.edited(changed, [(start, end, chosen)]), start + len(chosen)
    automatic = params.context.trigger_kind is not types.InlineCompletionTriggerKind.Invoked
    answer = await _asked(session, document, offset, chosen, automatic=automatic)
    replaced = types.Range(*(types.Position(*lines.position(at, encoding)) for at in (start, end)))
    items = [
        types.InlineCompletionItem(
            insert_text=chosen + text,
            range=replaced,
            command=acceptance(session, answer, chosen + text, opened, start, chosen),
        )
        for text in answer.items
    ]
    return types.InlineCompletionList(items=items)


async def _asked(session: Session, document: OpenDocument, offset: int, entry: str, *, automatic: bool) -> Answer:
    """Return the answer to a request; the first of several texts alone if that is enough for now (`by_hand.py`)."""
    completer = session.completer
    if automatic:
        return await ask(session, document, offset, completer.complete, kind="automatic", entry=entry)
    if entry or not wants_first(session, document, offset):
        running = others_at(session, document, offset)
        return await ask(session, document, offset, completer.candidates, kind="invoked", entry=entry, running=running)
    answer = await ask(session, document, offset, first(session), kind="invoked")
    if answer.texts:
        write_others(session, document, offset)
    return answer
