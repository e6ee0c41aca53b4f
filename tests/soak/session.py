"""One session: somebody edits files through the protocol, and after every step everything is checked."""

from __future__ import annotations

import asyncio
import hashlib
import sysconfig
import time
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from tests.soak.peer import Peer
from tests.soak.record import Record, Request, Sample, memory, processor
from tests.soak.server import OBSERVE
from tests.soak.typist import Buffer, act, json_text, move
from tests.soak.validity import TARGET, fault_of, parses

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.soak.peer import Answer

FILES = ("textwrap.py", "json/decoder.py", "bisect.py", "queue.py")
"""Of the standard library; and a document of JSON."""

_PATIENCE = 300.0
"""Seconds after which a request counts as not answered."""

_BY_HAND, _AUTOMATIC = 1, 2
"""Requests by the user's hand, and by the editor itself."""

_BETWEEN = 5.0
"""Seconds between two samples of the memory."""


class Session:
    """The editor's side of a session."""

    def __init__(self, peer: Peer, seed: int, options: dict[str, object]) -> None:
        self.record = Record(seed=seed)
        self._peer = peer
        self._options = options
        self._random = Random(seed)
        self._buffers: list[Buffer] = []
        self._began = time.monotonic()
        self.model = 0
        """The process of the model."""
        self._stale: list[asyncio.Future[Answer]] = []  # requests whose answers nobody waits for

    async def run(self, goes_on: Callable[[Record], bool], rounds: int = 0) -> Record:
        """Edit as long as a function says so, compare the server with a new one, and end the session in order."""
        library = Path(sysconfig.get_path("stdlib"))
        for name in FILES:
            text = (library / name).read_text("utf-8")
            self._buffers.append(Buffer(f"file:///{name}", "python", text, text, 0))
        text = json_text()
        self._buffers.append(Buffer("file:///data.json", "json", text, text, 0))
        await self._begin()
        while goes_on(self.record):
            await self._step()
        if self._stale:
            await asyncio.wait_for(asyncio.wait(self._stale), _PATIENCE)
        self.record.minutes = (time.monotonic() - self._began) / 60
        if rounds:
            await self._compare_ages(rounds)
        await self._end()
        return self.record

    async def _end(self) -> None:
        code = await asyncio.wait_for(self._peer.end(), _PATIENCE)
        self._check(code == 0, f"the server ended with code {code}")
        self._check(not self._peer.open, f"{len(self._peer.open)} requests were not answered")

    async def _begin(self) -> None:
        options = {"python": {"target_version": TARGET}, **self._options}
        params = {"processId": None, "rootUri": None, "capabilities": {}, "initializationOptions": options}
        await self._peer.result("initialize", params)
        self._peer.notify("initialized", {})
        for buffer in self._buffers:
            self._open(buffer)
        for _ in range(600):
            status = await self._command("status")
            if not status["busy"]:
                break
            await asyncio.sleep(0.1)
        assert status["kind"] == "Normal", status
        await self._compare()
        for buffer in self._buffers:  # what is built once is no matter of a long day
            move(self._random, buffer)
            await self._answer(buffer)

    def _open(self, buffer: Buffer) -> None:
        document = {"uri": buffer.uri, "languageId": buffer.language, "version": buffer.version, "text": buffer.text}
        self._peer.notify("textDocument/didOpen", {"textDocument": document})

    async def _step(self) -> None:
        """Do one thing, see whether the server has the same text, and perhaps ask for a completion."""
        random = self._random
        buffer = self._act(self._peer)
        what = random.random()
        if what < 0.5:
            await self._ask(buffer)
        elif what < 0.65:
            self._ask_in_vain(buffer, cancel=what < 0.6)
        elif what < 0.67:
            await self._command(random.choice(("why", "status")), buffer.uri)
        elif what < 0.68:
            self._reopen(buffer)
        await self._compare()

    def _act(self, *peers: Peer) -> Buffer:
        """Do one thing to one of the documents, tell servers of it, and return the document."""
        random = self._random
        buffer = random.choice(self._buffers)
        kind, edits = act(random, buffer)
        self.record.count(kind)
        if kind == "move":
            move(random, buffer)
        if kind == "undo":
            del buffer.undone[len(buffer.undone) - len(edits) :]
        changes = [buffer.apply(edit, remember=kind != "undo") for edit in edits]
        document = {"uri": buffer.uri, "version": buffer.version}
        for peer in peers:
            if kind == "save":
                peer.notify("textDocument/didSave", {"textDocument": {"uri": buffer.uri}})
            if edits:
                peer.notify("textDocument/didChange", {"textDocument": document, "contentChanges": changes})
        return buffer

    async def _compare_ages(self, rounds: int) -> None:
        """Edit on, and ask this server and a new one the same: whatever became of the texts, both have the same."""
        alone = {**self._options, "host": {"shared": False}}  # a new server of an old host would have its age
        new = Session(await Peer.start("tests.soak.server"), self.record.seed, alone)
        new._buffers = self._buffers
        await new._begin()
        for number in range(rounds):
            buffer = self._act(self._peer, new._peer)
            sides = (self, new) if number % 2 else (new, self)
            for side in sides:
                await side._answer(buffer)
            self.record.ages.append((self.record.requests.pop().processor, new.record.requests[-1].processor))
        await new._end()
        self.record.faults += new.record.faults

    async def _answer(self, buffer: Buffer, kind: int = _AUTOMATIC) -> Answer:
        """Ask for a completion, wait for the answer, and take note of what it took."""
        processes = [self._peer.process.pid, self.model]
        taken = sum(map(processor, processes))
        begun = time.monotonic()
        _, waiting = self._request(buffer, kind)
        answer = await asyncio.wait_for(waiting, _PATIENCE)
        self.record.requests.append(Request(time.monotonic() - begun, sum(map(processor, processes)) - taken))
        return answer

    async def _ask(self, buffer: Buffer) -> None:
        """Ask for a completion, judge it, and now and then take it."""
        at = time.monotonic() - self._began
        if at > len(self.record.samples) * _BETWEEN:
            self.record.samples.append(Sample(at, memory(self._peer.process.pid), memory(self.model)))
        answer = await self._answer(buffer, self._kind())
        if not self._check("error" not in answer, f"a completion failed: {answer}"):
            return
        for item in answer["result"]["items"]:
            self._judge(buffer, item)
        if answer["result"]["items"] and self._random.random() < 0.3:
            item = answer["result"]["items"][0]
            self.record.count("accept")
            start = self._offset(buffer, item["range"]["start"])
            text = item["insertText"]
            before = {"start": item["range"]["start"], "end": item["range"]["end"]}
            buffer.text = buffer.text[:start] + text + buffer.text[buffer.cursor :]
            buffer.cursor = start + len(text)
            buffer.version += 1
            buffer.undone.clear()
            document = {"uri": buffer.uri, "version": buffer.version}
            change = {"range": before, "text": text}
            self._peer.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})

    def _judge(self, buffer: Buffer, item: dict[str, Any]) -> None:
        """Judge one suggestion, which begins at the cursor or before it."""
        self.record.offered += 1
        start = self._offset(buffer, item["range"]["start"])
        left, text, right = buffer.text[:start], item["insertText"], buffer.text[buffer.cursor :]
        if parses(buffer.language, left + text + right):
            judged = "the whole parses"
        else:
            fault = fault_of(buffer.language, left, text, right)
            judged = "the kept text parses" if fault is None else "wrong"
            place = f"{buffer.uri} at {start}: {left[-200:]!r} {text!r} {right[:200]!r}"
            if not self._check(fault is None, f"{fault}: {place}"):
                self.record.places.append((left, text, right))
        self.record.checked[judged] = self.record.checked.get(judged, 0) + 1

    def _ask_in_vain(self, buffer: Buffer, *, cancel: bool) -> None:
        """Ask for a completion and go on without waiting for it."""
        number, waiting = self._request(buffer, self._kind())
        self._stale = [answer for answer in self._stale if not answer.done()] + [waiting]
        if cancel:
            self.record.count("cancel")
            self._peer.notify("$/cancelRequest", {"id": number})

    def _kind(self) -> int:
        return _BY_HAND if self._random.random() < 0.1 else _AUTOMATIC

    def _request(self, buffer: Buffer, kind: int) -> tuple[int, asyncio.Future[Answer]]:
        self.record.asked += 1
        place = buffer.place(buffer.cursor)
        params = {"textDocument": {"uri": buffer.uri}, "position": place, "context": {"triggerKind": kind}}
        return self._peer.ask("textDocument/inlineCompletion", params)

    def _reopen(self, buffer: Buffer) -> None:
        """Close a document and open it again as it was at first."""
        self.record.count("reopen")
        self._peer.notify("textDocument/didClose", {"textDocument": {"uri": buffer.uri}})
        buffer.text, buffer.cursor, buffer.undone = buffer.original, 0, []
        self._open(buffer)

    async def _command(self, name: str, *arguments: object) -> Any:
        params = {"command": f"dovetail.server.{name}", "arguments": arguments}
        return await asyncio.wait_for(self._peer.result("workspace/executeCommand", params), _PATIENCE)

    async def _compare(self) -> None:
        """See whether the server has the texts that a from-scratch copy has."""
        observed = await asyncio.wait_for(self._peer.result(OBSERVE, {}), _PATIENCE)
        own = {
            buffer.uri: hashlib.sha256(buffer.text.encode("utf-8", "surrogatepass")).hexdigest()
            for buffer in self._buffers
        }
        self._check(self.model in (0, observed["process"]), "the model has another process")
        self.model = observed["process"]
        self._check(observed["texts"] == own, f"texts differ after step {sum(self.record.steps.values())}")

    def _offset(self, buffer: Buffer, place: dict[str, int]) -> int:
        """Return the offset of a position at or before the cursor."""
        for offset in range(buffer.cursor, -1, -1):
            if buffer.place(offset) == place:
                return offset
        raise AssertionError("the item is for a place after the cursor")

    def _check(self, holds: bool, otherwise: str) -> bool:
        if not holds:
            self.record.faults.append(otherwise)
        return holds


async def soak(
    goes_on: Callable[[Record], bool], *, seed: int, rounds: int = 0, windows: int = 1, **options: object
) -> Record:
    """Run one session with a server of its own and return its record.

    `rounds`: after it, so many requests are asked of the server and of a new one. `windows`: more than one run at once,
    each with another seed, and share one host; the record has the faults and suggestions of all, and the figures of the
    first.
    """
    options["host"] = {"shared": windows > 1, "idle": 0}
    sessions = [Session(await Peer.start("tests.soak.server"), seed + number, options) for number in range(windows)]
    first, *others = [session.run(goes_on, rounds if number == 0 else 0) for number, session in enumerate(sessions)]
    record, *further = await asyncio.gather(first, *others)
    for other in further:
        record.add(other)
    if len({session.model for session in sessions}) > 1:
        record.faults.append("the windows did not share a process")
    return record
