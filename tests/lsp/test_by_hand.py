"""Requests by hand of a client that asks again: the first text comes at once, all texts at the next request."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from lsprotocol import types
from tests.lsp.client import URI, Client, items, session
from tests.lsp.counting_meter import CountingMeter
from tests.lsp.test_server import happens

if TYPE_CHECKING:
    from tests.lsp.scripted_completer import ScriptedCompleter

import pytest

INVOKED = types.InlineCompletionTriggerKind.Invoked


@pytest.fixture(name="again")
async def _again(client: Client) -> Client:
    await client.begin(asks_again=True)
    client.open("x = ")
    return client


async def texts(answer: asyncio.Future[dict[str, object]]) -> list[str]:
    """Return the texts of an answer."""
    return [item["insertText"] for item in items(await answer)]


async def test_the_first_text_does_not_wait_for_the_others(again: Client, completer: ScriptedCompleter) -> None:
    """It is answered while the others are written; the next request by hand gets all of them, when they are ready."""
    completer.others.clear()

    first = await texts(again.complete(1, 0, 4, INVOKED))
    second = again.complete(2, 0, 4, INVOKED)
    await again.command(3, "status")
    waits = not second.done()
    completer.others.set()

    assert (first, waits, await texts(second)) == (["pass"], True, ["pass", "pass "])
    assert completer.firsts == [True, False]


async def test_all_texts_stay_known_until_the_document_changes(again: Client, completer: ScriptedCompleter) -> None:
    """However often the client asks again, nothing is written twice; after a change all begins anew."""
    found = [await texts(again.complete(number, 0, 4, INVOKED)) for number in (1, 2, 3)]
    again.change(2, {"text": "y = "})
    after = await texts(again.complete(4, 0, 4, INVOKED))

    assert [*found, after] == [["pass"], ["pass", "pass "], ["pass", "pass "], ["pass"]]
    assert completer.firsts[:2] == [True, False]
    assert completer.firsts.count(True) == 2


async def test_a_change_ends_the_writing_of_the_others(again: Client, completer: ScriptedCompleter) -> None:
    """Nobody waits for texts of a place that is gone."""
    completer.others.clear()
    await again.complete(1, 0, 4, INVOKED)
    assert await happens(completer.others_began)

    again.change(2, {"text": "y = "})

    assert await happens(completer.cancelled)


async def test_a_request_that_is_taken_back_ends_nothing(again: Client, completer: ScriptedCompleter) -> None:
    """The others are written for whoever asks next."""
    completer.others.clear()
    await again.complete(1, 0, 4, INVOKED)
    second = again.complete(2, 0, 4, INVOKED)
    again.notify("$/cancelRequest", {"id": 2})
    await second
    third = again.complete(3, 0, 4, INVOKED)
    completer.others.set()

    assert await texts(third) == ["pass", "pass "]
    assert completer.firsts == [True, False]


async def test_where_a_text_is_shown_already_all_come_at_once(again: Client, completer: ScriptedCompleter) -> None:
    """A user who asks by hand there wants another text."""
    await again.complete(1, 0, 4)

    assert await texts(again.complete(2, 0, 4, INVOKED)) == ["pass", "pass "]
    assert completer.firsts == [False]


@pytest.mark.parametrize("soon", [True, False])
async def test_what_an_editor_asks_by_itself_ends_nothing(completer: ScriptedCompleter, soon: bool) -> None:
    """Requests without a hand, where texts are offered by hand alone, do not part two that belong together."""
    client = session(completer, {"trigger": "manual"})
    await client.begin(asks_again=True)
    client.open("x = ")
    completer.others.clear()
    first = client.complete(1, 0, 4, INVOKED)
    if not soon:
        await first
    itself = client.complete(2, 0, 4)
    second = client.complete(3, 0, 4, INVOKED) if not soon else None
    found = [await texts(first), await texts(itself)]
    completer.others.set()
    again = client.complete(4, 0, 4, INVOKED) if second is None else second

    assert [*found, await texts(again)] == [["pass"], [], ["pass", "pass "]]
    assert client.server.session.end_work(10)


async def test_where_nothing_was_found_the_next_request_asks_anew(again: Client, completer: ScriptedCompleter) -> None:
    """Nothing is written after an answer without a text."""
    completer.text = None
    nothing = await texts(again.complete(1, 0, 4, INVOKED))
    completer.text = "1"

    assert (nothing, await texts(again.complete(2, 0, 4, INVOKED))) == ([], ["1"])
    assert completer.firsts[:2] == [True, True]


async def test_a_failure_of_the_others_is_no_error(
    again: Client, completer: ScriptedCompleter, caplog: pytest.LogCaptureFixture
) -> None:
    """The next request by hand begins anew."""
    completer.others.clear()
    await again.complete(1, 0, 4, INVOKED)
    completer.failing = True
    completer.others.set()
    task = again.server.session.others[URI].answer
    assert await task is None
    completer.failing = False

    assert await texts(again.complete(2, 0, 4, INVOKED)) == ["pass", "pass "]
    assert "Further completions failed." in caplog.text
    caplog.clear()


async def test_a_text_that_comes_twice_is_shown_once(completer: ScriptedCompleter) -> None:
    """In both answers the first text has the same command, so what the user does with it counts once."""
    meter = CountingMeter()
    client = session(completer, meter=meter)
    await client.begin(asks_again=True)
    client.open("x = ")

    found = [items(await client.complete(number, 0, 4, INVOKED))[0] for number in (1, 2)]
    for item in found:
        client.notify("textDocument/didShowCompletion", {"item": item})
    await client.accept(3, found[0])

    assert found[0]["command"] == found[1]["command"]
    assert (meter.shown, meter.accepted) == (1, [("all", 4)])
    assert await asyncio.to_thread(client.server.session.end_work, 10)
