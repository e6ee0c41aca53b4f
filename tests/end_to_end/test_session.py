"""Whole sessions: the server in a process of its own, with the embedded model, driven by a real client."""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import AsyncIterator  # noqa: TC003 - pytest-lsp reads the annotations of fixtures
from typing import Any

import pytest
import pytest_lsp
from lsprotocol import types
from pygls.exceptions import JsonRpcRequestCancelled
from pytest_lsp import ClientServerConfig, LanguageClient
from tests.end_to_end.document import Document

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
    options = {"max_tokens": 16, "time_limit": 60, "trigger": "eager"}
    options |= {"python": {"target_version": f"3.{sys.version_info.minor}"}}
    answer = await lsp_client.initialize_session(
        types.InitializeParams(capabilities=capabilities, initialization_options=options)
    )
    assert answer.capabilities.inline_completion_provider is not None
    yield
    await lsp_client.shutdown_session()
    assert lsp_client._server is not None
    assert lsp_client._server.returncode == 0


async def test_the_loading_of_the_model_is_shown(client: LanguageClient) -> None:
    """The client sees a progress, which has ended when the first completion is there.

    So has that of the tables of the language, which is shown only where they take long.
    """
    document = Document(client, LEFT + RIGHT, name="progress.py")

    await document.ask(len(LEFT))

    reports: list[list[Any]] = list(client.progress_reports.values())
    loading, *others = reports
    assert loading[0].message == "loading the model"
    assert [[report.kind for report in steps] for steps in (loading, *others)] == [["begin", "end"]] * (1 + len(others))
    assert len(others) <= 1


async def test_a_completion_makes_the_document_a_program(client: LanguageClient) -> None:
    """After edits that follow odd line ends, the item that is inserted where it says makes text that parses."""
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
    left = LEFT.replace("a shop", "two shops")  # a remembered answer could come before the newer request
    document = Document(client, left + RIGHT, name="twice.py")

    older, newer = document.ask(len(left)), document.ask(len(left))

    assert not (await older).items
    assert (await newer).items


async def test_a_change_during_a_request_makes_its_answer_empty(client: LanguageClient) -> None:
    """A request whose text changes before its answer has no item; the next speaks of the new text."""
    left = LEFT.replace("a shop", "some shops")  # and before the change
    document = Document(client, left + RIGHT, name="changed.py")
    stale = document.ask(len(left))

    document.replace(len(left), len(left), "prices")

    assert not (await stale).items
    gap = len(left) + len("prices")
    [item] = (await document.ask(gap)).items
    ast.parse(document.with_item(gap, item))


async def test_the_language_is_what_the_client_calls_it(client: LanguageClient) -> None:
    """A file without an extension is completed in the language that the client names."""
    document = Document(client, "[1, 2", name="numbers", language="json")

    [item] = (await document.ask(5)).items

    json.loads(document.with_item(5, item))


async def test_an_unknown_language_is_answered_empty(client: LanguageClient) -> None:
    """Nothing is offered if neither the client nor the file name names a known language."""
    document = Document(client, "program p\n", name="p.f90", language="fortran")

    assert not (await document.ask(10)).items


async def test_nothing_was_shown_to_the_user(client: LanguageClient) -> None:
    """A session without mistakes, such as all of the above, shows no message."""
    assert client.messages == []
