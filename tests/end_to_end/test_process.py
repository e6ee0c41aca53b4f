"""The server as a process: its streams, its exit codes, its command line."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
import urllib.request
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path
    from typing import IO

SERVE = [sys.executable, "-m", "dovetail", "serve"]

INITIALIZE = {
    "id": 1,
    "method": "initialize",
    "params": {"capabilities": {}, "processId": None, "rootUri": None},
}
INITIALIZED = {"method": "initialized", "params": {}}
SHUTDOWN = {"id": 2, "method": "shutdown"}
EXIT = {"method": "exit"}


def written(*messages: dict[str, Any]) -> bytes:
    """Return messages as they go over a stream."""
    bodies = [json.dumps({"jsonrpc": "2.0", **message}).encode() for message in messages]
    return b"".join(b"Content-Length: %d\r\n\r\n%b" % (len(body), body) for body in bodies)


def next_message(stream: IO[bytes]) -> dict[str, Any] | None:
    """Return the next message of a stream, which holds nothing but messages, or None at its end."""
    header = stream.readline()
    if not header:
        return None
    match = re.fullmatch(rb"Content-Length: (\d+)\r\n", header)
    assert match is not None, header
    while stream.readline() != b"\r\n":
        pass
    message: dict[str, Any] = json.loads(stream.read(int(match[1])))
    return message


def read(stream: IO[bytes]) -> list[dict[str, Any]]:
    """Return all messages up to the end of a stream."""
    messages = []
    while message := next_message(stream):
        messages.append(message)
    return messages


def start(*arguments: str) -> subprocess.Popen[bytes]:
    """Start a server whose streams are pipes."""
    return subprocess.Popen([*SERVE, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def refusal(*arguments: str) -> str:
    """Return what a server that does not start writes to stderr."""
    finished = subprocess.run([*SERVE, *arguments], capture_output=True, text=True, timeout=60, check=False)
    assert finished.returncode == 2
    return finished.stderr


def run(*arguments: str, messages: bytes) -> tuple[int, list[dict[str, Any]], str]:
    """Run a server on messages; return exit code, what it sent and what it wrote to stderr."""
    with start(*arguments) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(messages)
        process.stdin.flush()
        sent = read(process.stdout)
        process.stdin.close()
        complaint = process.stderr.read().decode()
        return process.wait(60), sent, complaint


def test_a_session_in_order_ends_with_0_and_in_silence() -> None:
    """Only the protocol is written to stdout and nothing to stderr, even while the model is loaded."""
    code, sent, complaint = run(messages=written(INITIALIZE, INITIALIZED, SHUTDOWN, EXIT))

    assert (code, complaint) == (0, "")
    assert [message["id"] for message in sent] == [1, 2]


def test_an_exit_without_shutdown_ends_with_1() -> None:
    """As the protocol says, leaving without a shutdown is an error."""
    code, _, complaint = run(messages=written(INITIALIZE, EXIT))

    assert (code, complaint) == (1, "")


def test_a_client_that_is_gone_ends_the_process() -> None:
    """The process ends when the client's end of the stream is closed, even while the model is loaded."""
    with start() as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(written(INITIALIZE, INITIALIZED))
        process.stdin.close()

        assert process.wait(60) == 1
        assert [message["id"] for message in read(process.stdout)] == [1]


def test_a_model_that_is_not_there_is_shown_in_one_sentence(tmp_path: Path) -> None:
    """A folder without a model gives one message with the place, and the session goes on."""
    with start("--model", str(tmp_path)) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(written(INITIALIZE, INITIALIZED))
        process.stdin.flush()
        answer, shown = (next_message(process.stdout) for _ in range(2))
        process.stdin.write(written(SHUTDOWN, EXIT))
        process.stdin.flush()

        assert process.wait(60) == 0
    assert answer is not None
    assert answer["id"] == 1
    assert shown is not None
    assert shown["method"] == "window/showMessage"
    assert str(tmp_path) in shown["params"]["message"]


def test_a_port_of_this_machine_serves_one_client() -> None:
    """Over TCP the same session is held on the port that stderr names, and ends the process."""
    with start("--tcp", "0") as process:
        assert process.stderr
        line = process.stderr.readline().decode()
        match = re.fullmatch(r"Dovetail listens on (127\.0\.0\.1):(\d+)\n", line)
        assert match is not None
        with (
            socket.create_connection((match[1], int(match[2])), timeout=60) as connection,
            connection.makefile("rb") as stream,
        ):
            connection.sendall(written(INITIALIZE, SHUTDOWN, EXIT))
            sent = read(stream)

        assert process.wait(60) == 0
        assert process.stdout is not None
        assert process.stdout.read() == b""
    assert [message["id"] for message in sent] == [1, 2]


def test_the_log_file_tells_of_the_session_and_nothing_of_the_document(tmp_path: Path) -> None:
    """A document, a change that cannot be read and a request that cannot be answered leave no text in it."""
    secret = "confidential"
    document = {"uri": "file:///x.json", "languageId": "json", "version": 1, "text": f'["{secret}", '}
    place = {"textDocument": {"uri": "file:///x.json"}, "position": {"line": 0, "character": 17}}
    messages: list[dict[str, Any]] = [
        INITIALIZE,
        INITIALIZED,
        {"method": "textDocument/didChange", "params": {"textDocument": secret, "contentChanges": [secret]}},
        {"method": "textDocument/didOpen", "params": {"textDocument": document}},
        {"id": secret, "method": f"{secret}/unknown", "params": {"text": secret}},
        {"method": "textDocument/didShowCompletion", "params": [secret]},
        {"id": 3, "method": "textDocument/inlineCompletion", "params": {**place, "context": {"triggerKind": 1}}},
    ]
    logs = []
    for level in ("info", "debug"):
        path = tmp_path / level
        with start("--log-file", str(path), "--log-level", level) as process:
            assert process.stdin
            assert process.stdout
            assert process.stderr
            process.stdin.write(written(*messages))
            process.stdin.flush()
            while (message := next_message(process.stdout)) is not None and message.get("id") != 3:
                pass
            process.stdin.write(written(SHUTDOWN, EXIT))
            process.stdin.flush()
            assert process.wait(60) == 0
            assert process.stderr.read() == b""
        logs.append(path.read_text(encoding="utf-8"))

    told, all_told = logs
    assert "invoked request in file:///x.json at 17: offered" in told
    assert "Unable to deserialize message" in told
    assert secret not in told
    assert secret in all_told


def test_a_log_file_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    """One sentence names it, with exit code 2."""
    path = tmp_path / "missing" / "log"

    complaint = refusal("--log-file", str(path))

    assert re.fullmatch(rf"The log file {path} cannot be written \(.+\): name another\.\n", complaint)


def test_the_numbers_are_served_where_stderr_says() -> None:
    """On request they can be read on a port of this machine, and the session goes on beside it."""
    with start("--metrics", "0") as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        line = process.stderr.readline().decode()
        match = re.fullmatch(r"Dovetail's metrics are at (http://127\.0\.0\.1:\d+/metrics)\n", line)
        assert match is not None
        process.stdin.write(written(INITIALIZE))
        process.stdin.flush()
        assert next_message(process.stdout) is not None
        with urllib.request.urlopen(match[1], timeout=60) as answer:
            text = answer.read().decode()
        process.stdin.write(written(SHUTDOWN, EXIT))
        process.stdin.flush()

        assert process.wait(60) == 0
    assert "dovetail_requests_in_progress 0.0" in text


@pytest.mark.parametrize("option", ["--tcp", "--metrics"])
@pytest.mark.parametrize("port", ["-1", "65536", "http"])
def test_a_port_that_is_none_is_refused(port: str, option: str) -> None:
    """A value that is no port is named with exit code 2."""
    complaint = refusal(option, port)

    assert "a port is a number from 0 to 65535" in complaint
    assert "Traceback" not in complaint


@pytest.mark.parametrize("option", ["--tcp", "--metrics"])
def test_a_port_in_use_is_refused(option: str) -> None:
    """A port that another process has is named in one sentence with exit code 2."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

        complaint = refusal(option, str(port))

    assert re.fullmatch(rf"The port {port} cannot be used \(.+\): name another\.\n", complaint)
