"""Whole sessions: the server in a process of its own, with the embedded model, driven by a real client."""

from __future__ import annotations

import ast
import asyncio
import json
import sys
from collections.abc import AsyncIterator  # noqa: TC003 - pytest-lsp reads the annotations of fixtures

import pytest
import pytest_lsp
from lsprotocol import types
from pygls.exceptions import JsonRpcRequestCancelled
from pytest_lsp import ClientServerConfig, LanguageClient
from tests.lsp import reference

pytestmark = pytest.mark.asyncio(loop_scope="module")  # one server serves all of these tests

LEFT = '''\
"""Prices of a shop."""


def total(prices, rate):
    """Return the sum of some prices with the tax."""
    subtotal = sum('''
RIGHT = """
    return subtotal * (1 + rate)


print(total([1.5, 2.5], 0.2))
"""


@pytest_lsp.fixture(config=ClientServerConfig([sys.executable, "-m", "dovetail", "serve"]), scope="module")
async def client(lsp_client: LanguageClient) -> AsyncIterator[None]:
    capabilities = types.ClientCapabilities(
        text_document=types.TextDocumentClientCapabilities(
            inline_completion=types.InlineCompletionClientCapabilities()
        ),
        window=types.WindowClientCapabilities(work_done_progress=True),
    )
    options = {"max_tokens": 16, "python": {"target_version": f"3.{sys.version_info.minor}"}}
    answer = await lsp_client.initialize_session(
        types.InitializeParams(capabilities=capabilities, initialization_options=options)
    )
    assert answer.capabilities.inline_completion_provider is not None
    yield
    await lsp_client.shutdown_session()
    assert lsp_client._server is not None
    assert lsp_client._server.returncode == 0


class Document:
    """The client's copy of one document, which tells the server of every change."""

    def __init__(self, client: LanguageClient, text: str, *, name: str, language: str = "python") -> None:
        self._client = client
        self._version = 1
        self.uri = f"file:///{name}"
        self.text = text
        client.text_document_did_open(
            types.DidOpenTextDocumentParams(types.TextDocumentItem(self.uri, language, 1, text))
        )

    def position(self, offset: int) -> types.Position:
        """Return the position of an offset in characters."""
        return types.Position(*reference.position(self.text, offset, "utf-16"))

    def replace(self, start: int, end: int, text: str) -> None:
        """Replace some characters and send the change."""
        self._version += 1
        span = types.Range(self.position(start), self.position(end))
        self.text = self.text[:start] + text + self.text[end:]
        self._client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(self._version, self.uri),
                [types.TextDocumentContentChangePartial(span, text)],
            )
        )

    def ask(self, offset: int, number: str | None = None) -> asyncio.Future[types.InlineCompletionList]:
        """Send a request, now, and return what waits for its answer."""
        params = types.InlineCompletionParams(
            context=types.InlineCompletionContext(types.InlineCompletionTriggerKind.Automatic),
            text_document=types.TextDocumentIdentifier(self.uri),
            position=self.position(offset),
        )
        method = types.TEXT_DOCUMENT_INLINE_COMPLETION
        return asyncio.wrap_future(self._client.protocol.send_request(method, params, msg_id=number))

    def with_item(self, offset: int, item: types.InlineCompletionItem) -> str:
        """Return the text with an item inserted, which is for the place at an offset."""
        assert item.range == types.Range(self.position(offset), self.position(offset))
        assert isinstance(item.insert_text, str)
        return self.text[:offset] + item.insert_text + self.text[offset:]


async def test_the_loading_of_the_model_is_shown(client: LanguageClient) -> None:
    """The client sees one progress, which has ended when the first completion is there."""
    document = Document(client, LEFT + RIGHT, name="progress.py")

    await document.ask(len(LEFT))

    [reports] = client.progress_reports.values()
    assert [report.kind for report in reports] == ["begin", "end"]


async def test_a_completion_makes_the_document_a_program(client: LanguageClient) -> None:
    """After edits behind odd line ends, the item that is inserted where it says makes text that parses."""
    document = Document(client, LEFT + "oops" + RIGHT, name="edited.py")
    document.replace(0, 0, "#\f😀\u2028\x85\nMARK = '😀\u2028\u2029'; RATES = []\n")
    document.replace(document.text.index("[]"), document.text.index("[]") + 2, "[0.1]")
    gap = document.text.index("oops")
    document.replace(gap, gap + 4, "")

    [item] = (await document.ask(gap)).items

    ast.parse(document.with_item(gap, item))


async def test_a_cancelled_request_is_answered_as_such(client: LanguageClient) -> None:
    """Cancelling ends a request with the error of a cancelled one, and the next is served."""
    document = Document(client, LEFT + RIGHT, name="cancelled.py")
    cancelled = document.ask(len(LEFT), "the request to cancel")

    client.cancel_request(types.CancelParams(id="the request to cancel"))

    with pytest.raises(JsonRpcRequestCancelled):
        await cancelled
    assert (await document.ask(len(LEFT))).items


async def test_of_two_requests_the_older_is_answered_empty(client: LanguageClient) -> None:
    """Two requests of one document in a row: only the newer one has an item."""
    document = Document(client, LEFT + RIGHT, name="twice.py")

    older, newer = document.ask(len(LEFT)), document.ask(len(LEFT))

    assert not (await older).items
    assert (await newer).items


async def test_a_change_during_a_request_makes_its_answer_empty(client: LanguageClient) -> None:
    """A request whose text changes before its answer has no item; the next speaks of the new text."""
    document = Document(client, LEFT + RIGHT, name="changed.py")
    stale = document.ask(len(LEFT))

    document.replace(len(LEFT), len(LEFT), "prices")

    assert not (await stale).items
    gap = len(LEFT) + len("prices")
    [item] = (await document.ask(gap)).items
    ast.parse(document.with_item(gap, item))


async def test_the_language_is_what_the_client_calls_it(client: LanguageClient) -> None:
    """A file without an extension is completed in the language that the client names."""
    document = Document(client, "[1, 2", name="numbers", language="json")

    [item] = (await document.ask(5)).items

    json.loads(document.with_item(5, item))


async def test_an_unknown_language_is_answered_empty(client: LanguageClient) -> None:
    """Where neither the client nor the file name names a known language, nothing is offered."""
    document = Document(client, "program p\n", name="p.f90", language="fortran")

    assert not (await document.ask(10)).items


async def test_nothing_was_shown_to_the_user(client: LanguageClient) -> None:
    """A session without mistakes, such as all of the above, shows no message."""
    assert client.messages == []
