"""The whole host over real sockets: HTTP server, doors, queue and processes."""

from __future__ import annotations

import asyncio
import hashlib
import http.client
import json
import os
import selectors
import socket
import ssl
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest
from tests.team.certificate import needs_openssl, self_signed
from tests.team.served import served

from dovetail.team.configuration import TeamConfiguration, TeamConfigurationError
from dovetail.team.keys import KeyHolder
from dovetail.team.listener import ConnectionLimit, TeamListener, places

if TYPE_CHECKING:
    from pathlib import Path

    from dovetail.team.listener import BoundedProtocol


def connection(address: str) -> http.client.HTTPConnection:
    """Return a connection to a host."""
    return http.client.HTTPConnection(address.removeprefix("http://"), timeout=120)


def ask(address: str, body: object, key: str = "", path: str = "/infill") -> tuple[int, Any]:
    """Return status and JSON of the answer to one request."""
    with closing(connection(address)) as made:
        made.request("POST", path, json.dumps(body).encode(), {"x-api-key": key})
        answer = made.getresponse()
        return answer.status, json.loads(answer.read())


def test_clients_are_answered_side_by_side() -> None:
    """Forty requests of eight clients all get their own answer; the kept connections serve several."""
    with served(TeamConfiguration(port=0, replicas=2, most_waiting=100)) as address:

        def client(number: int) -> None:
            with closing(connection(address)) as made:
                for each in range(5):
                    text = f"{number} {each}"
                    made.request("POST", "/infill", json.dumps({"input_prefix": text}).encode())
                    answer = made.getresponse()
                    assert json.loads(answer.read())["content"].startswith(f"{text}|")

        with ThreadPoolExecutor(8) as threads:
            for done in [threads.submit(client, number) for number in range(8)]:
                done.result()


async def test_answers_are_sent_at_once() -> None:
    """The connections of a host wait for no confirmation of the head before they send the body of an answer."""
    listener = TeamListener(TeamConfiguration(port=0))
    found: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    async def take(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        taken = writer.get_extra_info("socket")
        found.set_result(taken.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        writer.close()

    listener.listen()
    async with await asyncio.start_server(take, sock=listener._socket):
        _, writer = await asyncio.open_connection(*listener._socket.getsockname())
        assert await asyncio.wait_for(found, 60)
        writer.close()
        await writer.wait_closed()
    listener.close()


def test_health_and_models() -> None:
    """The model's name is the one that was loaded."""
    with served(TeamConfiguration(port=0)) as address, closing(connection(address)) as made:
        made.request("GET", "/health")
        assert json.loads(made.getresponse().read())["ready"] == 1
        made.request("GET", "/v1/models")
        assert json.loads(made.getresponse().read())["data"][0]["id"] == "scripted"


def test_keys_and_audit(tmp_path: Path) -> None:
    """Only who has a key is answered, and the log has a line for each request."""
    holder = KeyHolder("alice", hashlib.sha256(b"secret").hexdigest())
    audit = tmp_path / "audit"
    with served(TeamConfiguration(port=0, keys=(holder,), audit=audit)) as address:
        assert ask(address, {"input_prefix": "x"}, "wrong")[0] == 401
        status, found = ask(address, {"input_prefix": "def f"}, "secret")
        assert status == 200
        assert found["content"].endswith("|alice def f")
    lines = [json.loads(line) for line in audit.read_text("utf-8").splitlines()]
    assert [(line["key"], line["status"]) for line in lines] == [(None, 401), ("alice", 200)]
    assert "def f" not in audit.read_text("utf-8")


def test_a_client_that_goes_is_noticed(tmp_path: Path) -> None:
    """A closed connection ends the work of its request, so the next is answered."""
    begun = tmp_path / "begun"
    os.mkfifo(begun)
    with served(TeamConfiguration(port=0)) as address:
        with closing(connection(address)) as made:
            made.request("POST", "/infill", json.dumps({"input_prefix": f"until cancelled {begun}"}).encode())
            begun.read_bytes()  # ends when the process has touched the pipe
        assert ask(address, {"input_prefix": "x"})[0] == 200


BEGINNINGS = {
    "nothing": b"",
    "half a head": b"POST /infill HTTP/1.1\r\nhost: a\r\n",
    "half a body without a key": b"POST /infill HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\n{",
}


@pytest.mark.parametrize("beginning", BEGINNINGS.values(), ids=BEGINNINGS)
def test_silent_connections_are_bounded(beginning: bytes) -> None:
    """Of connections that ask for nothing the eldest are closed, and a client is answered while all others stay."""
    holder = KeyHolder("alice", hashlib.sha256(b"secret").hexdigest())
    with (
        served(TeamConfiguration(port=0, most_connections=20, keys=(holder,))) as address,
        ExitStack() as stack,
    ):
        silent = begun(address, beginning, 60, stack)
        closed = 0
        while closed < 40:
            closed += _closed(silent)
        assert ask(address, {"input_prefix": "x"}, "secret")[0] == 200


@needs_openssl
def test_handshakes_that_do_not_end_are_bounded(tmp_path: Path) -> None:
    """With TLS too: connections without a handshake, or with half of one, keep no place from a client."""
    certificate, key = self_signed(tmp_path)
    configuration = TeamConfiguration(port=0, most_connections=20, certificate=certificate, certificate_key=key)
    trusting = ssl.create_default_context(cafile=str(certificate))
    with served(configuration) as address, ExitStack() as stack:
        place = address.removeprefix("https://")
        silent = begun(address, b"\x16\x03\x01\x02\x00\x01", 30, stack)
        silent += begun(address, b"", 30, stack)
        closed = 0
        while closed < 40:
            closed += _closed(silent)
        with closing(http.client.HTTPSConnection(place, timeout=120, context=trusting)) as made:
            for _ in range(3):
                made.request("GET", "/health")
                answer = made.getresponse()
                assert answer.status == 200
                answer.read()


def test_a_place_in_use_is_kept(tmp_path: Path) -> None:
    """A connection whose request is in work keeps its place, however many others come."""
    go_on = tmp_path / "go"
    body = json.dumps({"input_prefix": f"wait {go_on}"}).encode()
    with served(TeamConfiguration(port=0, most_connections=3)) as address, ExitStack() as stack:
        busy = [stack.enter_context(closing(connection(address))) for _ in range(2)]
        for each in busy:
            each.request("POST", "/infill", body)
        with closing(connection(address)) as watch:
            waiting = 0
            while waiting < 2:
                watch.request("GET", "/health")
                waiting = json.loads(watch.getresponse().read())["waiting"]
        silent = begun(address, b"", 10, stack)
        while len(silent) > 1:
            _closed(silent)
        go_on.touch()
        found = [json.loads(each.getresponse().read())["content"] for each in busy]
        assert [text.split("|")[0] for text in found] == [f"wait {go_on}"] * 2
        assert ask(address, {"input_prefix": "x"})[0] == 200


def test_a_full_house_takes_nobody() -> None:
    """A new connection is not taken while each of the others has a request in work."""

    class Place:
        transport = SimpleNamespace(abort=lambda: None)

    limit, first, second = ConnectionLimit(1), cast("BoundedProtocol", Place()), cast("BoundedProtocol", Place())
    assert limit.takes(first)
    limit.work(first)
    assert not limit.takes(second)
    limit.rest(first)
    assert limit.takes(second)
    limit.rest(first)  # it is gone, so it is no place to be given away
    limit.work(second)
    assert not limit.takes(first)
    limit.leave(second)
    assert limit.takes(first)


def test_places() -> None:
    """A host takes as many connections as it is told to, if the system lets it have so many files."""
    resource = pytest.importorskip("resource", reason="Windows has no such limit")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        assert places(16) == 16
        resource.setrlimit(resource.RLIMIT_NOFILE, (1_000, hard))
        most = 1_000 if hard == resource.RLIM_INFINITY else min(1_000, hard - 2_000)
        assert places(most) == most
        assert 2 * most > places(10**9) or hard == resource.RLIM_INFINITY or places(10**9) <= hard
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def begun(address: str, beginning: bytes, count: int, stack: ExitStack) -> list[socket.socket]:
    """Return connections that have sent no more than a beginning."""
    host, port = address.partition("://")[2].split(":")
    made = [stack.enter_context(socket.create_connection((host, int(port)), 120)) for _ in range(count)]
    for each in made:
        with suppress(ConnectionError):  # closed already
            each.sendall(beginning)
        each.setblocking(False)
    return made


def _closed(connections: list[socket.socket]) -> int:
    """Take those that the other side has closed out of a list, and return their number."""
    with selectors.DefaultSelector() as selector:
        for each in connections:
            selector.register(each, selectors.EVENT_READ)
        ready = [key.fileobj for key, _ in selector.select(60)]
    gone = [each for each in ready if isinstance(each, socket.socket) and _is_closed(each)]
    for closed in gone:
        connections.remove(closed)
    return len(gone)


def _is_closed(connection: socket.socket) -> bool:
    """Return whether the other side has closed a connection; read what it has said."""
    try:
        while connection.recv(65_536):
            pass
    except BlockingIOError:
        return False
    except ConnectionError:
        pass
    return True


def test_a_head_that_does_not_end() -> None:
    """A head of more than some kilobytes is refused, and its connection is closed."""
    with served(TeamConfiguration(port=0)) as address:
        host, port = address.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), 120) as made, pytest.raises(ConnectionError):
            made.sendall(b"GET / HTTP/1.1\r\n" + (b"x-a: " + b"b" * 1000 + b"\r\n") * 10_000)
        assert ask(address, {"input_prefix": "x"})[0] == 200


def test_a_body_beyond_the_limit() -> None:
    """A body that is too long is refused while it comes; the host goes on."""
    with served(TeamConfiguration(port=0, most_kilobytes=1)) as address:
        assert ask(address, {"input_prefix": "x" * 2000})[0] == 413
        assert ask(address, {"input_prefix": "x"})[0] == 200


@needs_openssl
def test_tls(tmp_path: Path) -> None:
    """With a certificate the host speaks TLS, and nothing else."""
    certificate, key = self_signed(tmp_path)
    with served(TeamConfiguration(port=0, certificate=certificate, certificate_key=key)) as address:
        assert address.startswith("https://127.0.0.1:")
        place = address.removeprefix("https://")
        trusting = ssl.create_default_context(cafile=str(certificate))
        with closing(http.client.HTTPSConnection(place, timeout=120, context=trusting)) as made:
            made.request("GET", "/health")
            assert made.getresponse().status == 200
        with pytest.raises((ConnectionError, http.client.HTTPException)):
            ask(f"http://{place}", {})


def test_what_the_owner_can_mend(tmp_path: Path) -> None:
    """A port that is taken, a log that cannot be written and a model that is not there are sentences."""
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(TeamConfigurationError, match=f"at 127.0.0.1, port {port} .*: choose another `port`"):
            with_trouble(TeamConfiguration(port=port))
    with pytest.raises(TeamConfigurationError, match="cannot be written"):
        with_trouble(TeamConfiguration(port=0, audit=tmp_path / "no" / "audit"))
    (tmp_path / "nonsense").write_text("nonsense", "utf-8")
    with pytest.raises(TeamConfigurationError, match="let `certificate` name"):
        with_trouble(
            TeamConfiguration(port=0, certificate=tmp_path / "nonsense", certificate_key=tmp_path / "nonsense")
        )
    with pytest.raises(TeamConfigurationError, match="no model `wrong`"):
        with_trouble(TeamConfiguration(port=0, model="wrong"))
    with pytest.raises(TeamConfigurationError, match="choose a smaller `model`"):
        with_trouble(TeamConfiguration(port=0, model="deadly"))
    assert threading.active_count() < 100


def with_trouble(configuration: TeamConfiguration) -> None:
    """Serve with a configuration that does not work."""
    with served(configuration):
        raise AssertionError("it works")
