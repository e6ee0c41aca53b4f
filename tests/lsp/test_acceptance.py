"""The reports of an editor about the items that it got, and the counts of requests."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from lsprotocol import types
from tests.lsp.client import URI, Client, items, session
from tests.lsp.counting_meter import CountingMeter
from tests.lsp.scripted_completer import WORK
from tests.lsp.test_server import happens

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.lsp.scripted_completer import ScriptedCompleter

SHOWN = "textDocument/didShowCompletion"
IN_PART = "textDocument/didPartiallyAcceptCompletion"


@pytest.fixture(name="meter")
def _meter() -> CountingMeter:
    return CountingMeter()


@pytest.fixture(name="metered")
async def _metered(completer: ScriptedCompleter, meter: CountingMeter) -> AsyncIterator[Client]:
    client = session(completer, meter=meter)
    await client.begin()
    client.open("x = ")
    yield client
    completer.held = False
    assert await asyncio.to_thread(client.server.session.end_work, 10)


async def settled(client: Client) -> None:
    """Have the server read all that was sent before."""
    await client.command(99, "status")


async def test_what_becomes_of_an_item_is_counted(metered: Client, meter: CountingMeter) -> None:
    """It is shown, its first two characters are taken, then the rest by its command, which answers nothing."""
    [item] = items(await metered.complete(1, 0, 4))

    metered.notify(SHOWN, {"item": item})
    metered.notify(IN_PART, {"item": {"command": item["command"]}, "acceptedLength": 2})
    answer = await metered.accept(2, item)

    assert answer["result"] is None
    assert (meter.shown, meter.accepted) == (1, [("part", 2), ("all", 2)])


async def test_an_item_that_is_done_with_is_passed_over(metered: Client, meter: CountingMeter) -> None:
    """Accepted once more, or by a name that nobody gave, an item counts nothing and disturbs nothing."""
    [item] = items(await metered.complete(1, 0, 4))
    await metered.accept(2, item)
    await metered.accept(3, item)

    answer = await metered.accept(4, {"command": {**item["command"], "arguments": ["nothing"]}})

    assert answer["result"] is None
    assert meter.accepted == [("all", 4)]


async def test_each_candidate_is_accepted_by_itself(metered: Client, meter: CountingMeter) -> None:
    """Of several items the one is counted that was taken."""
    found = items(await metered.complete(1, 0, 4, types.InlineCompletionTriggerKind.Invoked))

    await metered.accept(2, found[1])

    assert meter.accepted == [("all", len("pass "))]


async def test_of_an_item_of_the_other_kind_what_it_adds_is_counted(
    completer: ScriptedCompleter, meter: CountingMeter
) -> None:
    """An item of `textDocument/completion` has the command too; the word that it repeats is nothing new."""
    client = session(completer, meter=meter)
    await client.begin(options={"completion_items": True})
    client.open("so")
    place = {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 2}}

    [item] = (await client.ask(1, types.TEXT_DOCUMENT_COMPLETION, place))["result"]["items"]
    await client.accept(2, item)

    assert meter.accepted == [("all", len("pass"))]
    assert meter.ended == [("item", "offered")]
    assert await asyncio.to_thread(client.server.session.end_work, 10)


async def test_why_tells_of_the_text_that_was_accepted_last(metered: Client, completer: ScriptedCompleter) -> None:
    """It gives that text's reason, with what came of the request right behind it, until another place is asked for."""
    [item] = items(await metered.complete(1, 0, 4))
    await metered.accept(2, item)
    at_once = await metered.command(3, "why", URI)
    metered.change(2, {"text": "x = pass"})
    await metered.complete(4, 0, 8)
    offered_behind = await metered.command(5, "why", URI)
    completer.text = None
    await metered.complete(6, 0, 8)
    nothing_behind = await metered.command(7, "why", URI)
    await metered.complete(8, 0, 3)
    elsewhere = await metered.command(9, "why", URI)

    sentence = "The last completion was accepted; it ended because it is the text."
    assert (at_once["message"], at_once["reason"]) == (sentence, "it is the text")
    assert offered_behind["message"].startswith(f"{sentence} Behind it another was offered; it ended because ")
    assert nothing_behind["message"].startswith(f"{sentence} Behind it nothing was offered: nothing fits.")
    assert elsewhere["message"].startswith("Nothing was offered: nothing fits.")


@pytest.mark.parametrize("method", [SHOWN, IN_PART])
@pytest.mark.parametrize(
    "params",
    [
        None,
        [],
        {},
        {"item": None},
        {"item": {"command": "x"}, "acceptedLength": 1},
        {"item": {"command": {"arguments": []}}, "acceptedLength": 1},
        {"item": {"command": {"arguments": [1]}}, "acceptedLength": 1},
    ],
)
async def test_a_notification_of_another_form_is_only_logged(
    metered: Client, meter: CountingMeter, caplog: pytest.LogCaptureFixture, method: str, params: object
) -> None:
    """It counts nothing, and the next request is answered."""
    metered.notify(method, params)

    assert len(items(await metered.complete(1, 0, 4))) == 1
    assert "was ignored: its parameters are not of the form" in caplog.text
    assert (meter.shown, meter.accepted) == (0, [])
    caplog.clear()


@pytest.mark.parametrize("length", [None, -1, 1.5, "2", True])
async def test_a_length_that_is_none_is_only_logged(
    metered: Client, meter: CountingMeter, caplog: pytest.LogCaptureFixture, length: object
) -> None:
    """A part is a whole number of code units."""
    [item] = items(await metered.complete(1, 0, 4))

    metered.notify(IN_PART, {"item": item, "acceptedLength": length})
    await settled(metered)

    assert "was ignored: its parameters are not of the form" in caplog.text
    assert meter.accepted == []
    caplog.clear()


async def test_what_becomes_of_a_request_is_counted(
    metered: Client, completer: ScriptedCompleter, meter: CountingMeter
) -> None:
    """Offered, nothing, remembered, a defect, stale, cancelled: each request counts once."""
    await metered.complete(1, 0, 4)
    completer.text = None
    await metered.complete(2, 0, 4, types.InlineCompletionTriggerKind.Invoked)
    completer.remembered = "known"
    await metered.complete(3, 0, 4)
    completer.remembered = None
    completer.failing = True
    await metered.complete(4, 0, 4)
    completer.failing = False
    completer.held = True
    completer.began.clear()
    stale = metered.complete(5, 0, 4)
    assert await happens(completer.began)
    metered.change(2, {"text": "y = "})
    await stale
    completer.began.clear()
    cancelled = metered.complete(6, 0, 4)
    assert await happens(completer.began)
    metered.notify("$/cancelRequest", {"id": 6})
    await cancelled
    await settled(metered)

    assert meter.begun == 6
    assert meter.ended == [
        ("automatic", "offered"),
        ("invoked", "nothing"),
        ("automatic", "offered"),
        ("automatic", "failed"),
        ("automatic", "stale"),
        ("automatic", "cancelled"),
    ]
    assert meter.recalled == 1


async def test_what_an_answer_took_is_counted_though_nobody_waits(
    metered: Client, completer: ScriptedCompleter, meter: CountingMeter
) -> None:
    """The tokens of a completion that was superseded were spent all the same."""
    completer.held = True
    stale = metered.complete(1, 0, 4)
    assert await happens(completer.began)
    metered.change(2, {"text": "y = "})
    await stale
    completer.held = False

    await metered.complete(2, 0, 4)

    assert meter.work == [WORK, WORK]
