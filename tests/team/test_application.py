"""The application, asked as an ASGI server asks it."""

from __future__ import annotations

import asyncio
import hashlib
import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.team.scripted_team import ScriptedTeam

from dovetail.team.application import Doors
from dovetail.team.keys import KeyHolder, KeyRing
from dovetail.team.team import AwayError, BusyError, Sender

if TYPE_CHECKING:
    from collections.abc import MutableMapping

    from dovetail.team.audit_log import AuditEntry


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
    status, found = answer(Doors(ScriptedTeam(), "m"), path, {"prompt": "a", "suffix": "b"})

    assert (status, found["choices"][0]["text"], found["model"]) == (200, "a|b", "m")


def test_fim() -> None:
    """The door for Mistral's clients answers with a message."""
    _, found = answer(Doors(ScriptedTeam(), "m"), "/v1/fim/completions", {"prompt": "a", "suffix": "b"})

    assert found["choices"][0]["message"]["content"] == "a|b"


def test_infill() -> None:
    """The door of llama.cpp's clients answers with content."""
    _, found = answer(Doors(ScriptedTeam(), "m"), "/infill", {"input_prefix": "a", "input_suffix": "b"})

    assert found["content"] == "a|b"


def test_generate() -> None:
    """The door of Ollama's clients answers in lines, whole if they say so, and tells a mistake as they read it."""
    doors = Doors(ScriptedTeam(), "m")
    _, whole = answer(doors, "/api/generate", {"prompt": "a", "suffix": "b", "stream": False})
    _, headers, text = asyncio.run(ask(doors, "/api/generate", b'{"prompt": "a", "suffix": "b"}'))

    assert (whole["response"], whole["done"]) == ("a|b", True)
    assert headers[b"content-type"] == b"application/x-ndjson"
    assert [json.loads(line)["response"] for line in text.splitlines()] == ["a|b", ""]
    assert answer(doors, "/api/generate", {"prompt": 1}) == (
        400, {"error": "The field `prompt` is of type int; send str."},
    )  # fmt: skip


def test_pages_for_clients_of_ollama() -> None:
    """Ollama's clients find the model, learn that it takes a suffix, and find the version new enough."""
    doors = Doors(ScriptedTeam(), "m")

    assert [model["name"] for model in answer(doors, "/api/tags")[1]["models"]] == ["m"]
    assert ".Suffix" in answer(doors, "/api/show", {"name": "m"})[1]["template"]
    assert "insert" in answer(doors, "/api/show", {"model": "m"})[1]["capabilities"]
    assert tuple(map(int, answer(doors, "/api/version")[1]["version"].split("."))) >= (0, 6, 4)


def test_stream() -> None:
    """A client that asks for a stream gets events."""
    body = json.dumps({"prompt": "a", "suffix": "b", "stream": True}).encode()
    status, headers, text = asyncio.run(ask(Doors(ScriptedTeam(), "m"), "/v1/completions", body))

    assert (status, headers[b"content-type"]) == (200, b"text/event-stream")
    assert text.endswith("data: [DONE]\n\n")


def test_models_and_health() -> None:
    """Clients find the model's name, and whether the host can be asked."""
    doors = Doors(ScriptedTeam(), "m")

    assert [model["id"] for model in answer(doors, "/v1/models")[1]["data"]] == ["m"]
    assert answer(doors, "/health") == (200, {"status": "ok", "ready": 1, "replicas": 1, "waiting": 0, "restarts": 0})
    assert answer(Doors(ScriptedTeam(ready=0), "m"), "/v1/health")[0] == 503


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
        ("/v1/completions", b'{"prompt": "", "language": "cobol"}', 400),
    ],
)
def test_refused(path: str, body: bytes | None, status: int) -> None:
    """A request that cannot be answered is refused with a sentence."""
    given, _, text = asyncio.run(ask(Doors(ScriptedTeam(), "m"), path, body))

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
    doors = Doors(ScriptedTeam(), "m", KeyRing([holder("first"), holder("second")]))

    assert answer(doors, "/v1/completions", {"prompt": ""}, headers)[0] == status
    assert answer(doors, "/nowhere", None, headers)[0] == (401 if status == 401 else 404)
    assert answer(doors, "/health")[0] == 200


def holder(key: str, **limits: int) -> KeyHolder:
    """Return the holder of a key, who has the key's name."""
    return KeyHolder(key, hashlib.sha256(key.encode()).hexdigest(), **limits)


@pytest.mark.parametrize(
    ("error", "status"), [(BusyError("Too many wait."), 429), (AwayError("No replica could answer."), 503)]
)
def test_a_team_that_cannot_answer(error: Exception, status: int) -> None:
    """A client is told why, and when to come again."""
    given, headers, text = asyncio.run(ask(Doors(ScriptedTeam(error), "m"), "/infill", b"{}"))

    assert (given, headers[b"retry-after"]) == (status, b"1")
    assert json.loads(text)["error"]["message"] == str(error)


def test_a_key_beyond_its_limit() -> None:
    """A key that asks for too much at once is told to wait; another key is answered meanwhile."""
    first, second = ((b"x-api-key", b"first"),), ((b"x-api-key", b"second"),)

    async def all_at_once() -> list[tuple[int, dict[bytes, bytes], str]]:
        team = ScriptedTeam(slow=True)
        doors = Doors(team, "m", KeyRing([holder("first", most_at_once=1), holder("second")]))
        running = [asyncio.ensure_future(ask(doors, "/infill", b"{}", key)) for key in (first, second)]
        while len(team.asked) < 2:
            await asyncio.sleep(0)
        refused = await ask(doors, "/infill", b"{}", first)
        team.released.set()
        return [refused, *[await each for each in running], await ask(doors, "/infill", b"{}", first)]

    refused, *others = asyncio.run(all_at_once())

    assert (refused[0], refused[1][b"retry-after"]) == (429, b"1")
    assert [status for status, _, _ in others] == [200, 200, 200]


def test_the_sender_is_known_by_key_and_document() -> None:
    """Turns and routing know whose request it is, and of which document, by what a client tells."""
    team = ScriptedTeam()
    doors = Doors(team, "m", KeyRing([holder("first")]))
    own = (b"x-api-key", b"first")
    answer(doors, "/infill", {"input_prefix": "import os\nimp"}, (own,))
    answer(doors, "/infill", {"input_prefix": "import os\nimp"}, (own, (b"x-session-id", b"window 3")))
    answer(doors, "/v1/completions", {"segments": {"prefix": "x", "filepath": "a.py"}}, (own,))

    assert team.senders == [Sender("first", "import os"), Sender("first", "window 3"), Sender("first", "a.py")]


class Notes:
    """An audit log that a test reads."""

    def __init__(self) -> None:
        self.entries: list[AuditEntry] = []

    def note(self, entry: AuditEntry) -> None:
        """Keep an entry."""
        self.entries.append(entry)


@pytest.mark.parametrize("parts", [0, 1])
def test_client_that_goes(parts: int) -> None:
    """A request whose client has gone is cancelled, also in the middle of its body, and noted as such."""
    notes, team = Notes(), ScriptedTeam(slow=True)
    body = {"type": "http.request", "body": b"{}", "more_body": not parts}
    messages: list[MutableMapping[str, Any]] = [body, {"type": "http.disconnect"}]

    async def receive() -> MutableMapping[str, Any]:
        return messages.pop(0)

    async def send(message: MutableMapping[str, Any]) -> None:
        assert not parts, message

    scope = {"type": "http", "method": "POST", "path": "/infill", "headers": []}
    asyncio.run(asyncio.wait_for(Doors(team, "m", audit=notes)(scope, receive, send), 60))

    assert len(team.asked) == parts
    assert [entry.status for entry in notes.entries] == [499]


def test_a_body_that_does_not_come() -> None:
    """A client that sends no body in time is told so, and takes no place."""
    sent: list[MutableMapping[str, Any]] = []

    async def receive() -> MutableMapping[str, Any]:
        await asyncio.Event().wait()
        raise AssertionError

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    team = ScriptedTeam()
    scope = {"type": "http", "method": "POST", "path": "/infill", "headers": []}
    asyncio.run(Doors(team, "m", body_seconds=0)(scope, receive, send))

    assert sent[0]["status"] == 408
    assert not team.asked


def test_metrics() -> None:
    """The counts tell door and status, and no text."""
    doors = Doors(ScriptedTeam(), "m")
    answer(doors, "/infill", {"input_prefix": "secret"})
    answer(doors, "/infill", {"input_prefix": 1})
    _, _, text = asyncio.run(ask(doors, "/metrics"))

    assert 'dovetail_requests_total{door="/infill",status="200"} 1' in text
    assert 'dovetail_requests_total{door="/infill",status="400"} 1' in text
    assert "dovetail_tokens_total 3" in text
    assert "secret" not in text


def test_audit() -> None:
    """The log says who asked, where, and how much, and holds no text; those who watch the host are not noted."""
    notes = Notes()
    doors = Doors(ScriptedTeam(), "m", KeyRing([holder("first")]), audit=notes)
    own = ((b"authorization", b"Bearer first"),)
    answer(doors, "/infill", {"input_prefix": "secret", "input_suffix": "too"}, own)
    answer(doors, "/infill", {})
    answer(doors, "/health")
    asyncio.run(ask(doors, "/metrics", headers=own))

    first, wrong = notes.entries
    assert (first.key, first.door, first.status) == ("first", "/infill", 200)
    assert (first.left, first.right, first.texts) == (6, 3, 1)
    assert (wrong.key, wrong.status) == (None, 401)
    assert "secret" not in str(notes.entries)
