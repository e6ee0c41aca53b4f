"""The loading of a model and of languages, as the user sees it, and the settings of the start."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from lsprotocol import types
from tests.lsp.client import URI, Client, items, session

from dovetail.lsp import loading, preparing
from dovetail.lsp.status import status
from dovetail.model.remedies import LIST, installation

if TYPE_CHECKING:
    from tests.lsp.scripted_completer import ScriptedCompleter

SHOW = "window/showMessage"


async def test_requests_wait_for_the_model(client: Client, completer: ScriptedCompleter) -> None:
    """A request that comes while the model is loaded is answered after that, and can be cancelled before."""
    completer.loading.clear()
    await client.begin()
    client.open("x")
    first = client.complete(1, 0, 0)
    await asyncio.sleep(0)
    client.notify("$/cancelRequest", {"id": 1})
    second = client.complete(2, 0, 1)

    assert "error" in await first
    assert not second.done()
    completer.loading.set()

    assert len(items(await second)) == 1
    assert completer.asked == [("x", 1)]


async def test_loading_is_shown_as_progress(client: Client, completer: ScriptedCompleter) -> None:
    """A client that shows progress is asked for a token, then told of the begin and of the end."""
    completer.loading.clear()
    await client.begin(progress=True)
    [begin] = await client.hear("$/progress")
    completer.loading.set()

    [_, end] = await client.hear("$/progress", 2)

    [created] = client.requests
    assert created["method"] == "window/workDoneProgress/create"
    assert begin["token"] == end["token"] == created["params"]["token"]
    assert (begin["value"]["kind"], end["value"]["kind"]) == ("begin", "end")


async def test_building_the_tables_of_a_language_is_shown(
    client: Client, completer: ScriptedCompleter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tables of a language are made when a document of it is opened, once, in sight if it takes long."""
    monkeypatch.setattr(preparing, "_LATER", 0.01)
    completer.preparing.clear()
    completer.loading.clear()
    await client.begin(progress=True)
    await client.hear("$/progress")
    completer.loading.set()
    await client.hear("$/progress", 2)
    client.open("x = ")
    heard = await client.hear("$/progress", 3)
    waiting = client.complete(1, 0, 4)
    session = client.server.session
    while not session.awaited:
        await asyncio.sleep(0)
    told = status(session)
    assert (told.busy, told.preparing) == (True, True)
    assert told.message == "Python is being prepared, once; suggestions come after that."
    why = await client.command(9, "why", URI)
    assert (why["message"], why["offered"], why["preparing"]) == (told.message, 0, True)
    completer.preparing.set()

    heard = await client.hear("$/progress", 4)

    assert [report["value"]["kind"] for report in heard] == ["begin", "end"] * 2
    assert heard[2]["value"]["message"] == "preparing Python, once"
    assert heard[2]["token"] == heard[3]["token"] != heard[0]["token"]
    assert len(items(await waiting)) == 1
    client.open("y = ")
    await client.complete(2, 0, 4)
    assert completer.prepared == ["python"]
    assert "prepared" not in status(session).message
    assert "prepared" not in (await client.command(10, "why", URI))["message"]


async def test_what_is_at_hand_is_not_shown_as_progress(
    client: Client, completer: ScriptedCompleter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A language that is ready soon shows nothing; the loading of the model, which it waits for, is not counted."""
    monkeypatch.setattr(preparing, "_SOON", 60)
    completer.loading.clear()
    await client.begin(progress=True)
    client.open("x = ")
    await client.hear("$/progress")
    completer.loading.set()
    await client.complete(1, 0, 4)
    while client.server.session.preparing:
        await asyncio.sleep(0.001)

    assert len(await client.hear("$/progress", 2)) == 2
    assert len(client.requests) == 1
    assert completer.prepared == ["python"]


async def test_with_another_model_the_languages_are_prepared_anew(client: Client, completer: ScriptedCompleter) -> None:
    """The tables of the model's tokens are others, so the open documents' languages are got ready again."""
    await client.begin()
    client.open("x")
    await client.complete(1, 0, 1)

    await client.command(2, "model", "second")
    await client.complete(3, 0, 1)

    assert completer.prepared == ["python", "python"]


async def test_a_language_that_is_off_is_not_prepared(client: Client, completer: ScriptedCompleter) -> None:
    """It is when it is switched on."""
    await client.begin(options={"disabled_languages": ["python"]})
    client.open("x")
    await client.complete(1, 0, 1)
    before = list(completer.prepared)

    await client.command(2, "toggle", {"scope": "language", "uri": URI})
    await client.complete(3, 0, 1)

    assert (before, completer.prepared) == ([], ["python"])


async def test_where_there_is_no_grammar_items_say_that_they_are_unchecked(
    client: Client, completer: ScriptedCompleter
) -> None:
    """Only with the setting is anything offered there, and item, status and reason tell what it is worth."""
    completer.unchecked = True
    await client.begin(options={"unchecked": True})
    await client.loaded()
    client.open("print *, ", language="fortran", uri="file:///p.f90")

    [item] = items(await client.complete(1, 0, 9, uri="file:///p.f90"))
    status = await client.command(2, "status", "file:///p.f90")
    why = await client.command(3, "why", "file:///p.f90")
    place = {"textDocument": {"uri": "file:///p.f90"}, "position": {"line": 0, "character": 9}}
    explained = await client.command(4, "explain", place)

    assert item["command"]["title"] == "Accepted, unchecked"
    assert (status["kind"], "fortran" in status["message"]) == ("Warning", True)
    assert why["offered"] == 1
    assert "Nothing was checked: there is no grammar for fortran" in why["message"]
    assert "there is no grammar for fortran" in explained["message"]
    assert completer.prepared == []


async def test_a_client_without_progress_is_not_asked_for_one(client: Client) -> None:
    """Nothing about progress is sent to a client that does not support it."""
    await client.begin()
    client.open("x")
    await client.complete(1, 0, 0)

    assert client.requests == []
    assert client.notifications == []


async def test_a_model_that_cannot_be_loaded_is_said_once(completer: ScriptedCompleter) -> None:
    """The sentence of the completer is shown once, and requests are answered without items."""
    completer.complaint = "There is no folder x: name one that exists."
    completer.text = None
    client = session(completer)
    await client.begin()
    client.open("x")

    answers = [await client.complete(number, 0, 0) for number in (1, 2)]

    assert await client.hear(SHOW) == [{"type": 1, "message": completer.complaint}]
    assert [items(answer) for answer in answers] == [[], []]
    assert client.server.session.end_work(10)


async def test_a_process_that_ends_after_the_work_is_not_started_again(completer: ScriptedCompleter) -> None:
    """Nothing waits for the model of a session that has ended, so its loss begins no loading."""
    client = session(completer)
    await client.begin()
    await client.loaded()
    loaded = list(completer.loads)

    assert client.server.session.end_work(10)
    completer.lost()
    await asyncio.sleep(0)

    assert (client.server.session.loading, completer.loads) == (None, loaded)


@pytest.mark.parametrize(
    ("ways", "said"),
    [
        (None, ["`dovetail models`", "`dovetail models get a`", f"run {installation('torch')}"]),
        (
            {"models": r"*Choose \1*", "packages": "*Install*"},
            [r"no model x; *Choose \1* lists", r"here: *Choose \1* fetches", "run *Install*."],
        ),
    ],
)
async def test_a_client_has_its_own_words_for_what_mends_a_model(
    completer: ScriptedCompleter, ways: dict[str, str] | None, said: list[str]
) -> None:
    """A command of a terminal is written as the client calls it, if it says so."""
    completer.complaint = (
        f"There is no model x; {LIST} lists them. The model a is not here: `dovetail models get a` fetches it. "
        f"The model needs torch: run {installation('torch')}."
    )
    client = session(completer)
    await client.begin(ways=ways)

    [shown] = await client.hear(SHOW)
    assert [part for part in said if part not in shown["message"]] == []


async def test_settings_come_from_the_client_and_the_command_line(completer: ScriptedCompleter) -> None:
    """The client's settings reach the completer; what the command line says goes before them."""
    client = session(completer, {"model": "mine"})

    await client.begin(options={"model": "theirs", "max_tokens": 7})
    await client.loaded()

    assert completer.settings is not None
    assert (completer.settings.model, completer.settings.max_tokens) == ("mine", 7)
    assert client.server.session.end_work(10)


@pytest.mark.parametrize("options", [{"max_tokens": "many"}, {"colour": 1}, [1]])
async def test_a_mistake_in_the_settings_is_shown(
    client: Client, completer: ScriptedCompleter, options: object
) -> None:
    """Settings that cannot be taken are named in one message, and the defaults hold."""
    await client.begin(options=options)

    [message] = await client.hear(SHOW)
    await client.loaded()

    assert message["type"] == types.MessageType.Warning.value  # completions go on
    assert message["message"].endswith(".")
    assert completer.settings is not None
    assert completer.settings.max_tokens == 64


async def test_an_engine_that_starts_later_is_loaded_then(
    client: Client, completer: ScriptedCompleter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While an engine over HTTP cannot be used, it is tried again and again; the user is told once."""
    monkeypatch.setattr(loading, "_FIRST_RETRY", 0.001)
    monkeypatch.setattr(loading, "_LAST_RETRY", 0.002)
    completer.complaint = "The model cannot be used, because http://127.0.0.1:1 does not answer: start the engine."
    await client.begin(options={"model": "http://127.0.0.1:1"})
    while len(completer.loads) < 4:
        await asyncio.sleep(0.001)

    completer.complaint = None
    while client.server.session.complaint is not None or client.server.session.loading is not None:
        await asyncio.sleep(0.001)

    assert completer.model == "http://127.0.0.1:1"
    assert client.server.session.retry is None
    assert len(await client.hear(SHOW)) == 1


async def test_a_model_that_is_no_engine_is_tried_once(client: Client, completer: ScriptedCompleter) -> None:
    """Nothing changes a folder that is not there but its user, who chooses again."""
    completer.complaint = "There is no folder x: name one that exists."
    await client.begin(options={"model": "x"})
    await client.hear(SHOW)

    assert client.server.session.retry is None
    assert len(completer.loads) == 1


async def test_another_choice_ends_the_trying(client: Client, completer: ScriptedCompleter) -> None:
    """A user who does not wait for an engine is not bothered with it later."""
    completer.complaint = "The model cannot be used, because http://127.0.0.1:1 does not answer: start the engine."
    await client.begin(options={"model": "http://127.0.0.1:1"})
    await client.hear(SHOW)
    waiting = client.server.session.retry
    assert waiting is not None
    completer.complaint = None

    await client.command(1, "model", "well")

    assert waiting.cancelled()
    assert client.server.session.retry is None
