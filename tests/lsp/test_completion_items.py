"""Completions as items of a menu, for editors without inline completions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from tests.lsp.client import URI, Client, items

if TYPE_CHECKING:
    from tests.lsp.scripted_completer import ScriptedCompleter


async def test_items_of_the_other_kind_are_for_those_who_want_them(
    client: Client, completer: ScriptedCompleter
) -> None:
    """With the setting, one item replaces the word at the cursor, soon, and the list is never whole."""
    completer.text = "ed(a)\nb"
    capabilities = await client.begin(options={"completion_items": True})
    assert capabilities["completionProvider"]["triggerCharacters"]
    client.open("😀 = sort")
    place = {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 9}}

    answer = (await client.ask(1, types.TEXT_DOCUMENT_COMPLETION, place))["result"]

    [item] = answer["items"]
    assert answer["isIncomplete"] is True
    replaced = {"start": {"line": 0, "character": 5}, "end": {"line": 0, "character": 9}}
    assert item["textEdit"] == {"range": replaced, "newText": "sorted(a)\nb"}
    assert (item["filterText"], item["label"]) == ("sorted(a)\nb", "sorted(a)…")
    assert completer.items == [True]


async def test_items_end_lines_as_editors_take_them(client: Client, completer: ScriptedCompleter) -> None:
    """In a file that ends its lines by two characters an item has one, which the editor writes as two."""
    completer.text = "a,\r\n    b\r)"
    await client.begin(options={"debounce": 0})
    client.open("x = f(\r\n")

    [item] = items(await client.complete(1, 0, 6))

    assert item["insertText"] == "a,\n    b\n)"


async def test_without_the_setting_there_are_no_such_items(client: Client) -> None:
    """Editors that show inline completions are not offered the same twice."""
    assert "completionProvider" not in await client.begin()
