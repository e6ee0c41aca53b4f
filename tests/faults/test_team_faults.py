"""Faults of a team's host: every request has an answer, no answer is wrong, and no tenant sees another's text."""

from __future__ import annotations

import hashlib
import http.client
import json
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import cycle
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

import pytest
from tests.completer.team.relay import relayed
from tests.completer.team.team_window import LEFT, RIGHT, URI, TeamWindow
from tests.decoding.scripted_proposer import ScriptedProposer
from tests.team.served import served
from tests.team.threaded_replica import following, over

from dovetail.completer.snapshot import Snapshot
from dovetail.model.failure import EngineLostError
from dovetail.team.configuration import TeamConfiguration
from dovetail.team.keys import KeyHolder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

HOST = TeamConfiguration(port=0, most_seconds=600)


def holder(name: str, most_at_once: int = 8) -> KeyHolder:
    """Return the holder of a key that is its name."""
    return KeyHolder(name, hashlib.sha256(name.encode()).hexdigest(), most_at_once=most_at_once, per_minute=100_000)


def ask(address: str, body: object, key: str = "", path: str = "/infill") -> tuple[int, Any, str | None]:
    """Return status, JSON and `Retry-After` of the answer to one request."""
    with closing(http.client.HTTPConnection(address.removeprefix("http://"), timeout=120)) as made:
        made.request("POST", path, json.dumps(body).encode(), {"x-api-key": key})
        answer = made.getresponse()
        return answer.status, json.loads(answer.read()), answer.getheader("retry-after")


def json_window(left: str, right: str = "]}\n") -> dict[str, object]:
    """Return a request for a window of JSON, as Tabby's clients send it."""
    return {"language": "json", "segments": {"prefix": left, "suffix": right}}


def test_an_engine_of_a_team_that_ends() -> None:
    """While the engine behind the replicas is away clients are told to come again, and are answered when it is back."""
    is_away = True

    def step(_: bytes) -> None:
        if is_away:
            raise EngineLostError("the engine does not answer")

    with served(HOST, over(lambda: following(b"11", step))) as address:
        status, said, again = ask(address, json_window(LEFT), path="/v1/completions")
        assert (status, again) == (503, "1")
        assert LEFT not in json.dumps(said)
        is_away = False
        status, said, _ = ask(address, json_window(LEFT), path="/v1/completions")
        assert (status, said["choices"][0]["text"]) == (200, "11")


def test_a_tenant_that_floods() -> None:
    """A key that sends far too much is told so; another is answered all the while, with its own texts alone."""
    keys = (holder("flood", most_at_once=3), holder("quiet"))
    with served(TeamConfiguration(port=0, replicas=2, most_waiting=16, keys=keys)) as address:
        with ThreadPoolExecutor(12) as threads:
            flood = [threads.submit(ask, address, {"input_prefix": f"flood{n}"}, "flood") for n in range(60)]
            quiet = [ask(address, {"input_prefix": f"quiet{n}"}, "quiet") for n in range(10)]
            flooded = [each.result() for each in flood]

        assert {status for status, _, _ in quiet} == {200}
        assert all("flood" not in said["content"] for _, said, _ in quiet)
        assert {status for status, _, _ in flooded} <= {200, 429}
        assert all(again for status, _, again in flooded if status == 429)
        assert all("quiet" not in json.dumps(said) for _, said, _ in flooded)


@pytest.mark.parametrize(
    "left",
    ["[" * 500, '{"a": ' * 200, '"' + "\\" * 500, "\ud800" * 1_000, "\0" * 2_000, "]" * 2_000],
    ids=["brackets", "objects", "escapes", "halves", "zeros", "closers"],
)
def test_a_poisoned_window(left: str) -> None:
    """A hostile text gets an answer, and the next request of another client is answered as ever."""
    with served(HOST, over(lambda: following(b"11"))) as address:
        status, said, _ = ask(address, json_window(left, "]" * 400), path="/v1/completions")
        assert status == 200
        json.dumps(said).encode()
        status, said, _ = ask(address, json_window(LEFT), path="/v1/completions")
        assert (status, said["choices"][0]["text"]) == (200, "11")


def test_a_document_of_ten_megabytes() -> None:
    """A document beyond the limits is refused with a reason; the session goes on with another."""
    with served(HOST, over(lambda: following(b"11"))) as address:
        window = TeamWindow(address)
        large = LEFT.replace("10", "9" * 10_000_000)
        refused = window.ask(Snapshot("file:///large.json", "json", 1, large + RIGHT), len(large))
        assert refused.texts == ()
        assert "did not take the request" in refused.reason
        assert window.ask().texts == ("11",)
        window.completer.abandon()


def test_a_client_that_reads_nothing() -> None:
    """Clients that send requests and never read an answer keep nobody else waiting."""
    with served(TeamConfiguration(port=0, most_waiting=64)) as address:
        name, _, port = address.removeprefix("http://").rpartition(":")
        body = json.dumps({"input_prefix": "x" * 100_000}).encode()
        head = f"POST /infill HTTP/1.1\r\nhost: {name}\r\ncontent-length: {len(body)}\r\n\r\n".encode()
        deaf = [socket.create_connection((name, int(port)), 120) for _ in range(16)]
        try:
            for each in deaf:
                each.sendall(head + body)
            assert ask(address, {"input_prefix": "y"})[0] == 200
        finally:
            for each in deaf:
                each.close()


def test_a_clock_that_jumps(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock of the day may jump by years, forwards and back: answers and limits do not depend on it."""
    jumps = cycle([0.0, 4e9, 1e9, -86_400.0, 2.5e11])
    keys = (holder("alice"),)
    with served(TeamConfiguration(port=0, keys=keys)) as address:
        monkeypatch.setattr(time, "time", lambda: next(jumps))
        for path, body in (("/infill", {"input_prefix": "x"}), ("/api/generate", {"prompt": "x", "stream": False})):
            assert [ask(address, body, "alice", path)[0] for _ in range(10)] == [200] * 10


def test_a_host_that_ends_answers_first(tmp_path: Path) -> None:
    """A host that is told to end answers the requests that it has taken, and takes no more."""
    gate = tmp_path / "gate"
    with ThreadPoolExecutor(1) as threads:
        with served(TeamConfiguration(port=0)) as address:
            running = threads.submit(ask, address, {"input_prefix": f"wait {gate}"})
            while not _waiting(address):
                pass
            opener = threading.Thread(target=_open_when_refused, args=(address, gate))
            opener.start()
        opener.join(120)
        status, said, _ = running.result(120)

    assert status == 200
    assert said["content"].startswith(f"wait {gate}|")


def _waiting(address: str) -> int:
    """Return how many requests a host has taken."""
    with closing(http.client.HTTPConnection(address.removeprefix("http://"), timeout=120)) as made:
        made.request("GET", "/health")
        return int(json.loads(made.getresponse().read())["waiting"])


def _open_when_refused(address: str, gate: Path) -> None:
    """Make a file once a host takes no connection any more."""
    name, _, port = address.removeprefix("http://").rpartition(":")
    try:
        while True:
            socket.create_connection((name, int(port)), 120).close()
    except OSError:
        gate.touch()


def test_a_host_that_is_begun_again() -> None:
    """A session goes on with a host that has been begun again and knows nothing: its documents are sent anew."""
    document = Snapshot(URI, "json", 1, LEFT + RIGHT)
    with served(HOST, over(lambda: following(b"11"))) as first, relayed(first) as relay:
        window = TeamWindow(relay.address)
        assert window.ask(document).texts == ("11",)
        with served(HOST, over(lambda: following(b"12"))) as second:
            relay.aim(second)
            edited = document.edited(f" {LEFT}{RIGHT}", [(0, 0, " ")])
            answer = window.ask(edited, len(LEFT) + 1)
            if not answer.texts:  # the connection may have ended under the request
                window.recover()
                answer = window.ask(edited, len(LEFT) + 1)
            assert answer.texts in {("12",), ("local",)}
            if answer.texts == ("local",):
                window.recover()
                assert window.ask(edited, len(LEFT) + 1).texts == ("12",)
            window.completer.abandon()


def test_texts_of_tenants_stay_apart_while_replicas_end() -> None:
    """Two keys with one document name, and processes that end meanwhile: each key gets its own texts, or none."""
    keys = (holder("alice"), holder("bob"))

    def tenant(name: str) -> list[tuple[int, str]]:
        found = []
        for number in range(30):
            text = "die" if number % 10 == 9 and name == "bob" else f"{name} {number}"
            status, said, _ = ask(address, {"input_prefix": text}, name)
            found.append((status, said.get("content", "")))
        return found

    with (
        served(
            TeamConfiguration(port=0, replicas=2, keys=keys),
        ) as address,
        ThreadPoolExecutor(2) as threads,
    ):
        alice, bob = (threads.submit(tenant, name) for name in ("alice", "bob"))

        assert {status for status, _ in (*alice.result(), *bob.result())} <= {200, 503}
        assert all(text.startswith("alice ") and "|alice " in text for status, text in alice.result() if status == 200)
        assert all(text.startswith("bob ") and "|bob " in text for status, text in bob.result() if status == 200)
        assert sum(status == 200 for status, _ in alice.result()) > 20


def test_replicas_that_are_exchanged_and_killed_while_tenants_type() -> None:
    """Every request is answered with its own tenant's text while processes are exchanged, and end, under it."""
    keys = (holder("alice"), holder("bob"))
    told: SimpleQueue[str] = SimpleQueue()
    renewing: list[Callable[[], None]] = []
    over_now = threading.Event()

    def tenant(name: str) -> list[tuple[int, str, str]]:
        found: list[tuple[int, str, str]] = []
        while not over_now.is_set():
            text = f"{name} {len(found)}"
            status, said, _ = ask(address, {"input_prefix": text}, name)
            found.append((status, text, said.get("content", "")))
        return found

    with (
        served(
            TeamConfiguration(port=0, replicas=2, keys=keys), told=told.put, renewing=renewing,
        ) as address,
        ThreadPoolExecutor(6) as threads,
    ):  # fmt: skip
        told.get(timeout=120)
        tenants = [threads.submit(tenant, name) for name in ("alice", "bob") * 3]
        try:
            for number in range(6):
                renewing[0]()
                if number % 2:
                    ask(address, {"input_prefix": "die"}, "bob")
                assert "was renewed" in told.get(timeout=120)
        finally:
            over_now.set()
        answers = [each for one in tenants for each in one.result()]

    assert len(answers) > 60
    assert {status for status, _, _ in answers} == {200}
    assert all(said.startswith(f"{text}|") and f"|{text.split()[0]} " in said for _, text, said in answers)


def test_a_model_that_proposes_nothing_that_fits() -> None:
    """A model that only writes what does not fit leads to an empty or a fitting text, never to an error."""
    with served(HOST, over(lambda: ScriptedProposer(rank=lambda *_: [ord("}"), ord(")")], window=4096))) as address:
        status, said, _ = ask(address, json_window(LEFT), path="/v1/completions")
        assert status == 200
        text = said["choices"][0]["text"]
        assert text == "" or json.loads(LEFT + text + RIGHT)
