"""A server that plays the Hugging Face hub: it describes one file, leads to its storage, and fails as it is told."""

from __future__ import annotations

import hashlib
import socket
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import pytest

from dovetail.model.download import unfinished
from dovetail.model.downloaded import get, path_of, unfinished_bytes
from dovetail.model.error import ModelError

if TYPE_CHECKING:
    from collections.abc import Iterator

COMMIT = "0123456789abcdef0123456789abcdef01234567"

NAME = "qwen2.5-coder-0.5b"

CONTENT = hashlib.shake_256(b"weights").digest(3 * 2**20 + 17)


@dataclass
class PlayedHub:
    """A server's answers, and the requests that it had."""

    content: bytes
    sha256: str = ""
    address: str = ""
    breaks: list[int] = field(default_factory=list)
    """For each of the next downloads, the bytes after which the connection ends."""
    stalls_after: int | None = None
    """The bytes of a download after which nothing comes until `go_on` is set."""
    go_on: threading.Event = field(default_factory=threading.Event)
    takes_ranges: bool = True
    answers_ranges: int = 206
    status: int = 302
    """The answer to a question about the file."""
    asked: list[tuple[str, str, str]] = field(default_factory=list)
    """Method, path and range of each request."""

    def __post_init__(self) -> None:
        self.sha256 = self.sha256 or hashlib.sha256(self.content).hexdigest()

    @property
    def ranges(self) -> list[str]:
        """The ranges of the downloads from the storage."""
        return [wanted for method, path, wanted in self.asked if method == "GET" and path.startswith("/storage")]


@contextmanager
def played_hub(content: bytes) -> Iterator[PlayedHub]:
    """Give a hub that listens on the loopback interface."""
    hub = PlayedHub(content)

    class Handler(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:  # named by the library
            self.note()
            self.describe()

        def do_GET(self) -> None:  # named by the library
            self.note()
            if not self.path.startswith("/storage"):
                self.describe()
                return
            start = 0
            if (wanted := self.headers["Range"]) is not None:
                if hub.answers_ranges == 416:
                    self.send_error(416)
                    return
                if hub.takes_ranges:
                    start = int(wanted.removeprefix("bytes=").removesuffix("-"))
            rest = hub.content[start:]
            self.send_response(206 if start else 200)
            self.send_header("Content-Length", str(len(rest)))
            if start:
                self.send_header("Content-Range", f"bytes {start}-{len(hub.content) - 1}/{len(hub.content)}")
            self.end_headers()
            if hub.stalls_after is not None and not hub.go_on.is_set():
                self.wfile.write(rest[: hub.stalls_after])
                hub.go_on.wait()
                return
            self.wfile.write(rest[: hub.breaks.pop(0)] if hub.breaks else rest)

        def describe(self) -> None:
            if hub.status != 302:
                self.send_error(hub.status)
                return
            self.send_response(302)
            self.send_header("X-Repo-Commit", COMMIT)
            self.send_header("X-Linked-Size", str(len(hub.content)))
            self.send_header("X-Linked-Etag", f'"{hub.sha256}"')
            self.send_header("Location", f"{hub.address}/storage")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def note(self) -> None:
            hub.asked.append((self.command, self.path, self.headers["Range"] or ""))

        def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002  # named by the library
            """Print nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        hub.address = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield hub
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def silent_address() -> Iterator[str]:
    """Give an address of the loopback interface at which nobody listens, and nobody else will meanwhile."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{held.getsockname()[1]}"


def fetched() -> list[int]:
    """Fetch the model and return the numbers of bytes that were told."""
    told: list[int] = []
    get(NAME, lambda count, size: told.append(count), lambda file: None)
    assert path_of(NAME).read_bytes() == CONTENT
    assert unfinished(path_of(NAME)) == []
    return told


def left_off(hub: PlayedHub, count: int) -> None:
    """Leave a download that has so many bytes."""
    hub.breaks = [count, 0]
    with pytest.raises(ModelError):
        get(NAME, lambda count, size: None, lambda file: None)
    assert unfinished_bytes(NAME) == count
    assert not path_of(NAME).exists()
    hub.asked.clear()
