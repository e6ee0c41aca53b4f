"""A simulated editor: it types on in a file, asks at times of its own, and drops what is out of date."""

from __future__ import annotations

import asyncio
import json
import time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

_LINES = 60, 20
"""Lines of a window before and after the cursor's."""


class Outcome(NamedTuple):
    """One request and its end."""

    key: str
    status: int
    """The answer's; 0 if the editor dropped the request, -1 if there was no answer at all."""
    seconds: float
    """From the time at which it was due, so a host that stalls is not spared the requests behind."""
    has_text: bool


class Editor:
    """One user with one document."""

    def __init__(self, address: str, key: str, text: str, rate: float, chance: random.Random) -> None:
        """Edit a file's text; `rate`: requests in a second, at random times, on average."""
        self._place = address.removeprefix("http://").rpartition(":")
        self._key = key
        self._lines = text.splitlines(keepends=True)
        self._rate = rate
        self._chance = chance
        self._line = chance.randrange(len(self._lines))
        self._column = 0
        self.outcomes: list[Outcome] = []

    async def work(self, requests: int) -> None:
        """Ask a number of times; an answer that is not there when the next is asked for is not wanted any more."""
        due = time.monotonic() + self._chance.expovariate(self._rate)
        running: asyncio.Task[None] | None = None
        for _ in range(requests):
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            if running is not None and not running.done():
                running.cancel()
            running = asyncio.create_task(self._ask(self.body(), due))
            due += self._chance.expovariate(self._rate)
        if running is not None:
            await asyncio.wait([running])

    def body(self) -> bytes:
        """Return the request after some more keys, or at another place of the file."""
        self._column += self._chance.randrange(1, 5)
        while self._column > len(self._lines[self._line].rstrip("\n")):
            self._line, self._column = (self._line + 1) % len(self._lines), 0
        before, after = _LINES
        typed, line = self._lines[self._line][: self._column], self._line
        left = "".join(self._lines[max(0, line - before) : line]) + typed
        right = "\n" + "".join(self._lines[line + 1 : line + 1 + after])
        return json.dumps({"prompt": left, "suffix": right, "max_tokens": 32}).encode()

    async def _ask(self, body: bytes, due: float) -> None:
        status, has_text = -1, False
        try:
            status, has_text = await self.exchange(body)
        except asyncio.CancelledError:
            status = 0
        except (OSError, asyncio.IncompleteReadError, ValueError):
            pass
        self.outcomes.append(Outcome(self._key, status, time.monotonic() - due, has_text))

    async def exchange(self, body: bytes) -> tuple[int, bool]:
        """Send a request and return the answer's status, and True with it if there is a text."""
        host, _, port = self._place
        reader, writer = await asyncio.open_connection(host, int(port))
        try:
            head = (
                f"POST /v1/completions HTTP/1.1\r\nhost: {host}\r\nx-api-key: {self._key}\r\n"
                f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
            )
            writer.write(head.encode() + body)
            answer = await reader.read()
        finally:
            writer.close()
        status = int(answer.split(b" ", 2)[1])
        found = json.loads(answer.partition(b"\r\n\r\n")[2])
        return status, status == 200 and bool(found["choices"][0]["text"])


async def drive(editors: Sequence[Editor], requests: int) -> list[Outcome]:
    """Let all editors work at once, each with so many requests, and return how these ended."""
    await asyncio.gather(*(editor.work(requests) for editor in editors))
    return [outcome for editor in editors for outcome in editor.outcomes]
