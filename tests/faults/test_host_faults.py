"""Failures of the process that windows share: each says so once, one starts it again, and no text is lost."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.faults.shared_host import NEWER, command, remove
from tests.lsp.client import Client, items

from dovetail.completer.host.finder import HostFinder
from dovetail.completer.host.folder import HostFolder
from dovetail.completer.remote import RemoteCompleter
from dovetail.lsp.server import Server

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

TEXT = '{"a": [1, '

PATIENCE = 120
"""Seconds for what takes a fraction of one where nothing else runs."""

RESTARTED = "The model process stopped and was restarted."


@pytest.fixture(name="place")
def _place() -> Iterator[Path]:
    # The path of a socket has to be short.
    place = Path(tempfile.mkdtemp(prefix="dt"))
    yield place
    remove(place)


class Windows:
    """Three editors of one user, each with a server of its own."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.finder = HostFinder(HostFolder(place / "hosts"), command(place))
        alone = [sys.executable, "-m", "tests.faults.scripted_host", str(place)]
        self.completers = [RemoteCompleter(alone, self.finder) for _ in range(3)]
        self.clients = [Client(Server(completer, {})) for completer in self.completers]
        self.typed = ["", "", ""]
        """The texts typed in the windows after `TEXT`."""
        self._number = 0

    async def begin(self, model: str, *, typing: int = 3, **options: object) -> None:
        """Begin three sessions with a model; a document is open in the first `typing` windows."""
        given = {"model": model, "debounce": 0, "min_characters": 1, "host": {"shared": True, "idle": 0}, **options}
        for index, client in enumerate(self.clients):
            await client.begin(options=given, status=True)
            if index < typing:
                client.open(TEXT + "}", "json")
        await self.loaded()

    async def loaded(self) -> None:
        """Wait until every window has its model, or cannot have it."""
        await asyncio.sleep(0)
        for client in self.clients:
            await asyncio.wait_for(client.loaded(), PATIENCE)

    async def offered(self, *which: int) -> list[list[str]]:
        """Ask in all windows at once, or in some, and return the texts of each, without the blanks of the model."""
        self._number += 1
        asked = which or range(len(self.clients))
        ends = [len(TEXT) + len(self.typed[index]) for index in asked]
        answers = [self.clients[index].complete(self._number, 0, end) for index, end in zip(asked, ends, strict=True)]
        found = [items(answer) for answer in await asyncio.wait_for(asyncio.gather(*answers), PATIENCE)]
        return [[item["insertText"].replace("\t", "") for item in answer] for answer in found]

    async def left(self, process: int) -> None:
        """Wait until every window has noticed the end of a process, and has another."""
        ends = asyncio.get_running_loop().time() + PATIENCE
        while self.processes() & {process, None}:
            assert asyncio.get_running_loop().time() < ends
            await asyncio.sleep(0.01)
        await self.loaded()

    def type(self, index: int, text: str) -> None:
        """Type some text at the cursor of a window."""
        place = {"line": 0, "character": len(TEXT) + len(self.typed[index])}
        self.typed[index] += text
        self.clients[index].change(2, {"range": {"start": place, "end": place}, "text": text})

    async def until_offered(self, *texts: str) -> None:
        """Ask in all windows until each has its text, `2.5]` if no others are expected."""
        expected = [[text] for text in texts] or [["2.5]"]] * 3
        ends = asyncio.get_running_loop().time() + PATIENCE
        while await self.offered() != expected:
            assert asyncio.get_running_loop().time() < ends
            await self.loaded()

    async def told(self, index: int) -> dict[str, object]:
        """Return the status of a window."""
        self._number += 1
        return await self.clients[index].command(self._number, "status")

    def said(self, index: int, words: str) -> int:
        """Return how often a window was told something new with these words."""
        told = [message["params"] for message in self.clients[index].notifications if "params" in message]
        sentences = [params.get("message", "") for params in told if isinstance(params, dict)]
        return sum(words in now and now != before for before, now in zip(["", *sentences], sentences, strict=False))

    def processes(self) -> set[int | None]:
        """Return the processes of the windows."""
        return {completer.process for completer in self.completers}

    @property
    def host(self) -> int:
        """The one process that all windows have."""
        [process] = self.processes()
        assert process is not None
        assert all(completer.shares for completer in self.completers)
        return process


@pytest.fixture(name="windows")
async def _windows(place: Path) -> AsyncIterator[Windows]:
    windows = Windows(place)
    yield windows
    for completer in windows.completers:
        completer.abandon()
    for client in windows.clients:
        assert await asyncio.to_thread(client.server.session.end_work, PATIENCE)
    for status in [status for _, status in windows.finder.status() if status is not None]:
        with suppress(ProcessLookupError):
            os.kill(status.process, signal.SIGKILL)


async def test_three_windows_are_served_by_one_process(windows: Windows) -> None:
    """Three servers find one host, each is answered, and the last one to go takes it along."""
    await windows.begin("well")

    assert await windows.offered() == [["2.5]"]] * 3
    host = windows.host
    [(_, status)] = windows.finder.status()
    assert status is not None
    assert (status.process, status.model, status.windows) == (host, "well", 3)
    assert status.memory is None or status.memory > 1e6


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
async def test_a_host_that_is_killed_is_started_again_by_one_window(windows: Windows, how: signal.Signals) -> None:
    """While three windows type: every one is told once, all get the same new host, and no text is lost."""
    await windows.begin("well")
    first = windows.host
    asked = asyncio.create_task(windows.offered())
    await asyncio.sleep(0)

    os.kill(first, how)
    await asked
    await windows.until_offered()

    assert windows.host != first
    assert [windows.said(index, RESTARTED) for index in range(3)] == [1, 1, 1]
    assert [(await windows.told(index))["kind"] for index in range(3)] == ["Normal"] * 3


async def test_what_is_typed_while_there_is_no_host_is_completed_by_the_next(windows: Windows) -> None:
    """Edits made in three windows after the host was killed are in the documents of the next one, each in its own."""
    await windows.begin("well")
    assert await windows.offered() == [["2.5]"]] * 3
    first = windows.host

    os.kill(first, signal.SIGKILL)
    for index, text in enumerate(("[", '{"b": ', "7, ")):
        windows.type(index, text)
    await windows.until_offered("2.5]]", "2.5}]", "2.5]")

    assert windows.host != first


async def test_a_host_that_dies_at_work_is_started_again(windows: Windows) -> None:
    """The request in which it dies offers nothing; afterwards all windows are served by one new host."""
    await windows.begin("killed:work:once")
    first = windows.host

    assert await windows.offered(0) == [[]]
    await windows.until_offered()

    assert windows.host != first


async def test_a_host_that_hangs_is_ended_by_one_window(windows: Windows) -> None:
    """A window whose answer does not come in time ends the host; all windows are told and go on with another."""
    await windows.begin("hung:work:once", time_limit=0.1, hang_limit=10)
    first = windows.host

    await windows.offered()
    await windows.until_offered()

    assert windows.host != first
    with pytest.raises(ProcessLookupError):
        os.kill(first, 0)
    for index in range(3):
        assert windows.said(index, RESTARTED) + windows.said(index, "it did not answer") >= 1


async def test_windows_of_a_replaced_version_get_processes_of_their_own(windows: Windows) -> None:
    """After an upgrade under a running host all goes on; when that host dies, each old window has its own process."""
    await windows.begin("well")
    first = windows.host
    (windows.place / NEWER).touch()
    assert await windows.offered() == [["2.5]"]] * 3

    os.kill(first, signal.SIGKILL)
    await windows.loaded()
    await windows.until_offered()

    assert not any(completer.shares for completer in windows.completers)
    assert len(windows.processes() - {first, None}) == 3


async def test_a_window_of_another_version_is_kept_apart(windows: Windows, monkeypatch: pytest.MonkeyPatch) -> None:
    """It never uses the host that runs, and disturbs nobody who does."""
    await windows.begin("well")
    first = windows.host
    later = windows.completers[2]
    monkeypatch.setattr(later._links, "_build", "later")

    told = await windows.clients[2].command(90, "restart")

    assert told["kind"] == "Normal"
    assert later.process not in (None, first)
    assert not later.shares, "the files here are not of that version"
    assert await windows.offered() == [["2.5]"]] * 3
    assert [completer.process for completer in windows.completers[:2]] == [first, first]


async def test_memory_that_is_short_is_told_to_every_window(windows: Windows) -> None:
    """The host is replaced, and every window knows why and reads half of the window from then on."""
    await windows.begin("memory:work")
    first = windows.host

    assert await windows.offered(0) == [[]]
    await windows.left(first)

    assert windows.host != first
    for index in range(3):
        message = (await windows.told(index))["message"]
        assert "ran out of memory" in str(message)
        assert "half of its window" in str(message)


async def test_a_restart_by_hand_replaces_the_host(windows: Windows) -> None:
    """`dovetail.server.restart` in one window ends the process for all, even one that does not run any more."""
    await windows.begin("well")
    first = windows.host
    os.kill(first, signal.SIGSTOP)

    told = await asyncio.wait_for(windows.clients[0].command(91, "restart"), PATIENCE)
    await windows.until_offered()

    assert told["kind"] == "Normal"
    assert windows.host != first


async def test_a_host_that_is_ended_by_hand_is_started_again(windows: Windows) -> None:
    """`dovetail host --stop` ends it for all windows; they have another at once, and nobody is told of a failure."""
    await windows.begin("well")
    first = windows.host

    [(_, status, ended)] = await asyncio.to_thread(lambda: list(windows.finder.stop()))
    await windows.left(first)
    await windows.until_offered()

    assert status is not None
    assert (status.process, status.windows, ended) == (first, 3, True)
    assert windows.host != first
    assert [windows.said(index, "stopped") for index in range(3)] == [0, 0, 0]
    assert [(await windows.told(index))["kind"] for index in range(3)] == ["Normal"] * 3


async def test_another_model_takes_nothing_from_other_windows(windows: Windows) -> None:
    """A window that chooses another model gets another host; a model that cannot be loaded leaves it where it was."""
    await windows.begin("well")
    first = windows.host

    refused = await windows.clients[0].command(92, "model", "defect:load")
    assert (refused["kind"], refused["model"], windows.host) == ("Warning", "well", first)
    chosen = await windows.clients[0].command(93, "model", "other")

    assert (chosen["kind"], chosen["model"]) == ("Normal", "other")
    assert windows.completers[0].process != first
    assert {completer.process for completer in windows.completers[1:]} == {first}
    assert await windows.offered() == [["2.5]"]] * 3


async def test_a_window_whose_requests_end_the_host_is_left_alone_with_them(windows: Windows) -> None:
    """After the second host that its requests did not survive, a window has a process of its own."""
    await windows.begin("killed:work", typing=1, fallbacks=[])

    for _ in range(2):
        host = windows.host
        assert await windows.offered(0) == [[]]
        await windows.left(host)

    assert [completer.shares for completer in windows.completers] == [False, True, True]
    assert windows.completers[0].process != windows.completers[1].process == windows.completers[2].process


async def test_a_loading_that_hangs_is_given_up_with_its_host(windows: Windows) -> None:
    """Windows that choose another model while one does not load get that, and the hanging host ends."""
    options = {"model": "hung:load", "debounce": 0, "min_characters": 1, "host": {"shared": True, "idle": 5}}
    for client in windows.clients:
        await client.begin(options=options)
        client.open(TEXT + "}", "json")

    chosen = [client.command(94, "model", "well") for client in windows.clients]
    told = await asyncio.wait_for(asyncio.gather(*chosen), PATIENCE)

    assert [status["model"] for status in told] == ["well"] * 3
    assert await windows.offered() == [["2.5]"]] * 3
    while [status for _, status in windows.finder.status() if status is None or status.process != windows.host]:
        await asyncio.sleep(0.01)
