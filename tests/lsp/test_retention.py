"""Retention: an accepted text is kept if it stands in its document, unchanged, thirty seconds later."""

from __future__ import annotations

import asyncio
import json
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.lsp.client import URI, Client, items, replacing, session
from tests.lsp.counting_meter import CountingMeter
from tests.lsp.scripted_completer import ScriptedCompleter

from dovetail.lsp.retention import SECONDS, followed
from dovetail.statistics.counts import Counts, Subject
from dovetail.statistics.recorder import Recorder
from dovetail.statistics.storage import Storage

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

IN_PART = "textDocument/didPartiallyAcceptCompletion"


class Clock:
    """Time that passes when a test says so."""

    def __init__(self) -> None:
        self.now = 0.0
        self._planned: list[tuple[float, Callable[[], None]]] = []

    def later(self, seconds: float, call: Callable[[], None]) -> None:
        """Plan a call."""
        self._planned.append((self.now + seconds, call))

    def pass_by(self, seconds: float) -> None:
        """Let time pass and make the calls that are due."""
        self.now += seconds
        due = [call for time, call in self._planned if time <= self.now]
        self._planned = [(time, call) for time, call in self._planned if time > self.now]
        for call in due:
            call()


class Editor:
    """A user who accepts a text and goes on."""

    def __init__(self, client: Client, clock: Clock, meter: CountingMeter) -> None:
        self.client = client
        self.clock = clock
        self.meter = meter
        self.version = 1
        self.number = 0

    async def offered(self, line: int, column: int) -> dict[str, Any]:
        """Return the item that is offered at a place."""
        self.number += 1
        [item] = items(await self.client.complete(self.number, line, column))
        return item

    def change(self, *changes: dict[str, Any]) -> None:
        """Change the document."""
        self.version += 1
        self.client.change(self.version, *changes)

    async def accept(self, item: dict[str, Any]) -> None:
        """Run the command of an item."""
        self.number += 1
        await self.client.accept(self.number, item)

    async def events(self) -> list[str]:
        """Return the events of texts so far."""
        self.number += 1
        await self.client.command(self.number, "status")  # the server has read all that was sent before
        return [event for _, event in self.meter.noted]


@pytest.fixture(name="clock")
def _clock() -> Clock:
    return Clock()


@pytest.fixture(name="editor")
async def _editor(clock: Clock) -> AsyncIterator[Editor]:
    meter = CountingMeter()
    client = session(ScriptedCompleter("f(1)\ng()"), meter=meter)
    client.server.session.statistics.retention.later = clock.later
    await client.begin(options={"debounce": 0})
    client.open("a\nx = \nb\n")
    yield Editor(client, clock, meter)
    assert await asyncio.to_thread(client.server.session.end_work, 10)


INSERTION = replacing((1, 4), (1, 4), "f(1)\ng()")


@pytest.mark.parametrize("told_first", [True, False], ids=["told before the change", "told after the change"])
@pytest.mark.parametrize(
    ("later", "outcome"),
    [
        ([], "kept"),
        ([replacing((2, 3), (2, 3), "\nmore = 1")], "kept"),
        ([replacing((0, 0), (0, 1), "another line\nand one")], "kept"),
        ([replacing((1, 4), (1, 4), "not ")], "kept"),
        ([replacing((2, 0), (2, 1), "h"), replacing((2, 0), (2, 1), "g")], "kept"),
        ([{"text": "new\na\nx = f(1)\ng()\nb\n"}], "kept"),
        ([replacing((1, 6), (1, 7), "2")], "changed"),
        ([replacing((1, 4), (2, 3), "")], "changed"),
        ([replacing((2, 0), (2, 3), "")], "changed"),
        ([{"text": ""}], "changed"),
        ([replacing((1, 4), (2, 3), ""), replacing((0, 0), (0, 0), "f(1)\ng()\n" * 2 + "#" * 40)], "changed"),
    ],
)
async def test_an_accepted_text_is_kept_or_changed(
    editor: Editor, told_first: bool, later: list[dict[str, Any]], outcome: str
) -> None:
    """Edits around a text keep it, edits within it change it, in whatever order the editor tells of its acceptance."""
    item = await editor.offered(1, 4)
    if told_first:
        await editor.accept(item)
        editor.change(INSERTION)
    else:
        editor.change(INSERTION)
        await editor.accept(item)
    for change in later:
        editor.change(change)

    assert await editor.events() == ["shown", "accepted"]
    editor.clock.pass_by(SECONDS - 1)
    assert await editor.events() == ["shown", "accepted"]
    editor.clock.pass_by(1)
    assert await editor.events() == ["shown", "accepted", outcome]


async def test_line_ends_of_the_file_are_no_change(editor: Editor) -> None:
    """In a file with other line ends than the item's, the text is kept."""
    item = await editor.offered(1, 4)
    editor.change(replacing((1, 4), (1, 4), "f(1)\r\ng()"))
    await editor.accept(item)
    editor.clock.pass_by(SECONDS)

    assert await editor.events() == ["shown", "accepted", "kept"]


async def test_parts_are_measured_once_after_the_last(editor: Editor) -> None:
    """A part that is followed by another is not measured; the last one is, thirty seconds after it."""
    item = await editor.offered(1, 4)
    editor.change(replacing((1, 4), (1, 4), "f"))
    editor.client.notify(IN_PART, {"item": item, "acceptedLength": 1})
    editor.clock.pass_by(SECONDS - 1)
    editor.change(replacing((1, 5), (1, 5), "(1)"))
    editor.client.notify(IN_PART, {"item": item, "acceptedLength": 4})
    editor.clock.pass_by(SECONDS - 1)
    assert await editor.events() == ["shown", "partly"]

    editor.clock.pass_by(1)
    assert await editor.events() == ["shown", "partly", "kept"]
    await editor.accept(item)
    editor.clock.pass_by(SECONDS)
    assert await editor.events() == ["shown", "partly", "kept", "completed"]


async def test_a_closed_document_is_not_measured(editor: Editor) -> None:
    """A text of a closed document is not counted, as nobody knows if it was kept; opened again it is another one."""
    item = await editor.offered(1, 4)
    editor.change(INSERTION)
    await editor.accept(item)
    editor.client.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
    editor.client.open("f(1)\ng()")
    editor.clock.pass_by(SECONDS)

    assert await editor.events() == ["shown", "accepted"]


EDITS = st.tuples(st.integers(0, 30), st.integers(0, 30), st.text("xy\n", max_size=5))


@given(st.text("ab\n", max_size=20), st.text("ab\n", max_size=20), st.lists(EDITS, max_size=8))
def test_a_text_that_no_edit_touches_is_within_its_range(
    before: str, after: str, edits: list[tuple[int, int, str]]
) -> None:
    """After any edits beside a text, and after its own insertion, its place is within the range that is followed."""
    mark = "MARK"
    text = before + mark + after
    low, high = followed(len(before), len(before), [(len(before), len(before), mark)])
    for first, last, inserted in edits:
        start, end = sorted((min(first, len(text)), min(last, len(text))))
        place = text.index(mark)
        if start < place + len(mark) and end > place:
            continue  # it would change the text itself
        text = text[:start] + inserted + text[end:]
        low, high = followed(low, high, [(start, end, inserted)])

    assert low <= text.index(mark) <= high


@pytest.mark.parametrize("on", [True, False])
async def test_the_file_counts_by_language_and_reason_and_holds_no_text(tmp_path: Path, on: bool) -> None:
    """With the setting a session leaves a row of numbers and no word of a document; without it, no file."""
    storage = Storage(tmp_path / "state")
    clock = Clock()
    client = session(ScriptedCompleter("confidential"))
    statistics = client.server.session.statistics
    statistics.retention.later = clock.later
    statistics.recorder = Recorder(storage, clock.later, lambda call: call())
    await client.begin(options={"debounce": 0, "statistics": on})
    client.open("secret = ")
    [item] = items(await client.complete(1, 0, 9))
    client.change(2, replacing((0, 9), (0, 9), "confidential"))
    await client.accept(2, item)
    clock.pass_by(SECONDS)
    statistics.recorder.close()

    assert storage.path.exists() is on
    if on:
        about = Subject(date.today().isoformat(), "python", "it is the text", "scripted")
        assert storage.read() == {about: Counts(shown=1, accepted=1, measured=1, kept=1)}
        [row] = json.loads(storage.path.read_bytes())["rows"]
        assert set(row) == {*Subject._fields, *Counts._fields}
        for word in ("confidential", "secret", "example.py", "file:", item["command"]["arguments"][0]):
            assert word not in storage.path.read_text(encoding="utf-8")
    assert await asyncio.to_thread(client.server.session.end_work, 10)
