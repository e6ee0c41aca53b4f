"""The application: the doors of a host, as a plain ASGI application.

It has seven routes and no framework: any ASGI server runs it, and Ray Serve takes it as its ingress. One request is
written at a time, a bounded number waits, and all others are told to come again.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import time
import uuid
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from dovetail.team.doors.answers import Answered, events, refusal, whole
from dovetail.team.doors.bodies import read_completion, read_fim, read_infill
from dovetail.team.doors.window_request import BodyError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, MutableMapping

    from dovetail.decoding.cancellation import Cancellation
    from dovetail.team.doors.window_request import WindowRequest
    from dovetail.team.writer import WrittenTexts

    Scope = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
    Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

_DOORS = {
    "/v1/completions": read_completion,
    "/completions": read_completion,
    "/v1/fim/completions": read_fim,
    "/fim/completions": read_fim,
    "/infill": read_infill,
}
_MOST_BYTES = 4 << 20
_JSON = b"application/json"


class DoorError(Exception):
    """A request that gets no completion: the status, and a sentence for the user."""

    def __init__(self, status: int, message: str, headers: tuple[tuple[bytes, bytes], ...] = ()) -> None:
        super().__init__(message)
        self.status = status
        self.headers = headers


class GoneClient:
    """The cancellation of a request whose client may go."""

    cancelled = False


class Doors:
    """The ASGI application."""

    def __init__(
        self,
        write: Callable[[WindowRequest, Cancellation], WrittenTexts],
        model: str,
        keys: Iterable[str] = (),
        most_waiting: int = 32,
    ) -> None:
        """Make the application of a writer; `keys`: those of which each request has to have one, if there are any."""
        self._write = write
        self._model = model
        self._keys = [key.encode() for key in keys]
        self._most_waiting = most_waiting
        self.waiting = 0
        """The requests that are written or wait for it."""
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="writer")
        self._counts: Counter[tuple[str, int]] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        path: str = scope["path"]
        status = 200
        try:
            status = await self._answer(scope, path, receive, send)
        except (DoorError, BodyError) as error:
            status = error.status if isinstance(error, DoorError) else 400
            headers = error.headers if isinstance(error, DoorError) else ()
            await _send(send, status, json.dumps(refusal(str(error))).encode(), _JSON, headers)
        finally:
            self._counts[path if path in _DOORS else "other", status] += 1

    async def _answer(self, scope: Scope, path: str, receive: Receive, send: Send) -> int:
        if path in ("/health", "/v1/health"):
            await _send(send, 200, b'{"status": "ok"}', _JSON)
            return 200
        self._check_key(dict(scope["headers"]))
        if path == "/metrics":
            await _send(send, 200, self._metrics().encode(), b"text/plain; version=0.0.4")
            return 200
        if path in ("/v1/models", "/models"):
            models = {"object": "list", "data": [{"id": self._model, "object": "model", "owned_by": "dovetail"}]}
            await _send(send, 200, json.dumps(models).encode(), _JSON)
            return 200
        if path not in _DOORS:
            raise DoorError(404, f"There is nothing at {path}; the doors are {', '.join(_DOORS)}.")
        if scope["method"] != "POST":
            raise DoorError(405, f"{path} takes no {scope['method']}; send a POST.")
        asked = _DOORS[path](await _body(receive))
        answered = await self._written(asked, receive)
        if not asked.stream:
            await _send(send, 200, json.dumps(whole(asked, answered), ensure_ascii=False).encode(), _JSON)
            return 200
        # A text is checked to its end before a client sees it, so it comes as one piece.
        await _send(send, 200, "".join(events(asked, answered)).encode(), b"text/event-stream")
        return 200

    async def _written(self, asked: WindowRequest, receive: Receive) -> Answered:
        if self.waiting >= self._most_waiting:
            raise DoorError(429, "Too many requests wait; come again in a second.", ((b"retry-after", b"1"),))
        gone = GoneClient()
        watch = asyncio.ensure_future(_watch(receive, gone))
        self.waiting += 1
        try:
            loop = asyncio.get_running_loop()
            written = await loop.run_in_executor(self._threads, self._write, asked, gone)
        finally:
            self.waiting -= 1
            watch.cancel()
        identity = f"cmpl-{uuid.uuid4().hex}"
        return Answered(identity, self._model, int(time.time()), written.texts, written.limited)

    def _check_key(self, headers: dict[bytes, bytes]) -> None:
        if not self._keys:
            return
        given = headers.get(b"x-api-key") or headers.get(b"authorization", b"").removeprefix(b"Bearer ")
        # Every key is compared, each in constant time: how long it takes tells nothing.
        if not sum(hmac.compare_digest(given, key) for key in self._keys):
            raise DoorError(401, "The key is missing or wrong; send one that the host's owner gave you.")

    def _metrics(self) -> str:
        lines = [
            f'dovetail_requests_total{{door="{door}",status="{status}"}} {count}'
            for (door, status), count in sorted(self._counts.items())
        ]
        return "\n".join([*lines, f"dovetail_requests_waiting {self.waiting}", ""])


async def _body(receive: Receive) -> dict[str, Any]:
    data = b""
    while True:
        message = await receive()
        data += message.get("body", b"")
        if len(data) > _MOST_BYTES:
            raise DoorError(413, f"The body has more than {_MOST_BYTES:,} bytes; send a smaller window.")
        if not message.get("more_body"):
            break
    try:
        body = json.loads(data)
    except (ValueError, RecursionError):
        raise DoorError(400, "The body is no JSON; send one JSON object.") from None
    if not isinstance(body, dict):
        raise DoorError(400, "The body is no JSON object; send one.")
    return body


async def _watch(receive: Receive, gone: GoneClient) -> None:
    """Cancel a request when its client goes."""
    while (await receive())["type"] != "http.disconnect":
        pass
    gone.cancelled = True


async def _send(
    send: Send, status: int, data: bytes, kind: bytes, headers: tuple[tuple[bytes, bytes], ...] = ()
) -> None:
    length = str(len(data)).encode()
    own = [(b"content-type", kind), (b"content-length", length), *headers]
    await send({"type": "http.response.start", "status": status, "headers": own})
    await send({"type": "http.response.body", "body": data})
