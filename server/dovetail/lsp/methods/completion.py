"""`textDocument/completion`: completions as items, for editors without inline completions, if switched on."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from lsprotocol import types

from dovetail.grammar.library import languages
from dovetail.lsp.acceptance import acceptance
from dovetail.lsp.asking import ask

if TYPE_CHECKING:
    from dovetail.lsp.session import Session

_WORD = re.compile(r"\w*\Z")
"""The beginning of a word before the cursor; editors filter items by it."""

_TRIGGERS = ("(", "[", "{", ",", "=", ".")
"""Characters after which an editor asks for items; all editors also ask after characters of names."""

_LONGEST = 60
"""Characters of the longest label."""


def answer_items(session: Session) -> None:
    """Answer requests for items from now on.

    Called only if the user turns items on, because an editor shows no items of any server before the last one answers.
    """
    options = types.CompletionOptions(trigger_characters=_TRIGGERS)
    session.client.feature(types.TEXT_DOCUMENT_COMPLETION, options)(partial(completion, session))


async def offer_items(session: Session) -> None:
    """Register items with the client, if the user wants them, they are not registered, and the client allows it."""
    method = types.TEXT_DOCUMENT_COMPLETION
    client = session.client.client_capabilities.text_document
    known = client.completion if client is not None else None
    if (
        not session.settings.completion_items
        or method in session.client.protocol.fm.features
        or known is None
        or not known.dynamic_registration
    ):
        return
    answer_items(session)
    selector = [
        types.TextDocumentFilterLanguage(language) for facts in languages().values() for language in facts.identifiers
    ]
    options = types.CompletionRegistrationOptions(selector, trigger_characters=_TRIGGERS)
    registration = types.Registration(method, method, options)
    await session.client.client_register_capability_async(types.RegistrationParams([registration]))


async def completion(session: Session, params: types.CompletionParams) -> types.CompletionList:
    """Answer with one item at most; the list is marked incomplete, so that the editor asks again at every key."""
    items: list[types.CompletionItem] = []
    document = session.documents.snapshot(params.text_document.uri)
    if document is not None and session.settings.completion_items:
        encoding = session.documents.encoding
        offset = document.lines.offset(params.position.line, params.position.character, encoding)
        work = partial(session.completer.complete, item=True)
        answer = await ask(session, document, offset, work, kind="item")
        word = _WORD.search(document.text, max(offset - 1000, 0), offset)
        assert word is not None, "the pattern matches the empty word"
        start, end = (types.Position(*document.lines.position(at, encoding)) for at in word.span())
        items = [
            _item(
                word[0] + text,
                types.Range(start, end),
                acceptance(session, answer, word[0] + text, document, word.start(), word[0]),
                "Dovetail, unchecked" if answer.unchecked else "Dovetail",
            )
            for text in answer.items
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
