"""The methods of the server, with a completer that answers by a script."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from lsprotocol import types
from tests.lsp.client import URI, Client, items, replacing

if TYPE_CHECKING:
    import threading

    from tests.lsp.scripted_completer import ScriptedCompleter


async def happens(event: threading.Event) -> bool:
    return await asyncio.to_thread(event.wait, 10)


async def test_the_capabilities_name_what_is_answered(client: Client) -> None:
    """Inline completion, incremental changes and the client's first unit of columns are advertised."""
    capabilities = await client.begin(encodings=("utf-8", "utf-16"))

    assert capabilities["inlineCompletionProvider"] == {}
    assert capabilities["textDocumentSync"]["change"] == 2
    assert capabilities["textDocumentSync"]["openClose"]
    assert capabilities["positionEncoding"] == "utf-8"


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 4), ("utf-16", 2), ("utf-32", 1)])
async def test_an_item_has_an_empty_range_where_it_was_asked_for(
    client: Client, completer: ScriptedCompleter, encoding: str, column: int
) -> None:
    """The item inserts at the position, in the agreed unit of columns; the completer gets the offset."""
    await client.begin(encodings=(encoding,))
    client.open("\n😀")

    [item] = items(await client.complete(1, 1, column))

    place = {"line": 1, "character": column}
    assert (item["insertText"], item["range"]) == ("pass", {"start": place, "end": place})
    assert completer.asked == [("\n😀", 2)]


async def test_who_asks_is_offered_several(client: Client, completer: ScriptedCompleter) -> None:
    """A user who invoked the completion gets several items, an editor that asked by itself one."""
    await client.begin()
    client.open("x = ")

    invoked = items(await client.complete(1, 0, 4, types.InlineCompletionTriggerKind.Invoked))
    automatic = items(await client.complete(2, 0, 4))
    completer.text = None
    nothing = items(await client.complete(3, 0, 4, types.InlineCompletionTriggerKind.Invoked))

    assert [item["insertText"] for item in invoked] == ["pass", "pass "]
    assert [item["insertText"] for item in automatic] == ["pass"]
    assert nothing == []


async def test_a_position_past_the_line_is_answered_at_its_end(client: Client) -> None:
    """The range of the item is a place that the document has."""
    await client.begin()
    client.open("ab\r\ncd")

    [item] = items(await client.complete(1, 0, 99))

    assert item["range"]["start"] == {"line": 0, "character": 2}


async def test_odd_line_ends_do_not_corrupt_the_text(client: Client, completer: ScriptedCompleter) -> None:
    """Edits land rightly after a form feed, U+2028, a lone carriage return and characters of two units."""
    await client.begin()
    client.open("a = 1\n\fb = 2\u2028\rc = '😀😀'; d\ne = 3\n")

    client.change(
        2,
        replacing((2, 12), (2, 13), "dd"),
        replacing((3, 0), (3, 1), "ee"),
        replacing((9, 9), (9, 9), "f"),
    )
    await client.complete(1, 3, 2)

    assert completer.asked == [("a = 1\n\fb = 2\u2028\rc = '😀😀'; dd\nee = 3\nf", 29)]


async def test_nothing_fits_nothing_is_offered(client: Client, completer: ScriptedCompleter) -> None:
    """The answer has no items if the completer has nothing."""
    completer.text = None
    await client.begin()
    client.open("x")

    assert items(await client.complete(1, 0, 0)) == []


async def test_a_document_that_is_not_open_is_answered_empty(client: Client) -> None:
    """A request about a document that was never opened, or was closed, has no items."""
    await client.begin()
    never = await client.complete(1, 0, 0)
    client.open("x")
    client.notify("textDocument/didClose", {"textDocument": {"uri": URI}})

    closed = await client.complete(2, 0, 0)

    assert (items(never), items(closed)) == ([], [])


async def test_the_newest_request_wins(client: Client, completer: ScriptedCompleter) -> None:
    """A newer request of the document ends the older one, which is answered without items."""
    completer.held = True
    await client.begin()
    client.open("x")
    older = client.complete(1, 0, 0)
    assert await happens(completer.began)

    newer = client.complete(2, 0, 1)

    assert items(await older) == []
    assert await happens(completer.cancelled)
    completer.held = False
    assert len(items(await newer)) == 1


async def test_cancelling_a_request_stops_the_decoding(client: Client, completer: ScriptedCompleter) -> None:
    """`$/cancelRequest` reaches the loop, and the request is answered with the error of a cancelled one."""
    completer.held = True
    await client.begin()
    client.open("x")
    answer = client.complete(1, 0, 0)
    assert await happens(completer.began)

    client.notify("$/cancelRequest", {"id": 1})

    assert (await answer)["error"]["code"] == -32800
    assert await happens(completer.cancelled)


async def test_a_change_ends_the_completion_of_the_text_before_it(client: Client, completer: ScriptedCompleter) -> None:
    """A completion for a text that has changed meanwhile is stopped and answered without items."""
    completer.held = True
    await client.begin()
    client.open("x")
    answer = client.complete(1, 0, 1)
    assert await happens(completer.began)

    client.change(2, {"text": "xy"})

    assert items(await answer) == []
    assert await happens(completer.cancelled)


async def test_closing_a_document_ends_its_completion(client: Client, completer: ScriptedCompleter) -> None:
    """A completion of a document that is closed meanwhile is answered without items."""
    completer.held = True
    await client.begin()
    client.open("x")
    answer = client.complete(1, 0, 1)
    assert await happens(completer.began)

    client.notify("textDocument/didClose", {"textDocument": {"uri": URI}})

    assert items(await answer) == []


async def test_switched_off_nothing_is_offered(client: Client, completer: ScriptedCompleter) -> None:
    """With `enabled` false nothing is loaded or completed."""
    await client.begin(options={"enabled": False})
    client.open("x")

    assert items(await client.complete(1, 0, 0)) == []
    assert (completer.asked, completer.loads) == ([], [])


async def test_a_chosen_item_of_another_list_is_gone_on_from(client: Client, completer: ScriptedCompleter) -> None:
    """With an item selected, the completion is for the text with that item in it, and takes its place."""
    completer.text = "[0]"
    await client.begin()
    client.open("😀 = so()\nx")
    selected = {"range": {"start": {"line": 0, "character": 5}, "end": {"line": 0, "character": 7}}, "text": "sorted"}

    [item] = items(await client.complete(1, 0, 7, selected=selected))

    assert completer.asked == [("😀 = sorted()\nx", 10)]
    assert (item["insertText"], item["range"]) == ("sorted[0]", selected["range"])


async def test_what_is_remembered_is_answered_without_the_model(client: Client, completer: ScriptedCompleter) -> None:
    """An automatic request whose answer is known asks for nothing, one by hand asks the model all the same."""
    completer.remembered = "known"
    await client.begin()
    client.open("x")

    automatic = items(await client.complete(1, 0, 1))
    assert completer.asked == []
    invoked = items(await client.complete(2, 0, 1, types.InlineCompletionTriggerKind.Invoked))

    assert ([item["insertText"] for item in automatic], len(invoked)) == (["known"], 2)
    assert completer.asked == [("x", 1)]


async def test_with_a_manual_trigger_only_a_request_by_hand_is_answered(
    client: Client, completer: ScriptedCompleter
) -> None:
    """While the user types nothing is offered, the model is not asked, and `why` names the setting."""
    await client.begin(options={"trigger": "manual"})
    await client.loaded()
    client.open("x")

    automatic = items(await client.complete(1, 0, 1))
    why = await client.command(2, "why", URI)
    invoked = items(await client.complete(3, 0, 1, types.InlineCompletionTriggerKind.Invoked))

    assert (automatic, len(invoked)) == ([], 2)
    assert "`trigger`" in why["message"]
    assert completer.asked == [("x", 1)]


async def test_of_many_keys_only_the_last_asks_the_model(client: Client, completer: ScriptedCompleter) -> None:
    """Automatic requests that follow each other sooner than the pause are dropped, by hand they are not."""
    await client.begin(options={"debounce": 3600})
    client.open("")
    answers = []
    for number, text in enumerate("abc"):
        client.change(number + 2, {"text": text})
        answers.append(client.complete(number, 0, 1))
    invoked = client.complete(9, 0, 1, types.InlineCompletionTriggerKind.Invoked)

    assert len(items(await invoked)) == 2
    assert [items(await answer) for answer in answers] == [[], [], []]
    assert completer.asked == [("c", 1)]


async def test_after_the_pause_the_model_is_asked(client: Client, completer: ScriptedCompleter) -> None:
    """The last of some automatic requests is answered when its pause is over."""
    await client.begin(options={"debounce": 0.01})
    client.open("x")

    older, newer = client.complete(1, 0, 0), client.complete(2, 0, 1)

    assert len(items(await newer)) == 1
    assert items(await older) == []
    assert completer.asked == [("x", 1)]


async def test_a_defect_is_no_error_for_the_user(
    client: Client, completer: ScriptedCompleter, caplog: pytest.LogCaptureFixture
) -> None:
    """A completion that raises is answered without items and logged; the next is served."""
    completer.failing = True
    await client.begin()
    client.open("x")

    assert items(await client.complete(1, 0, 0)) == []
    completer.failing = False

    assert len(items(await client.complete(2, 0, 0))) == 1
    assert "A completion failed." in caplog.text
    assert client.notifications == []


async def test_parameters_of_the_wrong_form_are_answered(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    """A request that cannot be read is answered with the error of wrong parameters; the next is served."""
    await client.begin()
    client.open("x")

    answer = await client.complete(1, -1, 0)

    assert answer["error"]["code"] == -32602
    assert len(items(await client.complete(2, 0, 0))) == 1
    assert client.notifications == []
    caplog.clear()


async def test_a_change_of_a_document_that_is_not_open_is_only_logged(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    """A stray change does not disturb the session."""
    await client.begin()

    client.change(2, {"text": "y"})

    assert "not open" in caplog.text
    assert client.server.session.documents.snapshot(URI) is None


async def test_a_long_document_is_read_on_behind_the_answer(client: Client, completer: ScriptedCompleter) -> None:
    """Slice by slice, until nothing is left of it."""
    completer.unread = 3
    await client.begin()
    client.open("x = ")
    await client.complete(1, 0, 4)
    for _ in range(200):
        if len(completer.slices) == 3:
            break
        await asyncio.sleep(0.02)

    assert completer.slices == ["x = "] * 3
