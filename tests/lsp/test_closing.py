"""A document that is closed: what was kept of it goes, in the server and in the process that holds the model."""

from __future__ import annotations

import asyncio
import sys
import weakref
from typing import TYPE_CHECKING

from tests.decoding.scripted_proposer import ScriptedProposer, writes
from tests.lsp.client import URI, Client, items

from dovetail.completer.cancel_token import CancelToken
from dovetail.completer.document_cache import DocumentCache
from dovetail.completer.local import LocalCompleter
from dovetail.completer.remote import RemoteCompleter
from dovetail.completer.snapshot import Snapshot
from dovetail.lsp.server import Server
from dovetail.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

    import pytest
    from tests.lsp.scripted_completer import ScriptedCompleter

TEXT = '{"a": [1, '
DOCUMENT = Snapshot("file:///data.json", "json", 1, TEXT + "}")


def close(client: Client) -> None:
    client.notify("textDocument/didClose", {"textDocument": {"uri": URI}})


async def forgotten(client: Client) -> None:
    """Wait until what was closed is let go of."""
    await asyncio.gather(*client.server.session.forgetting)


async def test_the_completer_is_told(client: Client, completer: ScriptedCompleter) -> None:
    """A document that is closed is one that the completer need not keep."""
    await client.begin()
    client.open("x")
    await client.complete(1, 0, 1)
    assert completer.forgotten == []

    close(client)
    await forgotten(client)

    assert completer.forgotten == [URI]


async def test_it_is_let_go_of_behind_what_runs(client: Client, completer: ScriptedCompleter) -> None:
    """A completion that is cut off by the closing leaves nothing behind, and a new opening is no hindrance."""
    completer.held = True
    await client.begin()
    client.open("x")
    answer = client.complete(1, 0, 1)
    assert await asyncio.to_thread(completer.began.wait, 10)

    close(client)
    client.open("xy")
    completer.held = False
    again = client.complete(2, 0, 2)

    assert items(await answer) == []
    assert len(items(await again)) == 1
    assert completer.forgotten == [URI]


async def test_a_failure_to_let_go_is_logged(
    client: Client, completer: ScriptedCompleter, caplog: pytest.LogCaptureFixture
) -> None:
    """Nobody waits for it, so the log alone tells."""
    await client.begin()
    client.open("x")
    completer.failing = True

    close(client)
    await forgotten(client)

    assert "could not be forgotten" in caplog.text


def test_what_was_shown_and_read_goes() -> None:
    """Nothing is recalled of a document that was closed, and the model is told; others keep what they have."""
    proposer = ScriptedProposer(rank=writes(b"2", b".", b"5", b"]"))
    completions = LocalCompleter(lambda *_: proposer)
    assert completions.load(Settings(min_characters=1, time_limit=600.0)).complaint is None
    other = Snapshot("file:///other.json", "json", 1, DOCUMENT.text)
    for document in (DOCUMENT, other):
        assert completions.complete(document, len(TEXT), CancelToken()).texts == ("2.5]",)

    completions.forget(DOCUMENT.uri)

    assert completions.recall(DOCUMENT, len(TEXT)).texts == ()
    assert completions.recall(other, len(TEXT)).texts == ("2.5]",)
    assert proposer.forgotten == [DOCUMENT.uri]


def test_a_completer_without_a_model_forgets_too() -> None:
    """A document may be closed before there is a model."""
    LocalCompleter(lambda *_: ScriptedProposer()).forget(DOCUMENT.uri)


def test_the_work_of_the_engine_goes() -> None:
    """Text that was read of a document in any language is no longer held, and what was learnt from it is let go of."""
    told: list[bool] = []
    engine = DocumentCache(lambda: told.append(True))
    kept = [engine.document(DOCUMENT, 0), engine.document(Snapshot(DOCUMENT.uri, "python", 1, "x"), 0)]
    references = [weakref.ref(document) for document in kept]
    kept.clear()

    engine.forget(DOCUMENT.uri)
    engine.forget(DOCUMENT.uri)

    assert [reference() for reference in references] == [None, None]
    assert told == [True]


def sent(completer: RemoteCompleter) -> int:
    """Return how many documents the process has."""
    assert completer._link is not None
    return len(completer._link.sent)


async def test_a_document_that_was_closed_is_sent_anew(tmp_path: Path) -> None:
    """The process that holds the model knows nothing of the text before, and completes the one that is opened."""
    completer = RemoteCompleter([sys.executable, "-m", "tests.faults.scripted_host", str(tmp_path)])
    client = Client(Server(completer, {}))
    await client.begin(options={"model": "well", "debounce": 0, "min_characters": 1})
    await client.loaded()
    texts, kept = [], []
    for number, text in enumerate((TEXT, '{"b": 3, "a": [1, [7], ')):
        client.open(text + "}", "json")
        texts += [item["insertText"] for item in items(await client.complete(number, 0, len(text)))]
        kept.append(sent(completer))
        close(client)
        await forgotten(client)
        kept.append(sent(completer))

    completer.abandon()
    assert await asyncio.to_thread(client.server.session.end_work, 60)
    assert texts == ["2.5]", "2.5]"]
    assert kept == [1, 0, 1, 0]


async def test_a_shutdown_is_answered_while_requests_are_open(client: Client) -> None:
    """Each of the requests that are cut off by it gets an answer too."""
    await client.begin()
    client.open("x")
    uri = [URI]
    open_ones = [
        client.ask(number, "workspace/executeCommand", {"command": "dovetail.server.status", "arguments": uri})
        for number in (1, 2, 3)
    ]

    shutdown = await client.ask(4, "shutdown", None)

    assert shutdown.get("result", 0) is None
    assert [answer["id"] for answer in await asyncio.gather(*open_ones)] == [1, 2, 3]
