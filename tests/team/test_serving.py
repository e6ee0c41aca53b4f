"""The whole host over real sockets: HTTP server, doors, queue and processes."""

from __future__ import annotations

import asyncio
import hashlib
import http.client
import json
import os
import socket
import ssl
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, Any

import pytest
from tests.team.certificate import needs_openssl, self_signed
from tests.team.served import served

from dovetail.team.configuration import TeamConfiguration, TeamConfigurationError
from dovetail.team.keys import KeyHolder
from dovetail.team.listener import TeamListener

if TYPE_CHECKING:
    from pathlib import Path


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


def test_silent_connections_are_bounded() -> None:
    """Of connections that send nothing those beyond the limit are closed; when the others go, clients are taken."""
    with served(TeamConfiguration(port=0, most_connections=20)) as address:
        host, port = address.removeprefix("http://").split(":")
        with ExitStack() as stack:
            silent = [stack.enter_context(socket.create_connection((host, int(port)), 120)) for _ in range(60)]
            closed = 0
            while closed < 40:
                closed += _closed(silent)
        while True:
            try:
                assert ask(address, {"input_prefix": "x"})[0] == 200
            except (ConnectionError, http.client.RemoteDisconnected):
                continue  # the host has not seen yet that the others have gone
            break


def _closed(connections: list[socket.socket]) -> int:
    """Take those that the other side has closed out of a list, and return their number."""
    import selectors

    with selectors.DefaultSelector() as selector:
        for each in connections:
            selector.register(each, selectors.EVENT_READ)
        gone = [key.fileobj for key, _ in selector.select(60)]
    for closed in gone:
        assert isinstance(closed, socket.socket)
        connections.remove(closed)
    return len(gone)


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
    with pytest.raises(TeamConfigurationError, match="no model `wrong`"):
        with_trouble(TeamConfiguration(port=0, model="wrong"))
    with pytest.raises(TeamConfigurationError, match="choose a smaller `model`"):
        with_trouble(TeamConfiguration(port=0, model="deadly"))
    assert threading.active_count() < 100


def with_trouble(configuration: TeamConfiguration) -> None:
    """Serve with a configuration that does not work."""
    with served(configuration):
        raise AssertionError("it works")
