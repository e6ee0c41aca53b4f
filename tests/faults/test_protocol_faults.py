"""Messages that no client should send: what asks is answered once, nothing ends the session, and the text is safe."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest
from lsprotocol import types
from tests.faults.odd_messages import (
    CANCELLED,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    NOT_INITIALIZED,
    PARSE_ERROR,
    PATIENCE,
    assert_serves,
)
from tests.lsp.client import URI, Client, items, replacing, session
from tests.lsp.scripted_completer import ScriptedCompleter

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


MANY = 10_000
"""Requests."""


class Stream:
    """Takes what a server sends, as bytes."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []

    def close(self) -> None:
        """Take the end of the connection; there is nothing to end."""

    def write(self, data: bytes) -> None:
        """Take a message."""
        self.sent.append(json.loads(data.partition(b"\r\n\r\n")[2]))


@pytest.fixture(name="client")
async def _client() -> AsyncIterator[Client]:
    client = session(ScriptedCompleter())
    await client.begin()
    client.open("x = ")
    yield client
    assert await asyncio.to_thread(client.server.session.end_work, PATIENCE)


def answers(client: Client, *bodies: bytes) -> list[dict[str, Any]]:
    """Hand a server some messages as they are and return what it answers at once."""
    stream = Stream()
    client.server.protocol.set_writer(stream)
    try:
        for body in bodies:
            client.server.protocol.receive(body)
    finally:
        client.server.protocol.set_writer(client)
    return stream.sent


def written(**message: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **message}).encode()


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", PARSE_ERROR),
        (b"{", PARSE_ERROR),
        (b"\xff\xfe{}", PARSE_ERROR),
        ('{"jsonrpc": "2.0"}'.encode("utf-16"), PARSE_ERROR),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "\xed\xa0\x80"}', PARSE_ERROR),
        (b'{"jsonrpc": "2.0", "id": NaN, "method": "x"}', PARSE_ERROR),
        (b"[" * 100_000, PARSE_ERROR),
        (b'{"jsonrpc": "2.0", "id": ' + b"9" * 5000 + b', "method": "x"}', PARSE_ERROR),
        (b"null", INVALID_REQUEST),
        (b"{}", INVALID_REQUEST),
        (b"[]", INVALID_REQUEST),
        (b"[" + written(id=1, method="shutdown") + b"]", INVALID_REQUEST),
        (b'{"jsonrpc": "1.0", "id": 1, "method": "shutdown"}', INVALID_REQUEST),
        (written(id={}, method="shutdown"), INVALID_REQUEST),
        (written(id=[1], method="shutdown"), INVALID_REQUEST),
        (written(id=True, method="shutdown"), INVALID_REQUEST),
        (written(id=1.5, method="shutdown"), INVALID_REQUEST),
    ],
    ids=lambda value: value[:60] if isinstance(value, bytes) else "",
)
async def test_what_is_no_message_is_answered_with_an_error(client: Client, body: bytes, code: int) -> None:
    """JSON that is none, text that is not UTF-8, batches and ids of no such kind: one error without an id."""
    [answer] = answers(client, body)

    assert (answer["id"], answer["error"]["code"]) == (None, code)
    assert answer["error"]["message"].endswith(".")
    await assert_serves(client)


async def test_a_method_that_is_no_text_is_refused(client: Client) -> None:
    """The error comes under the id of the request."""
    [answer] = answers(client, written(id=7, method=3))

    assert (answer["id"], answer["error"]["code"]) == (7, INVALID_REQUEST)
    await assert_serves(client)


async def test_an_unknown_method_is_answered_and_an_unknown_notification_is_not(client: Client) -> None:
    """As the protocol says."""
    [answer] = answers(client, written(id=7, method="textDocument/dance"), written(method="textDocument/danced"))

    assert (answer["id"], answer["error"]["code"]) == (7, METHOD_NOT_FOUND)
    await assert_serves(client)


@pytest.mark.parametrize(
    "body",
    [
        written(id=99, result=None),
        written(id="never asked", error={"code": 1, "message": "no"}),
        written(id=None, result=3),
        written(id=5, error="not an error"),
    ],
)
async def test_an_answer_to_nothing_is_passed_over(client: Client, body: bytes) -> None:
    """Nobody waits for it, so nothing comes of it; a request of the client's own under that id is not disturbed."""
    asked = client.complete(99, 0, 4)

    assert answers(client, body) == []
    assert len(items(await asyncio.wait_for(asked, PATIENCE))) == 1


async def test_before_initialize_nothing_is_done() -> None:
    """A request is answered with an error of its own, notifications are passed over, and then the session begins."""
    completer = ScriptedCompleter()
    client = session(completer)
    client.open("x = ")

    for number, method in enumerate(("textDocument/inlineCompletion", "workspace/executeCommand", "shutdown")):
        answer = await client.ask(number + 10, method, {})
        assert answer["error"]["code"] == NOT_INITIALIZED
    assert client.server.session.documents.all() == []
    assert completer.loads == []

    await client.begin()
    await assert_serves(client)
    assert await asyncio.to_thread(client.server.session.end_work, PATIENCE)


async def test_a_session_is_begun_once(client: Client) -> None:
    """A second `initialize` is refused and changes nothing."""
    params: dict[str, Any] = {"capabilities": {}, "processId": None, "rootUri": None}

    answer = await client.ask(50, "initialize", params)

    assert answer["error"]["code"] == INVALID_REQUEST
    assert client.server.session.documents.snapshot(URI) is not None
    await assert_serves(client)


async def test_an_initialize_that_cannot_be_read_leaves_the_session_to_be_begun() -> None:
    """The error is answered, and a proper one begins the session."""
    client = session(ScriptedCompleter())

    answer = await client.ask(50, "initialize", {"capabilities": 3})
    assert answer["error"]["code"] == INVALID_PARAMS

    await client.begin()
    await assert_serves(client)
    assert await asyncio.to_thread(client.server.session.end_work, PATIENCE)


async def test_after_shutdown_nothing_is_done_but_to_exit(client: Client) -> None:
    """A request is refused, a notification passed over, and `exit` ends the session."""
    left: list[bool] = []
    client.server.session.left = lambda: left.append(True)
    assert (await client.ask(50, "shutdown", None))["result"] is None

    answer = await client.ask(51, "textDocument/inlineCompletion", {})
    client.change(2, {"text": "y"})
    assert left == []
    client.notify("exit", None)

    assert answer["error"]["code"] == INVALID_REQUEST
    document = client.server.session.documents.snapshot(URI)
    assert document is not None
    assert document.text == "x = "
    assert left == [True]


async def test_what_is_asked_before_shutdown_is_answered(client: Client) -> None:
    """A request that waits when the session ends is answered, as cancelled if need be."""
    completer = client.server.session.completer
    assert isinstance(completer, ScriptedCompleter)
    completer.held = True
    asked = client.complete(1, 0, 4)
    assert await asyncio.to_thread(completer.began.wait, PATIENCE)

    await client.ask(2, "shutdown", None)

    assert (await asyncio.wait_for(asked, PATIENCE))["error"]["code"] == CANCELLED


async def test_unknown_documents_are_answered_empty_and_stay_unknown(client: Client) -> None:
    """Changes and closings of a document that is not open do nothing, requests about it have no items."""
    other = {"uri": "file:///other.py"}
    changed = {"textDocument": {**other, "version": 1}, "contentChanges": [{"text": "z"}]}
    client.notify("textDocument/didChange", changed)
    client.notify("textDocument/didClose", {"textDocument": other})
    asked = {"textDocument": other, "position": {"line": 0, "character": 0}, "context": {"triggerKind": 2}}
    answer = await client.ask(5, types.TEXT_DOCUMENT_INLINE_COMPLETION, asked)

    assert items(answer) == []
    assert [document.uri for document in client.server.session.documents.all()] == [URI]
    await assert_serves(client)


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        ((0, 99), (0, 99), "x = !\ny = 2\n"),  # a column past the end of its line is that end
        ((7, 0), (9, 0), "x = \ny = 2\n!"),  # a line past the last is the end of the text
        ((1, 4), (0, 4), "x = !2\n"),  # a range from its end to its start is that range
        ((2**31 - 1, 2**31 - 1), (2**31 - 1, 2**31 - 1), "x = \ny = 2\n!"),
    ],
)
async def test_edits_out_of_range_are_where_the_protocol_says(
    client: Client, start: tuple[int, int], end: tuple[int, int], expected: str
) -> None:
    """An edit that the text has no place for is made at the nearest place."""
    client.open("x = \ny = 2\n")

    client.change(2, replacing(start, end, "!"))

    document = client.server.session.documents.snapshot(URI)
    assert document is not None
    assert document.text == expected


LOST = {
    "a change with a range of no form": lambda client: client.change(2, {"range": {"start": 3}, "text": "!"}),
    "a change at a place below zero": lambda client: client.change(2, replacing((-1, 0), (0, 0), "!")),
    "a change without a text": lambda client: client.change(2, {"range": replacing((0, 0), (0, 0), "")["range"]}),
    "a change older than the text": lambda client: client.change(0, replacing((0, 0), (0, 0), "!")),
    "a message of which nothing is known": lambda client: answers(client, b'{"jsonrpc": "2.0", "method": "textDoc'),
    "a stream that lost its order": lambda client: client.server.protocol.lose("a header does not end"),
}  # fmt: skip


@pytest.mark.parametrize("how", LOST)
async def test_a_document_of_which_a_change_was_lost_is_not_completed(client: Client, how: str) -> None:
    """Its text is not the client's, so nothing would be sure to fit; sent anew, it is completed again."""
    client.server.session.documents.doubt("file:///other.py")
    assert len(items(await client.complete(1, 0, 4))) == 1

    LOST[how](client)

    assert items(await asyncio.wait_for(client.complete(2, 0, 4), PATIENCE)) == []
    why = await client.command(3, "why", URI)
    assert "a change of the document was lost" in why["message"]

    client.change(9, {"text": "x = "})
    assert len(items(await client.complete(4, 0, 4))) == 1
    LOST[how](client)
    client.open("x = ")
    assert len(items(await client.complete(5, 0, 4))) == 1


async def test_ten_thousand_requests_cancelled_at_once_are_answered_once(client: Client) -> None:
    """Every request has one answer, an error or no items, and the one after them is served."""
    asked = [client.complete(number, 0, 4) for number in range(MANY)]
    await asyncio.sleep(0)
    for number in range(MANY):
        client.notify("$/cancelRequest", {"id": number})

    found = await asyncio.wait_for(asyncio.gather(*asked), PATIENCE)

    for answer in found:
        assert answer.get("error", {}).get("code") == CANCELLED or items(answer) == []
    await assert_serves(client, MANY)
    assert client.server.session.in_work == 0


async def test_ten_thousand_requests_cancelled_before_they_begin_are_answered_once(client: Client) -> None:
    """Also where request and cancellation come in one go."""
    asked = []
    for number in range(MANY):
        asked.append(client.complete(number, 0, 4))
        client.notify("$/cancelRequest", {"id": number})

    found = await asyncio.wait_for(asyncio.gather(*asked), PATIENCE)

    assert {answer["error"]["code"] for answer in found} == {CANCELLED}
    await assert_serves(client, MANY)
    assert client.server.session.in_work == 0
