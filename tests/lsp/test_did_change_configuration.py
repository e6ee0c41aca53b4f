"""Settings that change while the server runs, or come after its start."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from tests.lsp.client import URI, Client, items

from dovetail.lsp.methods import did_change_configuration

if TYPE_CHECKING:
    from tests.lsp.scripted_completer import ScriptedCompleter


async def test_settings_change_while_the_server_runs(client: Client, completer: ScriptedCompleter) -> None:
    """Settings that the client sends are taken at once, the model with them; a mistake leaves what held before."""
    await client.begin(options={"model": "first", "max_tokens": 7})
    client.open("x")
    await client.loaded()
    client.notify("workspace/didChangeConfiguration", {"settings": {"dovetail": {"model": "second"}}})
    await client.loaded()
    assert completer.settings is not None
    assert (completer.model, completer.settings.max_tokens) == ("second", 64)

    client.notify("workspace/didChangeConfiguration", {"settings": {"dovetail": {"model": 1}}})
    [message] = await client.hear("window/showMessage")
    assert message["message"] == (
        "The setting `model` has to be the folder or the name of a model, not 1; `second` is taken."
    )

    switched_off = {"settings": {"dovetail": {"model": "second", "disabled_languages": ["python"]}}}
    client.notify("workspace/didChangeConfiguration", switched_off)
    assert items(await client.complete(1, 0, 0)) == []
    assert completer.model == "second"


async def test_mistakes_in_settings_stay_in_the_status_until_they_are_mended(client: Client) -> None:
    """The status names the model's state and then every wrong setting, and is as before once they are right."""
    await client.begin(options={"max_tokens": 7})
    client.open("x")
    await client.loaded()
    well = await client.command(1, "status", URI)

    client.notify("workspace/didChangeConfiguration", {"settings": {"dovetail": {"shape": "word", "modell": "x"}}})
    await client.loaded()
    wrong = await client.command(2, "status", URI)
    explained = await client.command(4, "why", URI)
    client.notify("workspace/didChangeConfiguration", {"settings": {"dovetail": {"max_tokens": 7}}})
    await client.loaded()
    mended = await client.command(3, "status", URI)
    explained_again = await client.command(5, "why", URI)

    assert wrong["kind"] == "Warning"
    mistakes = (
        "The setting `shape` has to be `auto`, `line` or `block`, not 'word'; `auto` is taken. "
        "There is no setting `modell`: did you mean `model`?"
    )
    assert wrong["message"] == f"{well['message']} {mistakes}"
    assert (wrong["only_mistakes"], well["only_mistakes"]) == (True, False)
    assert explained["message"] == f"Nothing was asked for in this document yet. {mistakes}"
    assert " ".join(explained["mistakes"]) == mistakes
    assert mended == well
    assert explained_again["message"] == "Nothing was asked for in this document yet."


@pytest.mark.parametrize("is_model_missing", [False, True])
async def test_mistakes_in_settings_are_named_beside_what_else_keeps_text_away(
    client: Client, completer: ScriptedCompleter, is_model_missing: bool
) -> None:
    """Neither a model that cannot be loaded nor a language that is off hides them, in the status and in *Why*."""
    mistake = "There is no setting `modell`: did you mean `model`?"
    complaint = "There is no folder x: name one that exists."
    if is_model_missing:
        completer.complaint = complaint
    await client.begin(options={"modell": "x", "disabled_languages": [] if is_model_missing else ["python"]})
    client.open("x")
    await client.loaded()

    status = await client.command(1, "status", URI)
    why = await client.command(2, "why", URI)

    if is_model_missing:
        assert (status["kind"], status["message"]) == ("Error", f"{complaint} {mistake}")
        assert why["message"] == f"{complaint} Nothing is offered meanwhile. {mistake}"
        assert why["reason"] == complaint.rstrip(".")
    else:
        assert status["kind"] == "Inactive"
        assert status["message"] == why["message"] == f"Nothing is offered here: {why['reason']}. {mistake}"
    assert (status["mistakes"], status["only_mistakes"]) == ([mistake], False)


async def test_a_mistake_is_shown_once_and_in_the_names_of_the_client(
    client: Client, completer: ScriptedCompleter
) -> None:
    """A mistake that stands is not said again when other settings change; those are taken."""
    names = {"shape": "dovetail.shape", "max_tokens": "dovetail.maxTokens", "model": 7}
    await client.begin(options={"max_tokens": "many", "min_characters": 7}, setting_names=names)
    await client.loaded()
    assert completer.settings is not None
    assert (completer.settings.max_tokens, completer.settings.min_characters) == (64, 7)

    changed = {"max_tokens": "many", "shape": "word", "model": "theirs"}
    client.notify("workspace/didChangeConfiguration", {"settings": {"dovetail": changed}})
    await client.loaded()

    assert completer.model == "theirs"
    assert [message["message"] for message in await client.hear("window/showMessage", 2)] == [
        "The setting `dovetail.maxTokens` has to be a whole number of at least 1, not 'many'; `64` is taken.",
        "The setting `dovetail.shape` has to be `auto`, `line` or `block`, not 'word'; `auto` is taken.",
    ]


async def test_a_client_that_only_says_that_settings_changed_is_asked(
    client: Client, completer: ScriptedCompleter
) -> None:
    """Settings are fetched if the notification holds none."""
    client.results["workspace/configuration"] = [{"max_tokens": 9}]
    await client.begin(configuration=True)
    await client.loaded()

    client.notify("workspace/didChangeConfiguration", {"settings": None})
    while len(completer.loads) < 2:
        await asyncio.sleep(0.001)

    [asked] = client.requests
    assert asked["params"] == {"items": [{"section": "dovetail"}]}
    assert completer.settings is not None
    assert completer.settings.max_tokens == 9


async def test_a_client_that_gave_no_settings_is_asked_before_the_model_is_loaded(
    client: Client, completer: ScriptedCompleter
) -> None:
    """The settings that it answers hold from the first loading on, and it is asked to tell of changes."""
    client.results["workspace/configuration"] = [{"model": "theirs"}]
    await client.begin(configuration=True, pulled=True)
    client.open("x = ")
    while completer.model is None:
        await asyncio.sleep(0.001)

    assert (completer.model, completer.loads) == ("theirs", [False])
    while len(client.requests) < 2:
        await asyncio.sleep(0.001)
    assert [request["method"] for request in client.requests] == [
        "workspace/configuration", "client/registerCapability",
    ]  # fmt: skip
    [registration] = client.requests[1]["params"]["registrations"]
    assert registration["method"] == "workspace/didChangeConfiguration"
    assert len(items(await client.complete(1, 0, 4))) == 1


async def test_a_client_that_has_no_settings_keeps_those_of_the_start(
    client: Client, completer: ScriptedCompleter
) -> None:
    """Helix and eglot tell of a change right after the start, and answer null where all was given at the start."""
    client.results["workspace/configuration"] = [None]
    await client.begin(configuration=True, options={"model": "theirs", "max_tokens": 9})
    await client.loaded()

    client.notify("workspace/didChangeConfiguration", {"settings": {}})
    while not client.requests:
        await asyncio.sleep(0.001)
    await client.command(1, "restart")

    assert completer.settings is not None
    assert (completer.settings.model, completer.settings.max_tokens) == ("theirs", 9)


async def test_items_are_offered_later_where_the_settings_come_later(client: Client) -> None:
    """A client that is asked for its settings, or changes them, is told that there are items then."""
    client.results["workspace/configuration"] = [{"completion_items": True}]
    await client.begin(configuration=True, pulled=True)
    client.open("x = ")
    while len(client.requests) < 3:
        await asyncio.sleep(0.001)

    registrations = [one for request in client.requests[1:] for one in request["params"]["registrations"]]
    options = {one["method"]: one.get("registerOptions") for one in registrations}
    place = {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 4}}
    found = await client.ask(1, "textDocument/completion", place)
    client.notify("workspace/didChangeConfiguration", {"settings": {"dovetail": {"completion_items": False}}})
    without = await client.ask(2, "textDocument/completion", place)

    assert {"language": "python"} in options["textDocument/completion"]["documentSelector"]
    assert len(items(found)) == 1
    assert items(without) == []


@pytest.mark.parametrize("answer", [None, [], {"model": "x"}, [{"colour": "red"}], "silence"])
async def test_a_client_that_cannot_say_gets_the_defaults(
    client: Client,
    completer: ScriptedCompleter,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    answer: object,
) -> None:
    """The session goes on if the answer has another form, names what does not exist, or never comes."""
    monkeypatch.setattr(did_change_configuration, "_PATIENCE", 0.01 if answer == "silence" else 60)
    client.results["workspace/configuration"] = answer
    client.silent = {"workspace/configuration"} if answer == "silence" else set()
    await client.begin(configuration=True, pulled=True)
    while completer.model is None:
        await asyncio.sleep(0.001)

    assert completer.model == "scripted"
    caplog.clear()


async def test_a_chosen_model_holds_until_the_settings_name_another(
    client: Client, completer: ScriptedCompleter
) -> None:
    """Settings that change otherwise leave the choice; ones that name a model end it."""
    await client.begin(options={"model": "first"})
    await client.command(1, "model", "chosen")

    client.notify("workspace/didChangeConfiguration", {"settings": {"dovetail": {"model": "first", "max_tokens": 9}}})
    await client.loaded()
    assert completer.model == "chosen"

    client.notify("workspace/didChangeConfiguration", {"settings": {"dovetail": {"model": "third"}}})
    await client.loaded()
    assert completer.model == "third"
