"""The commands of the server, and the status that it tells."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from tests.lsp.client import URI, Client, items, session
from tests.lsp.status import STATUS, last_status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.lsp.scripted_completer import ScriptedCompleter


NAMES = ["accepted", "explain", "model", "restart", "status", "toggle", "why"]


async def test_the_commands_are_advertised(client: Client) -> None:
    """The client learns the names of all commands, which leave it the plain ones for its own."""
    capabilities = await client.begin()

    assert sorted(capabilities["executeCommandProvider"]["commands"]) == [f"dovetail.server.{name}" for name in NAMES]


async def test_the_status_is_told_whenever_it_changes(client: Client, completer: ScriptedCompleter) -> None:
    """Loading, ready, completing and ready again are told in this order, each once."""
    completer.loading.clear()
    await client.begin(status=True, options={"debounce": 0})
    client.open("x")
    completer.loading.set()
    await client.loaded()
    await client.complete(1, 0, 0)
    await client.complete(2, 0, 0)

    heard = await client.hear(STATUS, 6)

    assert [(status["kind"], status["busy"]) for status in heard] == [
        ("Normal", True), ("Normal", False), *[("Normal", True), ("Normal", False)] * 2,
    ]  # fmt: skip
    assert all(status["message"].endswith(".") for status in heard)
    assert len({status["message"] for status in heard}) == 3


async def test_a_client_that_follows_the_status_sees_no_message(completer: ScriptedCompleter) -> None:
    """A model that cannot be loaded is an error of the status then, in the words of the completer."""
    completer.complaint = "There is no folder x: name one that exists."
    client = session(completer)
    await client.begin(status=True)

    status = await last_status(client, "Error")

    assert status["message"] == completer.complaint
    assert [message["method"] for message in client.notifications if message["method"] != STATUS] == []
    client.open("x")
    assert completer.complaint.rstrip(".") in (await client.command(1, "why", URI))["message"]
    assert client.server.session.end_work(10)


async def test_the_status_of_a_document_says_what_stands_in_its_way(client: Client) -> None:
    """A language without a grammar is named for its document, while the server as such is ready."""
    await client.begin()
    client.open("x", language="json")
    await client.loaded()
    known = await client.command(1, "status", URI)
    client.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
    uri = "file:///p.f90"
    document = {"uri": uri, "languageId": "fortran", "version": 1, "text": ""}
    client.notify("textDocument/didOpen", {"textDocument": document})

    general, unknown = await client.command(2, "status"), await client.command(3, "status", uri)

    assert [status["kind"] for status in (known, general, unknown)] == ["Normal", "Normal", "Inactive"]
    assert (general["model"], general["enabled"]) == ("scripted", True)
    assert "fortran" in unknown["message"]
    assert "fortran" in (await client.command(4, "why", uri))["message"]


async def test_why_tells_the_last_answer_of_the_document(client: Client, completer: ScriptedCompleter) -> None:
    """Before a request there is nothing to tell; then its reason, its place, and what was left out."""
    await client.begin()
    client.open("😀 broken\nx = ")
    await client.loaded()
    before = await client.command(1, "why", URI)
    await client.complete(2, 1, 4)
    offered = await client.command(3, "why", URI)
    completer.text = None
    await client.complete(4, 1, 4)
    refused = await client.command(5, "why", URI)

    assert before["reason"] is None
    assert (offered["offered"], offered["reason"]) == (1, "it is the text")
    assert (refused["offered"], refused["reason"]) == (0, "nothing fits")
    assert refused["position"] == {"line": 1, "character": 4}
    assert refused["ignored"] == [
        {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 0}},
         "lines": {"first": 0, "last": 0}, "instead": "", "unread": False}
    ]  # fmt: skip
    assert refused["message"] == "Nothing was offered: nothing fits. Line 1 does not fit and was left out."
    assert "notes" not in refused


async def test_why_tells_of_requests_that_came_to_nothing(client: Client, completer: ScriptedCompleter) -> None:
    """A user who types faster than the model works is told so, and not of an older request."""
    await client.begin(options={"debounce": 0})
    client.open("x = ")
    await client.loaded()
    await client.complete(1, 0, 4)
    completer.held = True
    completer.began.clear()
    running = client.complete(2, 0, 3)
    while not completer.began.is_set():
        await asyncio.sleep(0.001)
    client.notify("$/cancelRequest", {"id": 2})
    await running
    cancelled = await client.command(3, "why", URI)
    completer.began.clear()
    running = client.complete(4, 0, 2)
    while not completer.began.is_set():
        await asyncio.sleep(0.001)
    client.change(2, {"text": "x = y"})
    await running
    stale = await client.command(5, "why", URI)

    assert "took the request back" in cancelled["message"]
    assert cancelled["position"] == {"line": 0, "character": 3}
    assert "the document changed" in stale["message"]


@pytest.mark.parametrize("name", ["explain", "why"])
async def test_an_explanation_waits_for_no_model(client: Client, completer: ScriptedCompleter, name: str) -> None:
    """While the model completes, or is loaded, what the engine knows is answered all the same."""
    completer.loading.clear()
    await client.begin()
    client.open("x = ")
    place = {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 4}}
    argument = place if name == "explain" else URI

    while_loading = await asyncio.wait_for(client.command(1, name, argument), 10)
    completer.loading.set()
    await client.complete(2, 0, 4)
    completer.held = True
    running = client.complete(3, 0, 4)
    while len(completer.asked) < 2:
        await asyncio.sleep(0.001)
    while_completing = await asyncio.wait_for(client.command(4, name, argument), 10)

    assert while_loading["message"]
    assert while_completing["closing"] == "x"
    assert not running.done()
    completer.held = False
    assert len(items(await running)) == 1


async def test_a_place_is_explained(client: Client) -> None:
    """The explanation names what fits, with positions in the client's units and a sentence for people."""
    await client.begin()
    client.open("😀\nx = ")
    place = {"textDocument": {"uri": URI}, "position": {"line": 1, "character": 4}}

    answer = await client.command(1, "explain", place)

    assert (answer["viable"], answer["closing"]) == (True, "x")
    assert answer["expected"] == [{"name": "name", "text": "x"}]
    assert answer["message"].startswith("The shortest text that fits here is 'x'.")


@pytest.mark.parametrize("scope", ["all", "language", "document"])
async def test_completions_are_switched_off_and_on(client: Client, completer: ScriptedCompleter, scope: str) -> None:
    """Switched off there is nothing, with the reason, and nobody is asked; switched on again there is."""
    await client.begin()
    client.open("x")
    await client.loaded()

    off = await client.command(1, "toggle", {"scope": scope, "uri": URI})
    silent = items(await client.complete(2, 0, 0))
    why = await client.command(3, "why", URI)
    asked = list(completer.asked)
    on = await client.command(4, "toggle", {"scope": scope, "uri": URI})

    assert (off["enabled"], off["kind"], silent, asked) == (False, "Inactive", [], [])
    assert "switched off" in why["message"]
    assert (on["enabled"], on["kind"]) == (True, "Normal")
    assert len(items(await client.complete(5, 0, 0))) == 1


@pytest.mark.parametrize("scope", ["all", "language", "document"])
async def test_what_is_switched_off_while_it_is_completed_is_not_offered(
    client: Client, completer: ScriptedCompleter, scope: str
) -> None:
    """A switch counts from the moment in which it is used, also for a request that runs; the reason is told."""
    await client.begin()
    client.open("x = ")
    await client.loaded()
    completer.held = True
    running = client.complete(1, 0, 4)
    while not completer.asked:
        await asyncio.sleep(0.001)

    await client.command(2, "toggle", {"scope": scope, "uri": URI})
    completer.held = False

    assert items(await running) == []
    assert "switched off" in client.server.session.asked[URI].answer.reason
    await client.command(3, "toggle", {"scope": scope, "uri": URI})
    assert len(items(await client.complete(4, 0, 4))) == 1


async def test_settings_that_changed_while_all_was_off_hold_when_it_is_on(
    client: Client, completer: ScriptedCompleter
) -> None:
    """Switched on again the completer has what the user has set meanwhile."""
    await client.begin(options={"model": "first"})
    await client.loaded()
    await client.command(1, "toggle")
    client.notify("workspace/didChangeConfiguration", {"settings": {"dovetail": {"model": "second", "max_tokens": 9}}})

    await client.command(2, "toggle")
    await client.loaded()

    assert completer.settings is not None
    assert (completer.model, completer.settings.max_tokens) == ("second", 9)


async def test_switching_on_says_what_is_off_still(client: Client) -> None:
    """A document that is switched on under a switch that is off stays without completions, and that is said."""
    await client.begin()
    client.open("x")
    await client.command(1, "toggle", {"scope": "language", "uri": URI, "enabled": False})

    answer = await client.command(2, "toggle", {"scope": "document", "uri": URI, "enabled": True})

    assert "all the same" in answer["message"]
    assert "for Python" in answer["message"]


async def test_switched_on_later_the_model_is_loaded_then(client: Client, completer: ScriptedCompleter) -> None:
    """A session that begins switched off loads nothing before it is switched on."""
    await client.begin(options={"enabled": False}, status=True)
    client.open("x")
    await last_status(client, "Inactive")
    assert completer.loads == []

    await client.command(1, "toggle")

    assert len(items(await client.complete(2, 0, 0))) == 1
    assert completer.loads == [False]
    await last_status(client, "Normal")


async def test_another_model_is_chosen_and_loaded_anew(client: Client, completer: ScriptedCompleter) -> None:
    """The commands answer when the model is there, with its name."""
    await client.begin(options={"model": "first"})
    await client.loaded()

    chosen = await client.command(1, "model", "second")
    again = await client.command(2, "restart")
    own = await client.command(3, "model", None)

    assert [answer["model"] for answer in (chosen, again, own)] == ["second", "second", "scripted"]
    assert completer.loads == [False, False, True, False]


async def test_a_model_that_cannot_be_had_leaves_the_one_before(client: Client, completer: ScriptedCompleter) -> None:
    """The answer says why, nothing pops up, and the model before goes on, with no warning that stays."""
    await client.begin()
    client.open("x")
    await client.loaded()
    completer.complaint = "There is no folder y: name one that exists."

    answer = await client.command(1, "model", "y")
    after = await client.command(4, "status")

    assert (answer["kind"], answer["model"]) == ("Warning", "scripted")
    assert answer["message"].startswith(completer.complaint)
    assert after["kind"] == "Normal"
    assert client.server.session.settings.model is None
    assert len(items(await client.complete(2, 0, 0))) == 1
    assert client.notifications == []
    nameless = await client.command(3, "model", " ")
    assert "`model`" in nameless["message"]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("why", []),
        ("why", ["file:///closed.py"]),
        ("why", [URI, URI]),
        ("status", [7]),
        ("toggle", ["language"]),
        ("toggle", [{"scope": "language"}]),
        ("toggle", [{"scope": "folder", "uri": URI}]),
        ("toggle", [{"enabled": "yes"}]),
        ("model", [3]),
        ("explain", [{"textDocument": {"uri": URI}}]),
        ("explain", [None]),
        ("unknown", []),
    ],
)
async def test_wrong_arguments_are_answered_with_an_error(
    client: Client, caplog: pytest.LogCaptureFixture, name: str, arguments: Sequence[object]
) -> None:
    """A client's mistake is an error of wrong parameters, and nothing is switched by it."""
    await client.begin()
    client.open("x")
    params = {"command": f"dovetail.server.{name}", "arguments": arguments}

    answer = await client.ask(1, "workspace/executeCommand", params)

    assert answer["error"]["code"] == -32602
    assert len(items(await client.complete(2, 0, 0))) == 1
    caplog.clear()
