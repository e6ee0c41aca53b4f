"""The time until the server answers while it does something else: nothing may keep its event loop for long.

Two views. What the loop itself does with a message is processor time of its thread, from the bytes to the end of the
handler. What a client feels is how long a request that needs nothing takes on its way through a real process while
the other threads build, load and complete; that is time by the clock, so the machine's own noise is in it, and the
row at rest says how much.
"""

from __future__ import annotations

import asyncio
import gc
import itertools
import json
import os
import queue
import subprocess
import tempfile
import threading
import time
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from tests.benchmarks.series import Series
from tests.end_to_end.test_process import SERVE, next_message, written
from tests.lsp.client import URI, session
from tests.lsp.scripted_completer import ScriptedCompleter

from dovetail.completer.gc_pauses import Collector

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_PAUSE = 0.005
"""Seconds between two pings."""

_PATIENCE = 120.0

LARGEST = {"max_characters": 100_000_000, "debounce": 0}


def key(text: str, line: int) -> dict[str, Any]:
    """Return the change that types a text at the beginning of a line."""
    place = {"line": line, "character": 0}
    return {"range": {"start": place, "end": place}, "text": text}


def messages(text: str) -> dict[str, tuple[str, dict[str, Any]]]:
    """Return what is sent about a document, by what it is: method and parameters."""
    middle = text.count("\n") // 2
    document = {"uri": URI, "version": 2}
    many = [key("x", line) for line in range(0, 2 * middle, max(2 * middle // 1000, 1))]
    place = {"textDocument": {"uri": URI}, "position": {"line": middle, "character": 0}}
    context = {"context": {"triggerKind": types.InlineCompletionTriggerKind.Automatic.value}}
    opened = {"uri": URI, "languageId": "python", "version": 1, "text": text}
    return {
        "open": (types.TEXT_DOCUMENT_DID_OPEN, {"textDocument": opened}),
        "first key": (types.TEXT_DOCUMENT_DID_CHANGE, {"textDocument": document, "contentChanges": [key("x", middle)]}),
        "key": (types.TEXT_DOCUMENT_DID_CHANGE, {"textDocument": document, "contentChanges": [key("x", middle)]}),
        "1,000 changes": (types.TEXT_DOCUMENT_DID_CHANGE, {"textDocument": document, "contentChanges": many}),
        "whole text": (types.TEXT_DOCUMENT_DID_CHANGE, {"textDocument": document, "contentChanges": [{"text": text}]}),
        "request": (types.TEXT_DOCUMENT_INLINE_COMPLETION, {**place, **context}),
    }


def measure_handling(text: str, repetitions: int = 5) -> dict[str, Series]:
    """Return what the event loop's thread does with each kind of message about a text: processor milliseconds."""
    found: dict[str, Series] = {}

    async def run() -> None:
        client = session(ScriptedCompleter())
        await client.begin(options=LARGEST)
        await client.loaded()
        protocol = client.server.protocol
        for number, (kind, (method, params)) in itertools.product(range(repetitions), messages(text).items()):
            message = {"jsonrpc": "2.0", "method": method, "params": params}
            if kind == "request":
                message["id"] = f"request {number}"
                client.expect(f"request {number}")
            body = json.dumps(message).encode()
            begun = time.thread_time_ns()
            protocol.receive(body)
            # What a handler leaves for later is part of it: all that is ready runs, and the other threads do not count.
            while client.server.session.in_work or client.server.session.preparing:
                await asyncio.sleep(0)
            found.setdefault(kind, Series()).durations.append((time.thread_time_ns() - begun) / 1e6)
        client.server.session.end_work(_PATIENCE)

    thresholds = gc.get_threshold()
    Collector()  # as the server has it
    try:
        asyncio.run(run())
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()
    return found


class Pinged:
    """A server process that is asked for its status again and again."""

    def __init__(self, cache: str) -> None:
        """Start it, with nothing of what it keeps on disk but what `cache` holds."""
        surroundings = {**os.environ, "XDG_CACHE_HOME": cache}
        self._process = subprocess.Popen(SERVE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=surroundings)
        self._numbers = itertools.count(1)
        self._sent: dict[int, float] = {}  # number of a ping → when it was sent
        self._answers: queue.SimpleQueue[int] = queue.SimpleQueue()
        self._writing = threading.Lock()
        self.pings = Series()
        """The present measurement: milliseconds by the clock."""
        threading.Thread(target=self._read, daemon=True).start()

    def send(self, method: str, params: object, number: int | None = None) -> None:
        """Send a notification, or a request with a number."""
        data = written({"method": method, "params": params, **({} if number is None else {"id": number})})
        with self._writing:
            assert self._process.stdin is not None
            self._process.stdin.write(data)
            self._process.stdin.flush()

    def ask(self, method: str, params: object) -> None:
        """Send a request and ping until it is answered."""
        number = -next(self._numbers)
        self.send(method, params, number)
        self.ping(lambda: self._has_answered(number))

    def ping(self, until: Callable[[], bool]) -> None:
        """Ping until something is true, and at least some times."""
        ends = time.monotonic() + _PATIENCE
        for count in itertools.count():
            number = next(self._numbers)
            self._sent[number] = time.perf_counter()
            self.send(types.WORKSPACE_EXECUTE_COMMAND, {"command": "dovetail.server.status", "arguments": []}, number)
            while self._sent.get(number) is not None and time.monotonic() < ends:
                time.sleep(_PAUSE / 10)
            assert time.monotonic() < ends, "the server does not answer any more"
            if count >= 10 and until():
                return
            time.sleep(_PAUSE)

    def close(self) -> None:
        """End the session."""
        self.send(types.SHUTDOWN, None, next(self._numbers))
        self.send(types.EXIT, None)
        self._process.wait(_PATIENCE)

    def _has_answered(self, number: int) -> bool:
        try:
            while self._answers.get_nowait() != number:
                pass
        except queue.Empty:
            return False
        return True

    def _read(self) -> None:
        assert self._process.stdout is not None
        while (message := next_message(self._process.stdout)) is not None:
            now = time.perf_counter()
            number = message.get("id")
            sent = self._sent.pop(number, None) if isinstance(number, int) else None
            if sent is not None:
                self.pings.durations.append(1000 * (now - sent))
            elif isinstance(number, int):
                self._answers.put(number)


def measure_pings(text: str) -> dict[str, Series]:
    """Return how long a request that needs nothing takes meanwhile, by what that is: milliseconds by the clock."""
    sent = messages(text)
    found: dict[str, Series] = {}

    def phases(server: Pinged) -> Iterator[str]:
        server.ask(types.INITIALIZE, {"capabilities": {}, "processId": None, "rootUri": None,
                                      "initializationOptions": {**LARGEST, "max_tokens": 16}})  # fmt: skip
        yield "the model is loaded, the tables of the language are built"
        server.send(types.INITIALIZED, {})
        short = {"uri": "file:///short.py", "languageId": "python", "version": 1, "text": "x = 1\n"}
        server.send(types.TEXT_DOCUMENT_DID_OPEN, {"textDocument": short})
        place = {"textDocument": {"uri": "file:///short.py"}, "position": {"line": 1, "character": 0}}
        server.ask(types.TEXT_DOCUMENT_INLINE_COMPLETION, {**place, "context": {"triggerKind": 1}})
        yield "at rest"
        ends = time.monotonic() + 3
        server.ping(lambda: time.monotonic() > ends)
        yield "the document is opened and completed for the first time"
        server.send(*sent["open"])
        server.ask(*sent["request"])
        yield "keys are pressed in it, each with a request"
        for _ in range(10):
            server.send(*sent["key"])
            server.ask(*sent["request"])
        yield "its whole text is sent again, and completed"
        for _ in range(3):
            server.send(*sent["whole text"])
            server.ask(*sent["request"])
        yield ""

    with tempfile.TemporaryDirectory() as folder:
        server = Pinged(folder)
        for name in phases(server):
            if name:
                server.pings = found[name] = Series()
        server.close()
    return found
