"""Faults of a model: the server stays, says so, goes on with what is left, and needs no new start."""

from __future__ import annotations

import asyncio
import dataclasses
import os
import signal
import sys
from typing import TYPE_CHECKING, Any

import pytest
from tests.faults.scripted_host import WINDOW
from tests.lsp.client import URI, Client, items

from dovetail.completer.cancel_token import CancelToken
from dovetail.completer.remote import RemoteCompleter
from dovetail.lsp.server import Server
from dovetail.settings import Settings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

TEXT = '{"a": [1, '

PATIENCE = 120
"""Seconds for what takes a fraction of one where nothing else runs."""


@pytest.fixture(name="completer")
def _completer(tmp_path: Path) -> Iterator[RemoteCompleter]:
    completer = RemoteCompleter([sys.executable, "-m", "tests.faults.scripted_host", str(tmp_path)])
    yield completer
    completer.abandon()


@pytest.fixture(name="client")
async def _client(completer: RemoteCompleter) -> AsyncIterator[Client]:
    client = Client(Server(completer, {}))
    yield client
    completer.abandon()
    assert await asyncio.to_thread(client.server.session.worker.stop, PATIENCE)


async def begin(client: Client, model: str, **options: object) -> None:
    """Begin a session with a model and wait until it is loaded, or cannot be."""
    await client.begin(options={"model": model, "debounce": 0, "min_characters": 1, **options})
    client.open(TEXT + "}", "json")
    await asyncio.wait_for(client.loaded(), PATIENCE)


async def offered(client: Client, number: int) -> list[str]:
    """Ask for a completion and return the texts, when whatever is loaded meanwhile is there."""
    answer = await asyncio.wait_for(client.complete(number, 0, len(TEXT)), PATIENCE)
    await asyncio.sleep(0)
    await asyncio.wait_for(client.loaded(), PATIENCE)
    return [item["insertText"] for item in items(answer)]


async def state(client: Client, number: int) -> dict[str, Any]:
    """Ask for the status."""
    return await client.command(number, "status")


async def test_a_model_that_works_is_asked_in_a_process_of_its_own(client: Client) -> None:
    """LocalCompleter come from another process, and the status is that of a model that is ready."""
    await begin(client, "well")

    assert await offered(client, 1) == ["2.5]"]
    told = await state(client, 2)
    assert (told["kind"], told["message"]) == ("Normal", "The model well is ready.")
    completer = client.server.session.completer
    assert isinstance(completer, RemoteCompleter)
    assert completer.process not in (None, os.getpid())


async def test_memory_that_is_short_while_loading_moves_the_model_to_the_processor(client: Client) -> None:
    """A model that does not fit the device is loaded on the processor, and the status says why."""
    await begin(client, "memory:load:cpu")

    assert await offered(client, 1) == ["2.5]"]
    told = await state(client, 2)
    assert (told["kind"], told["model"]) == ("Warning", "memory:load:cpu on cpu")
    assert "ran out of memory" in told["message"]
    assert "it runs on the processor now" in told["message"]


async def test_a_model_for_which_the_last_one_left_no_memory_is_loaded_without_that(client: Client) -> None:
    """Two models that do not fit side by side may be used in turn, each in full."""
    await begin(client, "well", fallbacks=[])

    told = await client.command(1, "model", "memory:alone")

    assert (told["kind"], told["model"]) == ("Normal", "memory:alone")
    assert await offered(client, 2) == ["2.5]"]


async def test_memory_that_is_short_while_completing_halves_the_window(client: Client) -> None:
    """As often as it helps, half of the text is read; the request in the middle of which it happened offers nothing."""
    await begin(client, "memory:work")

    outcomes = [await offered(client, number) for number in range(1, 5)]

    assert outcomes == [[], [], ["2.5]"], ["2.5]"]]
    told = await state(client, 9)
    assert told["kind"] == "Warning"
    assert "1/4 of its window" in told["message"]
    assert WINDOW >> 2 <= 300 < WINDOW >> 1


async def test_without_a_fallback_a_model_without_memory_is_given_up(client: Client) -> None:
    """The status says what happened and what to do if no fallback is set, and a new start is not needed."""
    await begin(client, "memory:work", fallbacks=[])

    assert await offered(client, 1) == []
    told = await state(client, 2)
    assert (told["kind"], told["model"]) == ("Error", None)
    assert "it ran out of memory" in told["message"]
    assert "dovetail.server.restart" in told["message"]

    told = await client.command(3, "model", "well")
    assert told["kind"] == "Normal"
    assert await offered(client, 4) == ["2.5]"]


async def test_the_embedded_model_takes_over_where_that_is_set(client: Client) -> None:
    """A model for which there is no memory anywhere is replaced by the embedded one."""
    await begin(client, "memory:load", fallbacks=["cpu", "embedded"])

    assert await offered(client, 1) == ["2.5]"]
    told = await state(client, 2)
    assert (told["kind"], told["model"]) == ("Warning", "embedded on cpu")
    assert "the embedded model completes in its place" in told["message"]


async def test_a_device_that_vanishes_is_met_by_a_new_process(client: Client) -> None:
    """A fault of the device ends the process, which cannot use it any more; in the next one the model works."""
    await begin(client, "device:work:once")
    completer = client.server.session.completer
    assert isinstance(completer, RemoteCompleter)
    first = completer.process

    assert await offered(client, 1) == []
    told = await state(client, 2)
    assert (told["kind"], told["message"]) == (
        "Warning",
        "The model device:work:once was restarted: its device failed.",
    )
    assert completer.process not in (None, first)

    assert await offered(client, 3) == ["2.5]"]
    assert (await state(client, 4))["kind"] == "Normal"


async def test_a_device_that_stays_away_moves_the_model_to_the_processor(client: Client) -> None:
    """After three faults in a row the device is left alone."""
    await begin(client, "device:work:cpu")

    outcomes = [await offered(client, number) for number in range(1, 5)]

    assert outcomes == [[], [], [], ["2.5]"]]
    told = await state(client, 9)
    assert "it runs on the processor now" in told["message"]


async def test_scores_that_are_no_numbers_are_said(client: Client) -> None:
    """A model that computes nothing is begun anew, then tried on the processor, then given up."""
    await begin(client, "numbers:work")

    outcomes = [await offered(client, number) for number in range(1, 5)]

    assert outcomes == [[], [], [], []]
    told = await state(client, 9)
    assert (told["kind"], told["model"]) == ("Error", None)
    assert "what it computed are no numbers" in told["message"]


@pytest.mark.parametrize(("how", "clause"), [("killed", "signal 9"), ("crashed", "code 3")])
async def test_a_process_that_is_killed_at_work_is_begun_anew(client: Client, how: str, clause: str) -> None:
    """The status says plainly that the process was restarted, the reason says how it ended, the next request works."""
    await begin(client, f"{how}:work:once")

    assert await offered(client, 1) == []
    told = await state(client, 2)
    why = await client.command(3, "why", URI)
    assert (told["kind"], told["message"]) == ("Warning", "The model process stopped and was restarted.")
    assert clause in why["message"]

    assert await offered(client, 4) == ["2.5]"]
    assert (await state(client, 5))["kind"] == "Normal"


async def test_a_process_that_is_killed_while_it_waits_is_begun_anew(client: Client) -> None:
    """Nobody has to ask before the loss is seen: the model is loaded again at once."""
    await begin(client, "well")
    completer = client.server.session.completer
    assert isinstance(completer, RemoteCompleter)
    first = completer.process
    assert first is not None
    began = asyncio.Event()
    lost = completer.lost

    def noticed() -> None:
        lost()
        loop.call_soon_threadsafe(began.set)

    loop = asyncio.get_running_loop()
    completer.lost = noticed

    os.kill(first, signal.SIGKILL)
    await asyncio.wait_for(began.wait(), PATIENCE)
    await asyncio.wait_for(client.loaded(), PATIENCE)

    assert completer.process not in (None, first)
    assert await offered(client, 1) == ["2.5]"]


async def test_a_process_that_always_dies_is_given_up(client: Client) -> None:
    """A model that kills its process is not begun for ever."""
    await begin(client, "killed:load", fallbacks=[])

    told = await state(client, 1)
    assert (told["kind"], told["model"]) == ("Error", None)
    assert "signal 9" in told["message"]
    assert await offered(client, 2) == []


async def test_a_model_that_was_given_up_is_asked_nothing(client: Client) -> None:
    """No process is begun that would have no model; the reason is told, and another model can be chosen."""
    await begin(client, "killed:load", fallbacks=[])
    completer = client.server.session.completer
    assert isinstance(completer, RemoteCompleter)

    assert await offered(client, 1) == []
    assert completer.process is None
    why = await client.command(2, "why", URI)
    assert "The model killed:load cannot go on (it was killed by signal 9" in why["message"]

    assert (await client.command(3, "model", "well"))["kind"] == "Normal"
    assert await offered(client, 4) == ["2.5]"]


async def test_a_process_that_hangs_is_ended_and_begun_anew(client: Client) -> None:
    """An answer that does not come in time is given up with the process that owes it."""
    await begin(client, "hung:work:once", time_limit=0.1, hang_limit=3)

    assert await offered(client, 1) == []
    told = await state(client, 2)
    assert "it did not answer" in told["message"]
    settings = {"min_characters": 1, "model": "well"}
    client.notify("workspace/didChangeConfiguration", {"settings": {"dovetail": settings}})
    assert await offered(client, 3) == ["2.5]"]


async def test_a_process_that_hangs_cannot_keep_a_user_from_starting_it_again(client: Client) -> None:
    """`dovetail.server.restart` does not wait for what hangs."""
    await begin(client, "hung:work:once")
    answer = client.complete(1, 0, len(TEXT))
    await asyncio.sleep(0)

    told = await asyncio.wait_for(client.command(2, "restart"), PATIENCE)

    assert told["kind"] == "Normal"
    assert items(await asyncio.wait_for(answer, PATIENCE)) == []
    assert await offered(client, 3) == ["2.5]"]


async def test_a_loading_that_hangs_gives_way_to_another_model(client: Client) -> None:
    """A user who chooses another model need not wait for the one that does not load."""
    await client.begin(options={"model": "hung:load", "debounce": 0, "min_characters": 1})
    client.open(TEXT + "}", "json")
    assert (await state(client, 1))["busy"]

    told = await asyncio.wait_for(client.command(2, "model", "well"), PATIENCE)

    assert told["model"] == "well"
    assert await offered(client, 3) == ["2.5]"]


async def test_the_end_of_the_session_ends_a_process_that_hangs(client: Client) -> None:
    """A server that ends waits for nobody."""
    await begin(client, "hung:work")
    answer = client.complete(1, 0, len(TEXT))
    await asyncio.sleep(0)
    completer = client.server.session.completer

    completer.abandon()

    assert items(await asyncio.wait_for(answer, PATIENCE)) == []


async def test_a_defect_in_loading_leaves_the_model_that_works(client: Client) -> None:
    """Another model that cannot be loaded for a reason that nobody foresaw takes nothing away."""
    await begin(client, "well")
    completer = client.server.session.completer
    assert isinstance(completer, RemoteCompleter)
    first = completer.process

    told = await client.command(1, "model", "defect:load")

    assert (told["kind"], told["model"]) == ("Warning", "well")
    assert "because of a defect in Dovetail" in told["message"]
    assert await offered(client, 2) == ["2.5]"]
    assert completer.process == first


async def test_a_process_that_was_ended_and_is_wanted_still_is_begun_anew(client: Client) -> None:
    """A request that finds the process gone, whoever ended it, has the model loaded again; the next one is served."""
    await begin(client, "well")
    completer = client.server.session.completer
    assert isinstance(completer, RemoteCompleter)
    first = completer.process

    completer.abandon()
    await offered(client, 1)

    assert await offered(client, 2) == ["2.5]"]
    assert completer.process not in (None, first)
    assert (await state(client, 3))["kind"] == "Normal"


def test_settings_that_nobody_waits_for_any_more_cost_no_model(completer: RemoteCompleter) -> None:
    """Newer settings may come while settings are taken; only the loading of a model is worth ending."""
    settings = Settings(model="well")
    assert completer.load(settings, CancelToken()) is None
    first = completer.process
    cancelled = CancelToken()
    cancelled.cancel()

    assert completer.load(dataclasses.replace(settings, max_tokens=11), cancelled) is None
    assert completer.process == first
    assert completer.load(dataclasses.replace(settings, max_tokens=12), CancelToken()) is None
    assert completer.process == first

    given_up = completer.load(dataclasses.replace(settings, model="other"), cancelled)
    assert given_up is not None
    assert "was given up" in given_up
