"""The application, asked as an ASGI server asks it."""

from __future__ import annotations

import asyncio
import json
import threading
from typing import TYPE_CHECKING, Any

import pytest

from dovetail.team.application import Doors
from dovetail.team.writer import WrittenTexts

if TYPE_CHECKING:
    from collections.abc import MutableMapping

    from dovetail.decoding.cancellation import Cancellation
    from dovetail.team.doors.window_request import WindowRequest


def write(asked: WindowRequest, _: Cancellation) -> WrittenTexts:
    """Answer with what was asked, so that a test sees it."""
    return WrittenTexts([f"{asked.left}|{asked.right}"], limited=False)


async def ask(
    doors: Doors, path: str, body: bytes | None = None, headers: tuple[tuple[bytes, bytes], ...] = ()
) -> tuple[int, dict[bytes, bytes], str]:
    """Return status, headers and body of the answer to a request."""
    sent: list[MutableMapping[str, Any]] = []
    # Two parts, as a server may hand a body on.
    parts = [] if body is None else [body[:3], body[3:]]
    forever = asyncio.Event()

    async def receive() -> MutableMapping[str, Any]:
        if parts:
            return {"type": "http.request", "body": parts.pop(0), "more_body": bool(parts)}
        await forever.wait()
        raise AssertionError

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "GET" if body is None else "POST", "path": path, "headers": list(headers)}
    await doors(scope, receive, send)
    return sent[0]["status"], dict(sent[0]["headers"]), b"".join(part["body"] for part in sent[1:]).decode()


def answer(doors: Doors, path: str, body: object = None, headers: tuple[tuple[bytes, bytes], ...] = ()) -> Any:
    """Return status and JSON of the answer to a request."""
    data = None if body is None else json.dumps(body).encode()
    status, _, text = asyncio.run(ask(doors, path, data, headers))
    return status, json.loads(text)


@pytest.mark.parametrize("path", ["/v1/completions", "/completions"])
def test_completions(path: str) -> None:
    """OpenAI's door answers with the window's texts."""
    status, found = answer(Doors(write, "m"), path, {"prompt": "a", "suffix": "b"})

    assert (status, found["choices"][0]["text"], found["model"]) == (200, "a|b", "m")


def test_fim() -> None:
    """The door for Mistral's clients answers with a message."""
    _, found = answer(Doors(write, "m"), "/v1/fim/completions", {"prompt": "a", "suffix": "b"})

    assert found["choices"][0]["message"]["content"] == "a|b"


def test_infill() -> None:
    """The door of llama.cpp's clients answers with content."""
    assert answer(Doors(write, "m"), "/infill", {"input_prefix": "a", "input_suffix": "b"})[1]["content"] == "a|b"


def test_stream() -> None:
    """A client that asks for a stream gets events."""
    body = json.dumps({"prompt": "a", "suffix": "b", "stream": True}).encode()
    status, headers, text = asyncio.run(ask(Doors(write, "m"), "/v1/completions", body))

    assert (status, headers[b"content-type"]) == (200, b"text/event-stream")
    assert text.endswith("data: [DONE]\n\n")


def test_models_and_health() -> None:
    """Clients find the model's name and that the host lives."""
    doors = Doors(write, "m")

    assert [model["id"] for model in answer(doors, "/v1/models")[1]["data"]] == ["m"]
    assert answer(doors, "/health") == (200, {"status": "ok"})


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/v1/completions", b"{", 400),
        ("/v1/completions", b"[]", 400),
        ("/v1/completions", b"{}", 400),
        ("/v1/completions", b"[" * 100_000, 400),
        ("/v1/completions", b" " * (5 << 20), 413),
        ("/v1/completions", None, 405),
        ("/v1/chat/completions", b"{}", 404),
    ],
)
def test_refused(path: str, body: bytes | None, status: int) -> None:
    """A request that cannot be answered is refused with a sentence."""
    given, _, text = asyncio.run(ask(Doors(write, "m"), path, body))

    assert given == status
    assert json.loads(text)["error"]["message"].endswith(".")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ((), 401),
        (((b"authorization", b"Bearer wrong"),), 401),
        (((b"authorization", b"Bearer second"),), 200),
        (((b"x-api-key", b"first"),), 200),
    ],
)
def test_keys(headers: tuple[tuple[bytes, bytes], ...], status: int) -> None:
    """A request to a host with keys needs one of them; health is told to all."""
    doors = Doors(write, "m", keys=["first", "second"])

    assert answer(doors, "/v1/completions", {"prompt": ""}, headers)[0] == status
    assert answer(doors, "/health")[0] == 200


def test_full() -> None:
    """Beyond the number that may wait a client is told to come again, and gets an answer later."""
    released = threading.Event()

    def slow(asked: WindowRequest, cancellation: Cancellation) -> WrittenTexts:
        assert released.wait(60)
        return write(asked, cancellation)

    async def all_at_once() -> list[tuple[int, dict[bytes, bytes], str]]:
        doors = Doors(slow, "m", most_waiting=1)
        first = asyncio.ensure_future(ask(doors, "/infill", b"{}"))
        while not doors.waiting:
            await asyncio.sleep(0)
        refused = await ask(doors, "/infill", b"{}")
        released.set()
        return [refused, await first, await ask(doors, "/infill", b"{}")]

    refused, *others = asyncio.run(all_at_once())

    assert (refused[0], refused[1][b"retry-after"]) == (429, b"1")
    assert [status for status, _, _ in others] == [200, 200]


def test_client_that_goes() -> None:
    """A request whose client has gone is cancelled."""
    seen = threading.Event()

    def endless(asked: WindowRequest, cancellation: Cancellation) -> WrittenTexts:
        while not cancellation.cancelled:
            pass
        seen.set()
        return write(asked, cancellation)

    messages: list[MutableMapping[str, Any]] = [{"type": "http.request", "body": b"{}"}, {"type": "http.disconnect"}]

    async def receive() -> MutableMapping[str, Any]:
        return messages.pop(0)

    async def send(_: MutableMapping[str, Any]) -> None:
        pass

    scope = {"type": "http", "method": "POST", "path": "/infill", "headers": []}
    asyncio.run(asyncio.wait_for(Doors(endless, "m")(scope, receive, send), 60))

    assert seen.is_set()


def test_metrics() -> None:
    """The counts tell door and status, and no text."""
    doors = Doors(write, "m")
    answer(doors, "/infill", {"input_prefix": "secret"})
    answer(doors, "/infill", {"input_prefix": 1})
    _, _, text = asyncio.run(ask(doors, "/metrics"))

    assert 'dovetail_requests_total{door="/infill",status="200"} 1' in text
    assert 'dovetail_requests_total{door="/infill",status="400"} 1' in text
    assert "secret" not in text
