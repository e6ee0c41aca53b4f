"""The connection to an engine over HTTP: questions and answers in JSON, each within a time, each to be called off.

The requests run on an event loop with a thread of its own. There a question can be asked while its asker does
something else, and calling it off closes its connection, by which engines notice that nobody wants the answer. A
blocking client can do neither, and limits only the time between two bytes, not the whole.
"""

from __future__ import annotations

import asyncio
import json
import ssl
import threading
from concurrent.futures import CancelledError
from typing import TYPE_CHECKING, Any, NamedTuple

import httpx2

from dovetail.decoding.proposer import NotWaitedForError
from dovetail.model.error import first_line
from dovetail.model.failure import EngineError, EngineLostError, EngineRefusalError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping
    from concurrent.futures import Future

SECONDS = 60.0
"""The longest time of a question and its answer; shorter than the time after which the server ends a process."""

_CONNECT_SECONDS = 5.0
"""The longest time until somebody answers at all."""

_CONNECTIONS = 4
"""Connections at once. llama.cpp's server keeps a thread for each that is kept, and has few."""

_IDLE_SECONDS = 5.0
"""Seconds for which an unused connection is kept; servers close theirs after some time, too."""

_LONGEST = 256 * 2**20
"""Bytes of an answer beyond which it is refused; a vocabulary of 256,000 tokens takes some 25 million."""

_SAID = 200
"""Characters of a refusal that are kept."""

_SLICE = 0.02
"""Seconds after which a wait looks whether the answer is still wanted."""

_LOST = (httpx2.RemoteProtocolError, httpx2.ReadError, httpx2.WriteError)
"""The exceptions that are raised where the other side ended a connection."""


class Question(NamedTuple):
    """A request to an engine."""

    path: str
    body: Mapping[str, Any] | None = None
    """The body to post; None to get the path."""


class PendingAnswer:
    """An answer that is on its way."""

    def __init__(self, future: Future[Any]) -> None:
        self._future = future

    def wait(self, wanted: Callable[[], bool] | None = None) -> Any:
        """Return the answer; raises EngineError, and NotWaitedForError as soon as `wanted` returns False."""
        while True:
            try:
                return self._future.result(None if wanted is None else _SLICE)
            except TimeoutError:
                assert wanted is not None, "without a limit nothing times out here"
                if not wanted():
                    self.call_off()
                    raise NotWaitedForError from None
            except CancelledError:
                raise NotWaitedForError from None

    def call_off(self) -> None:
        """Let the engine know that the answer is not wanted; does nothing if it is there."""
        self._future.cancel()


class Connection:
    """Asks one engine; any thread may ask."""

    def __init__(
        self,
        url: str,
        key: str | None = None,
        seconds: float = SECONDS,
        *,
        idle: float = _IDLE_SECONDS,
        trusted: ssl.SSLContext | None = None,
    ) -> None:
        """Connect to nothing yet. `key`: the bearer token; `seconds`: the longest time of one answer.

        `idle`: the seconds for which an unused connection is kept. `trusted`: the certificates that are believed, by
        default those of the system.
        """
        self.url = url
        self._seconds = seconds
        self._idle = idle
        self._trusted = trusted
        self._headers = {} if key is None else {"Authorization": f"Bearer {key}"}
        self._loop = asyncio.new_event_loop()
        self._client: httpx2.AsyncClient | None = None
        self._closed = False
        threading.Thread(target=self._run, name="engine", daemon=True).start()

    def send(self, question: Question) -> PendingAnswer:
        """Ask, and return at once."""
        return PendingAnswer(self._begin(self._answer(question)))

    def ask(self, question: Question) -> Any:
        """Ask and return the answer; raises EngineError."""
        return self.send(question).wait()

    def close(self) -> None:
        """Call off whatever is on its way, and have the thread end; any thread may close, and none waits."""
        if not self._closed:
            self._closed = True
            self._begin(self._close())

    def _run(self) -> None:
        self._loop.run_forever()
        self._loop.close()

    def _begin(self, work: Coroutine[Any, Any, Any]) -> Future[Any]:
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    async def _close(self) -> None:
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        if self._client is not None:
            await self._client.aclose()
        self._loop.stop()

    async def _answer(self, question: Question) -> Any:
        """Return the answer to a question, however it is refused or lost as an EngineError."""
        try:
            async with asyncio.timeout(self._seconds):
                try:
                    status, data = await self._exchange(question)
                except _LOST:
                    # An idle connection may have been closed since; a question changes nothing, so it is asked again.
                    status, data = await self._exchange(question)
        except TimeoutError:
            raise EngineLostError(f"{self.url} has not answered within {self._seconds:.0f} seconds") from None
        except httpx2.ConnectTimeout:
            raise EngineLostError(f"{self.url} cannot be reached within {_CONNECT_SECONDS:.0f} seconds") from None
        except (httpx2.HTTPError, httpx2.InvalidURL, ssl.SSLError, OSError) as error:
            raise EngineLostError(f"{self.url} does not answer ({first_line(error)})") from error
        if status != 200:
            raise _refusal(self.url, status, data)
        try:
            return json.loads(data)
        except (ValueError, RecursionError):
            raise EngineError(f"{self.url} answers what is no JSON") from None

    async def _exchange(self, question: Question) -> tuple[int, bytes]:
        """Send a question and return the status and the content of the answer."""
        if self._client is None:
            # No proxy, no `.netrc`, no redirect: what is asked goes to the address that the user has named.
            self._client = httpx2.AsyncClient(
                headers=self._headers,
                timeout=httpx2.Timeout(None, connect=_CONNECT_SECONDS),
                limits=httpx2.Limits(
                    max_connections=_CONNECTIONS, max_keepalive_connections=_CONNECTIONS, keepalive_expiry=self._idle
                ),
                verify=True if self._trusted is None else self._trusted,
                trust_env=False,
                follow_redirects=False,
            )
        method = "GET" if question.body is None else "POST"
        async with self._client.stream(method, self.url + question.path, json=question.body) as response:
            parts, length = [], 0
            async for part in response.aiter_bytes():
                length += len(part)
                if length > _LONGEST:
                    raise EngineError(f"{self.url} answers without end")
                parts.append(part)
        return response.status_code, b"".join(parts)


def _refusal(url: str, status: int, data: bytes) -> EngineError:
    """Return the error that an answer of another status stands for."""
    error = EngineError(f"{url} fails ({status})")
    if status in (401, 403):
        error = EngineError(f"{url} wants a key, or another one ({status})")
    elif 400 <= status < 500:
        error = EngineRefusalError(f"{url} refuses the request ({status})", _said(data))
    error.status = status
    return error


def _said(data: bytes) -> str:
    """Return what an engine says of a refusal, in one line; empty if nothing can be read."""
    try:
        told = json.loads(data)
    except (ValueError, RecursionError):
        return ""
    if isinstance(told, dict):
        told = told.get("error", told)
    if isinstance(told, dict):
        told = told.get("message", "")
    return " ".join(str(told).split())[:_SAID]
