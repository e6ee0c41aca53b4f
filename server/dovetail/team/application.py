"""The application: the doors of a host, as a plain ASGI application.

It has few routes and no framework: any ASGI server runs it, and Ray Serve takes it as its ingress. What it asks is a
`Team`, which bounds how many requests wait; all others are told to come again.
"""

from __future__ import annotations

import asyncio
import json
import time
import uuid
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dovetail.completer.cancel_token import CancelToken
from dovetail.completer.team.messages import SESSION_PATH
from dovetail.team.audit_log import AuditEntry, AuditLog, NoAuditLog
from dovetail.team.doors.answers import Answered, as_json, events, kind_of, refusal, whole
from dovetail.team.doors.bodies import read_completion, read_fim, read_generate, read_infill
from dovetail.team.doors.model_pages import model_pages
from dovetail.team.doors.session_bodies import read_session
from dovetail.team.doors.window_request import BodyError
from dovetail.team.keys import KeyRing, KeyUnknownError, KeyUsedUpError
from dovetail.team.routing import document_name
from dovetail.team.team import AwayError, BusyError, Sender
from dovetail.team.team_metrics import TeamMetrics
from dovetail.team.writer import language_asked

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, MutableMapping

    from dovetail.completer.team.messages import SessionRequest
    from dovetail.team.doors.window_request import WindowRequest
    from dovetail.team.keys import KeyHolder
    from dovetail.team.team import Team
    from dovetail.team.written_texts import WrittenTexts

    Scope = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
    Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

_DOORS = {
    "/v1/completions": read_completion,
    "/completions": read_completion,
    "/v1/fim/completions": read_fim,
    "/fim/completions": read_fim,
    "/infill": read_infill,
    "/api/generate": read_generate,
}
_PATHS = frozenset({*_DOORS, SESSION_PATH})
_MOST_BYTES = 1 << 20
_WHOLE_DOCUMENT = 4
"""A session may send a document whole, which is larger than a window: so many times the size of another body."""

_BODY_SECONDS = 20.0
"""Seconds in which a body has to come; a client that sends it byte by byte holds a connection for no longer."""

_GONE = 499
"""The status that is noted where the client went before the answer; nothing is sent."""

_JSON = b"application/json"
_AGAIN = "1"


class DoorError(Exception):
    """A request that gets no completion: the status, and a sentence for the user."""

    def __init__(self, status: int, message: str, again: str | None = None) -> None:
        """`again`: the seconds after which the client may come again."""
        super().__init__(message)
        self.status = status
        self.headers = () if again is None else ((b"retry-after", again.encode()),)


@dataclass(slots=True)
class _Visit:
    """One request, as far as it is known."""

    path: str
    method: str
    headers: Mapping[bytes, bytes]
    holder: KeyHolder | None = None
    asked: WindowRequest | None = None
    session: SessionRequest | None = None
    texts: int = 0
    began: float = field(default_factory=time.monotonic)

    @property
    def sizes(self) -> tuple[str | None, int, int]:
        """The language, and the characters that came of the left text, or of a session's document, and of the right."""
        if self.asked is not None:
            return self.asked.language, len(self.asked.left), len(self.asked.right)
        if self.session is None or self.session.document is None:
            return None, 0, 0
        document = self.session.document
        return document.language or None, sum(len(text) for _, _, text in document.edits), 0


class Doors:
    """The ASGI application."""

    def __init__(
        self,
        team: Team,
        model: str,
        ring: KeyRing | None = None,
        *,
        audit: AuditLog | None = None,
        most_bytes: int = _MOST_BYTES,
        body_seconds: float = _BODY_SECONDS,
    ) -> None:
        """Make the application of a team; `ring`: the keys of which each request has to have one, if there are any.

        `most_bytes`, `body_seconds`: the size of a body, and the time in which it has to come.
        """
        self._team = team
        self.take_model(model)
        self.take_keys(ring or KeyRing())
        self._audit = audit or NoAuditLog()
        self._metrics = TeamMetrics()
        self._most_bytes = most_bytes
        self._body_seconds = body_seconds

    def take_model(self, model: str) -> None:
        """Tell this name of the model from now on."""
        self._model = model
        self._pages = model_pages(model)

    def take_keys(self, ring: KeyRing) -> None:
        """Ask for one of these keys from now on; requests that are in work go on."""
        self._ring = ring

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        visit = _Visit(scope["path"], scope["method"], dict(scope["headers"]))
        status = 500
        try:
            status = await self._answer(visit, receive, send)
        except (DoorError, BodyError, KeyUnknownError, KeyUsedUpError, BusyError, AwayError) as error:
            known = _refused(error)
            status = known.status
            await _send(send, status, json.dumps(refusal(str(known), visit.path)).encode(), _JSON, known.headers)
        finally:
            self._note(visit, status)

    async def _answer(self, visit: _Visit, receive: Receive, send: Send) -> int:
        path = visit.path
        if path in ("/health", "/v1/health"):
            state = self._team.state()
            status = 200 if state.ready else 503
            told = {"status": "ok" if state.ready else "starting", **state.plain()}
            await _send(send, status, json.dumps(told).encode(), _JSON)
            return status
        headers = visit.headers
        visit.holder = self._ring.holder(
            headers.get(b"x-api-key") or headers.get(b"authorization", b"").removeprefix(b"Bearer ")
        )
        if path == "/metrics":
            await _send(send, 200, self._metrics.page(self._team.state()), b"text/plain; version=0.0.4")
            return 200
        if path in self._pages:
            await _send(send, 200, json.dumps(self._pages[path]).encode(), _JSON)
            return 200
        if path not in _PATHS:
            raise DoorError(404, f"There is nothing at {path}; the doors are {', '.join(_DOORS)}.")
        if visit.method != "POST":
            raise DoorError(405, f"{path} takes no {visit.method}; send a POST.")
        with self._ring.request(visit.holder):
            complete = self._converse if path == SESSION_PATH else self._complete
            return await complete(visit, receive, send)

    async def _converse(self, visit: _Visit, receive: Receive, send: Send) -> int:
        body = await self._body(receive, _WHOLE_DOCUMENT * self._most_bytes)
        asked = visit.session = read_session(body)
        # The session is routed as a whole, to the replica that has its documents.
        sender = Sender("" if visit.holder is None else visit.holder.name, f"session {asked.session}", stays=True)
        gone = CancelToken()
        watch = asyncio.ensure_future(_watch(receive, gone))
        try:
            answer = await self._team.converse(asked, sender, gone)
        finally:
            watch.cancel()
        if gone.cancelled:
            return _GONE
        await _send(send, 200, json.dumps(answer, separators=(",", ":")).encode(), _JSON)
        return 200

    async def _complete(self, visit: _Visit, receive: Receive, send: Send) -> int:
        asked = visit.asked = _DOORS[visit.path](await self._body(receive, self._most_bytes))
        language_asked(asked)  # a mistake is told before it waits for its turn
        gone = CancelToken()
        watch = asyncio.ensure_future(_watch(receive, gone))
        try:
            written = await self._team.write(asked, _sender(visit, asked), gone)
        finally:
            watch.cancel()
        if gone.cancelled:
            return _GONE
        visit.texts = len(written.texts)
        self._metrics.note_texts(written)
        await self._send_texts(asked, written, send)
        return 200

    async def _send_texts(self, asked: WindowRequest, written: WrittenTexts, send: Send) -> None:
        identity = f"cmpl-{uuid.uuid4().hex}"
        answered = Answered(identity, self._model, int(time.time()), written.texts, written.limited)
        # A text is checked to its end before a client sees it, so it comes as one piece also in a stream.
        told = events(asked, answered) if asked.stream else [as_json(whole(asked, answered))]
        await _send(send, 200, "".join(told).encode(), kind_of(asked))

    async def _body(self, receive: Receive, most: int) -> dict[str, Any]:
        try:
            async with asyncio.timeout(self._body_seconds):
                data = await self._read(receive, most)
        except TimeoutError:
            raise DoorError(408, f"The body did not come within {self._body_seconds:g} s; send it at once.") from None
        try:
            body = json.loads(data)
        except (ValueError, RecursionError):
            raise DoorError(400, "The body is no JSON; send one JSON object.") from None
        if not isinstance(body, dict):
            raise DoorError(400, "The body is no JSON object; send one.")
        return body

    async def _read(self, receive: Receive, most: int) -> bytes:
        data = bytearray()
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise DoorError(_GONE, "The client went.")
            data += message.get("body", b"")
            if len(data) > most:
                raise DoorError(413, f"The body has more than {most:,} bytes; send a smaller window.")
            if not message.get("more_body"):
                return bytes(data)

    def _note(self, visit: _Visit, status: int) -> None:
        seconds = time.monotonic() - visit.began
        door = visit.path if visit.path in _PATHS else "other"
        self._metrics.note(door, status, seconds)
        if visit.path not in _PATHS and status < 400:
            return  # those who watch a host ask every few seconds
        language, left, right = visit.sizes
        self._audit.note(
            AuditEntry(
                None if visit.holder is None else visit.holder.name,
                door,
                status,
                seconds,
                language,
                left,
                right,
                visit.texts,
            )
        )


def _sender(visit: _Visit, asked: WindowRequest) -> Sender:
    session = visit.headers.get(b"x-session-id", b"").decode("latin-1")
    key = "" if visit.holder is None else visit.holder.name
    return Sender(key, document_name(session, asked.path, asked.left))


def _refused(error: Exception) -> DoorError:
    """Return what a client is told about an exception."""
    if isinstance(error, DoorError):
        return error
    if isinstance(error, KeyUnknownError):
        return DoorError(401, str(error))
    if isinstance(error, KeyUsedUpError):
        return DoorError(429, str(error), str(error.seconds))
    if isinstance(error, BusyError):
        return DoorError(429, str(error), _AGAIN)
    if isinstance(error, AwayError):
        return DoorError(503, str(error), _AGAIN)
    return DoorError(400, str(error))


async def _watch(receive: Receive, gone: CancelToken) -> None:
    """Cancel a request when its client goes."""
    while (await receive())["type"] != "http.disconnect":
        pass
    gone.cancel()


async def _send(
    send: Send, status: int, data: bytes, kind: bytes, headers: tuple[tuple[bytes, bytes], ...] = ()
) -> None:
    length = str(len(data)).encode()
    own = [(b"content-type", kind), (b"content-length", length), *headers]
    await send({"type": "http.response.start", "status": status, "headers": own})
    await send({"type": "http.response.body", "body": data})
