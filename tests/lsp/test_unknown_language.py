"""Documents in a language that the model was not made for."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from lsprotocol import types
from tests.lsp.client import URI, Client, items

from dovetail.model.hosting import known_languages

if TYPE_CHECKING:
    from pathlib import Path

    from tests.lsp.scripted_completer import ScriptedCompleter


async def test_nothing_is_offered_unless_the_user_asks(client: Client, completer: ScriptedCompleter) -> None:
    """While the user types the model is not asked; a request by hand is answered, and `why` and the status say so."""
    completer.languages = ("go", "json")
    await client.begin()
    await client.loaded()
    client.open("x")

    automatic = items(await client.complete(1, 0, 1))
    why = await client.command(2, "why", URI)
    status = await client.command(3, "status", URI)
    invoked = items(await client.complete(4, 0, 1, types.InlineCompletionTriggerKind.Invoked))

    assert (automatic, len(invoked)) == ([], 2)
    assert "does not know Python, so ask by hand or choose a model that does (" in why["message"]
    assert (why["other_model"], status["other_model"]) == (True, True)
    assert "dovetail models" not in why["message"] + status["message"]  # not every editor's user has a shell
    assert status["message"].startswith("Nothing is offered here while you type: the model scripted does not know")
    assert "qwen2.5-coder" in status["message"].lower()
    assert completer.asked == [("x", 1)]


async def test_before_any_request_the_reason_is_said(client: Client, completer: ScriptedCompleter) -> None:
    """A user who asks why at once gets the same sentence; of a language that the model knows there is none."""
    completer.languages = ("python",)
    await client.begin()
    await client.loaded()
    client.open("x")
    known = await client.command(1, "why", URI)
    status = await client.command(2, "status", URI)
    completer.languages = ("go",)

    unknown = await client.command(3, "why", URI)

    assert (known["other_model"], status["other_model"]) == (False, False)
    assert known["message"] == "Nothing was asked for in this document yet."
    assert (unknown["other_model"], unknown["message"]) == (True, (await client.command(4, "status", URI))["message"])


async def test_the_reason_is_said_while_the_model_writes_elsewhere(
    client: Client, completer: ScriptedCompleter
) -> None:
    """Work on another document hides no reason: the status is as it was, but busy."""
    completer.languages = ("python",)
    await client.begin()
    await client.loaded()
    client.open("x")
    client.open("{}", "json", "file:///a.json")
    before = await client.command(1, "status", "file:///a.json")
    completer.held = True
    answer = client.complete(2, 0, 1)
    await asyncio.to_thread(completer.began.wait, 10)

    during = await client.command(3, "status", "file:///a.json")
    completer.held = False

    assert len(items(await answer)) == 1
    assert before["message"].startswith("Nothing is offered here while you type")
    assert (before["busy"], during) == (False, {**before, "busy": True})


async def test_a_model_that_does_not_say_what_it_knows_is_asked(client: Client, completer: ScriptedCompleter) -> None:
    """Most models do not say which languages they were made for, and complete in all of them."""
    assert completer.languages is None
    await client.begin()
    client.open("x")

    assert len(items(await client.complete(1, 0, 1))) == 1


def test_a_model_says_in_its_folder_what_it_knows(tmp_path: Path) -> None:
    """A folder may hold the names of languages; names of the hub and files of another form say nothing."""
    assert known_languages(str(tmp_path)) is None
    (tmp_path / "languages.json").write_text('["go"]', encoding="utf-8")
    assert known_languages(str(tmp_path)) == ("go",)
    (tmp_path / "languages.json").write_text("{", encoding="utf-8")
    assert known_languages(str(tmp_path)) is None
    assert known_languages("owner/name") is None
