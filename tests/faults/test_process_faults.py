"""Faults of the process: nonsense on its streams, a client that is gone, an end that nobody announced."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, Any

import pytest
from tests.end_to_end.test_process import EXIT, INITIALIZE, INITIALIZED, SHUTDOWN, next_message, read, start, written

if TYPE_CHECKING:
    from collections.abc import Iterator

PATIENCE = 120

ELSEWHERE: dict[str, Any] = {"id": 1, "method": "initialize", "params": {"capabilities": {}, "rootUri": None}}

STATUS = {"id": 5, "method": "workspace/executeCommand", "params": {"command": "dovetail.server.status"}}


@pytest.fixture(name="server")
def _server() -> Iterator[subprocess.Popen[bytes]]:
    with start() as process:
        yield process
        process.kill()


def send(process: subprocess.Popen[bytes], data: bytes) -> None:
    assert process.stdin is not None
    process.stdin.write(data)
    process.stdin.flush()


def answer(process: subprocess.Popen[bytes], number: object) -> dict[str, Any]:
    """Return the next answer under an id, whatever is said before it."""
    assert process.stdout is not None
    while (message := next_message(process.stdout)) is not None:
        if "method" not in message and message["id"] == number:
            return message
    raise AssertionError("the server has ended")


@pytest.mark.parametrize(
    "nonsense",
    [
        b"GET / HTTP/1.1\r\nHost: here\r\n\r\n",
        b"\x00\xff\xfe" * 1000,
        b"Content-Length: 5\r\n\r\n{]\xff}{",
        b"Content-Length: 1000000\r\n\r\n{}",
        b"Content-Length: 3\r\n\r\n" + b'{"jsonrpc": "2.0"}',
        b"x" * 1_000_000,
    ],
    ids=lambda nonsense: nonsense[:30],
)
def test_nonsense_on_the_stream_does_not_end_the_session(server: subprocess.Popen[bytes], nonsense: bytes) -> None:
    """It is answered with an error, and the session goes on and ends in order."""
    send(server, written(INITIALIZE) + nonsense + written(SHUTDOWN))

    assert "result" in answer(server, 1)
    assert answer(server, None)["error"]["message"].startswith("A message was lost")
    assert answer(server, 2)["result"] is None
    send(server, written(EXIT))
    assert server.wait(PATIENCE) == 0


def test_a_message_that_is_cut_off_ends_with_its_stream(server: subprocess.Popen[bytes]) -> None:
    """A client that is gone in the middle of a message is gone."""
    send(server, written(INITIALIZE) + written(SHUTDOWN)[:-5])
    assert "result" in answer(server, 1)
    assert server.stdin is not None
    server.stdin.close()

    assert server.wait(PATIENCE) == 1


def test_a_client_that_reads_no_more_ends_the_server(server: subprocess.Popen[bytes]) -> None:
    """Nothing can be written to it, though its own end of the stream is open."""
    send(server, written(INITIALIZE))
    assert "result" in answer(server, 1)
    assert server.stdout is not None
    server.stdout.close()

    send(server, written(STATUS))

    assert server.wait(PATIENCE) == 1


def test_a_client_whose_process_is_gone_ends_the_server(server: subprocess.Popen[bytes]) -> None:
    """Also where somebody else holds its end of the stream open."""
    client = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    params = {**ELSEWHERE["params"], "processId": client.pid}
    send(server, written({**ELSEWHERE, "params": params}))
    assert "result" in answer(server, 1)
    assert server.poll() is None

    client.communicate(b"\n")

    assert server.wait(PATIENCE) == 1


def test_a_client_that_cannot_be_seen_is_not_missed(server: subprocess.Popen[bytes]) -> None:
    """A process in another container has a number that means nothing here."""
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait(PATIENCE)
    params = {**ELSEWHERE["params"], "processId": gone.pid}

    send(server, written({**ELSEWHERE, "params": params}, SHUTDOWN, EXIT))

    assert server.wait(PATIENCE) == 0


def test_a_connection_that_is_broken_off_ends_the_server() -> None:
    """Over TCP as well; and nobody else can connect meanwhile."""
    with start("--tcp", "0") as server:
        assert server.stderr is not None
        port = int(server.stderr.readline().decode().rpartition(":")[2])
        connection = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        with connection, connection.makefile("rb") as stream:
            connection.sendall(written(INITIALIZE))
            assert next_message(stream) is not None
            with pytest.raises(ConnectionRefusedError):
                socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)

        assert server.wait(PATIENCE) == 1


def test_a_page_in_a_browser_is_no_client() -> None:
    """A page's message to a port, in the body of a request, begins no session."""
    with start("--tcp", "0") as server:
        assert server.stderr is not None
        port = int(server.stderr.readline().decode().rpartition(":")[2])
        body = written(INITIALIZE)
        socket.create_connection(("127.0.0.1", port), timeout=PATIENCE).close()
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as page:
            page.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\n" + body)
            page.settimeout(PATIENCE)
            with contextlib.suppress(ConnectionResetError):  # closed with its request unread
                assert page.recv(1) == b""
        connection = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        with connection, connection.makefile("rb") as stream:
            connection.sendall(body)
            assert next_message(stream) is not None

        assert server.wait(PATIENCE) == 1


@pytest.mark.parametrize("how", ["in order", "killed", "client gone"])
def test_the_process_of_the_model_ends_with_the_server(server: subprocess.Popen[bytes], how: str) -> None:
    """However the server ends, even in the middle of loading the model, nothing of it is left."""
    send(server, written(INITIALIZE, INITIALIZED, STATUS))
    assert answer(server, 5)["result"]["busy"]
    ended = threading.Event()

    def wait_for_the_end() -> None:
        # The model's process has inherited stderr, so that has an end when both have.
        assert server.stderr is not None
        server.stderr.read()
        ended.set()

    threading.Thread(target=wait_for_the_end, daemon=True).start()
    assert not ended.is_set()
    if how == "in order":
        send(server, written(SHUTDOWN, EXIT))
    elif how == "killed":
        os.kill(server.pid, signal.SIGKILL)
    else:
        assert server.stdin is not None
        server.stdin.close()

    assert server.wait(PATIENCE) == {"in order": 0, "killed": -signal.SIGKILL, "client gone": 1}[how]
    assert ended.wait(PATIENCE)


def test_a_thousand_requests_in_one_piece_are_answered(server: subprocess.Popen[bytes]) -> None:
    """However the system cuts a stream, and however much of it comes at once."""
    many = [{"id": number, "method": "dovetail/unknown"} for number in range(10, 1010)]

    send(server, written(INITIALIZE, *many, SHUTDOWN, EXIT))

    assert server.stdout is not None
    assert [message["id"] for message in read(server.stdout)] == [1, *range(10, 1010), 2]
    assert server.wait(PATIENCE) == 0
