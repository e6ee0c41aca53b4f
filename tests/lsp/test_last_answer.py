"""The sentences about the last request of a document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from tests.lsp.client import URI, Client, items

from dovetail.decoding.completion import Stop

if TYPE_CHECKING:
    from tests.lsp.scripted_completer import ScriptedCompleter


async def test_why_names_the_entry_of_a_list_that_is_in_front(client: Client, completer: ScriptedCompleter) -> None:
    """The entry of an open list is named, because only a text that continues it is shown, and the way out is named."""
    await client.begin()
    client.open("x = so")
    await client.loaded()
    selected = {"range": {"start": {"line": 0, "character": 4}, "end": {"line": 0, "character": 6}}, "text": "sorted"}
    completer.text = "(rows)"
    await client.complete(1, 0, 6, selected=selected)
    offered = await client.command(2, "why", URI)
    completer.text = None
    await client.complete(3, 0, 6, selected=selected)
    refused = await client.command(4, "why", URI)

    named = "that continues `sorted`, the entry selected in the editor's list"
    assert offered["message"].startswith(f"A completion was offered {named}; it ended because it is the text.")
    assert f"Nothing was offered {named}: nothing fits. Close the list to get" in refused["message"]


async def test_why_says_where_asking_by_hand_helps(client: Client, completer: ScriptedCompleter) -> None:
    """A text that was kept back while typing may be had by hand; after asking by hand there is no such hope."""
    await client.begin()
    client.open("x = ")
    await client.loaded()
    completer.text, completer.reason = None, Stop.UNSURE.value
    await client.complete(1, 0, 4)
    typed = await client.command(2, "why", URI)
    await client.complete(3, 0, 4, types.InlineCompletionTriggerKind.Invoked)
    invoked = await client.command(4, "why", URI)
    completer.reason = Stop.NOT_VIABLE.value
    await client.complete(5, 0, 4)
    hopeless = await client.command(6, "why", URI)

    assert (typed["by_hand"], invoked["by_hand"], hopeless["by_hand"]) == (True, False, False)
    assert "(setting `trigger`); by hand you get others too." in typed["message"]
    assert "by hand" not in invoked["message"] + hopeless["message"]


async def test_why_does_not_say_end_twice(client: Client, completer: ScriptedCompleter) -> None:
    """A text that the model has ended by itself has no other reason."""
    await client.begin()
    client.open("x = ")
    await client.loaded()
    completer.ended = Stop.END.value
    await client.complete(1, 0, 4)
    answer = await client.command(2, "why", URI)

    assert answer["message"].startswith("A completion was offered; the model ended it.")


async def test_no_text_lengthens_the_entry_of_a_list(client: Client, completer: ScriptedCompleter) -> None:
    """An entry is a whole name: letters behind it are not offered, and a text that begins with a sign is."""
    await client.begin()
    client.open("x = so")
    await client.loaded()
    selected = {"range": {"start": {"line": 0, "character": 4}, "end": {"line": 0, "character": 6}}, "text": "sorted"}
    completer.text = "ness"
    grown = items(await client.complete(1, 0, 6, selected=selected))
    reason = await client.command(2, "why", URI)
    completer.text = "(rows)"
    [called] = items(await client.complete(3, 0, 6, selected=selected))

    assert grown == []
    assert "the model would lengthen the name that is selected in the editor's list" in reason["message"]
    assert called["insertText"] == "sorted(rows)"
