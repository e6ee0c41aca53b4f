"""`textDocument/completion`: the same for editors that know no inline completion, where the user wants it."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from lsprotocol import types

from dovetail.lsp.accepting import acceptance
from dovetail.lsp.asking import ask

if TYPE_CHECKING:
    from dovetail.lsp.server import Server

_WORD = re.compile(r"\w*\Z")
"""What an editor takes for the beginning of an item: it filters by what the user typed of a word."""

_LONGEST = 60
"""Characters of a label."""


async def completion(server: Server, params: types.CompletionParams) -> types.CompletionList:
    """Answer with one item at most, soon; the list is never whole, so that the editor asks again at every key."""
    items: list[types.CompletionItem] = []
    document = server.documents.snapshot(params.text_document.uri)
    if document is not None:
        encoding = server.documents.encoding
        offset = document.lines.offset(params.position.line, params.position.character, encoding)
        work = partial(server.completer.complete, seconds=server.settings.completion_time_limit)
        answer = await ask(server, document, offset, work, kind="item")
        word = _WORD.search(document.text, max(offset - 1000, 0), offset)
        assert word is not None, "the pattern matches the empty word"
        start, end = (types.Position(*document.lines.position(at, encoding)) for at in word.span())
        items = [
            _item(
                word[0] + text,
                types.Range(start, end),
                acceptance(server, word[0] + text, word[0], unchecked=answer.unchecked),
                "Dovetail, unchecked" if answer.unchecked else "Dovetail",
            )
            for text in answer.texts
        ]
    return types.CompletionList(is_incomplete=True, items=items)


def _item(text: str, replaced: types.Range, command: types.Command, detail: str) -> types.CompletionItem:
    first, _, more = text.strip().partition("\n")
    label = first if len(first) <= _LONGEST and not more else f"{first[:_LONGEST]}…"
    return types.CompletionItem(
        label=label,
        kind=types.CompletionItemKind.Text,
        detail=detail,
        documentation=text,
        filter_text=text,
        text_edit=types.TextEdit(replaced, text),
        insert_text_mode=types.InsertTextMode.AsIs,
        command=command,
    )
