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
    ended: float = 0.0
    """By the clock that never goes back."""


class Answer(NamedTuple):
    """A text that a host gave, and the window for which it gave it."""

    key: str
    left: str
    text: str
    right: str


class Editor:
    """One user with one document."""

    def __init__(
        self, address: str, key: str, text: str, rate: float, chance: random.Random, document: str | None = None
    ) -> None:
        """Edit a file's text; `rate`: requests in a second, at random times, on average.

        `document`: the name that the host is told for it.
        """
        named = "" if document is None else f"x-session-id: {document}\r\n"
        self._headers = f"x-api-key: {key}\r\n{named}"
        self._place = address.removeprefix("http://").rpartition(":")
        self._key = key
        self._lines = text.splitlines(keepends=True)
        self._rate = rate
        self._chance = chance
        self._line = chance.randrange(len(self._lines))
        self._column = 0
        self.outcomes: list[Outcome] = []
        self.answers: list[Answer] = []
        """The texts that were not empty."""

    async def work(self, requests: int) -> None:
        """Ask a number of times; an answer that is not there when the next is asked for is not wanted any more."""
        due = time.monotonic() + self._chance.expovariate(self._rate)
        running: asyncio.Task[None] | None = None
        for _ in range(requests):
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            if running is not None and not running.done():
                running.cancel()
            running = asyncio.create_task(self._ask(due))
            due += self._chance.expovariate(self._rate)
        if running is not None:
            await asyncio.wait([running])

    def window(self) -> tuple[str, str]:
        """Return the texts on both sides of the cursor after some more keys, or at another place of the file."""
        self._column += self._chance.randrange(1, 5)
        while self._column > len(self._lines[self._line].rstrip("\n")):
            self._line, self._column = (self._line + 1) % len(self._lines), 0
        before, after = _LINES
        typed, line = self._lines[self._line][: self._column], self._line
        left = "".join(self._lines[max(0, line - before) : line]) + typed
        right = "\n" + "".join(self._lines[line + 1 : line + 1 + after])
        return left, right

    async def _ask(self, due: float) -> None:
        status, text = -1, ""
        left, right = self.window()
        try:
            status, text = await self.exchange(left, right)
        except asyncio.CancelledError:
            status = 0
        except (OSError, asyncio.IncompleteReadError, ValueError):
            pass
        now = time.monotonic()
        self.outcomes.append(Outcome(self._key, status, now - due, bool(text), now))
        if text:
            self.answers.append(Answer(self._key, left, text, right))

    async def exchange(self, left: str, right: str) -> tuple[int, str]:
        """Send a request and return the answer's status, and its text."""
        body = json.dumps({"prompt": left, "suffix": right, "max_tokens": 32}).encode()
        host, _, port = self._place
        reader, writer = await asyncio.open_connection(host, int(port))
        try:
            head = (
                f"POST /v1/completions HTTP/1.1\r\nhost: {host}\r\n{self._headers}"
                f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
            )
            writer.write(head.encode() + body)
            answer = await reader.read()
        finally:
            writer.close()
        if not answer:
            raise ConnectionResetError("the host closed the connection before it answered")
        status = int(answer.split(b" ", 2)[1])
        found = json.loads(answer.partition(b"\r\n\r\n")[2])
        return status, found["choices"][0]["text"] if status == 200 else ""


async def drive(editors: Sequence[Editor], requests: int) -> list[Outcome]:
    """Let all editors work at once, each with so many requests, and return how these ended."""
    await asyncio.gather(*(editor.work(requests) for editor in editors))
    return [outcome for editor in editors for outcome in editor.outcomes]
