"""The connection between server and client: the standard streams, or one TCP connection on this machine.

A thread reads bytes, because no other way to wait for them works on every system. The event loop handles them before
the thread reads more. The session ends with the client: when the client sends `exit`, when its end of the stream
closes, when writing to it fails, and when its process ends (`client.py`).
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import re
import socket
import sys
import threading
from typing import TYPE_CHECKING

from dovetail.lsp.framing import Framing, Lost

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail.lsp.protocol import Protocol

logger = logging.getLogger(__name__)

_LOOPBACK = "127.0.0.1"

_HTTP = re.compile(rb"[A-Z]{3,8} ")
"""The beginning of a browser's request; no message of the protocol begins like this."""

_CHUNK = 1 << 16
"""The most bytes of one read."""


class _Writer:
    """Writes whole messages to the client; the session ends if the client is gone."""

    def __init__(self, write: Callable[[memoryview], int], end: Callable[[], None]) -> None:
        self._write = write
        self._end = end

    def write(self, data: bytes) -> None:
        """Write all bytes of `data`."""
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[self._write(rest) :]
        except OSError:
            self._end()

    def close(self) -> None:
        """Do nothing at the end of the session: the caller of `_serve` closes the stream."""


def serve_streams(protocol: Protocol) -> None:
    """Talk over stdin and stdout until the session ends.

    From here on stdout carries the protocol only, and everything that the process or a library prints goes to stderr.
    """
    sys.stdout.flush()
    client = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    source = sys.stdin.fileno()
    # Python's buffered streams have a lock. A waiting thread that holds it would crash the process at its end.
    _serve(protocol, lambda: os.read(source, _CHUNK), lambda data: os.write(client, data))


def listen(port: int) -> socket.socket:
    """Return a socket that waits for clients of this machine, and print its address to stderr.

    Port 0 means any free port. Raises OSError if the port is not available.
    """
    listener = socket.create_server((_LOOPBACK, port))
    sys.stderr.write(f"Dovetail listens on {_LOOPBACK}:{listener.getsockname()[1]}\n")
    sys.stderr.flush()
    return listener


def serve_connection(protocol: Protocol, listener: socket.socket) -> None:
    """Talk to the first client that connects, until the session ends; no other client can connect."""
    with listener:
        connection = _accept(listener)
    with connection:
        _serve(protocol, lambda: connection.recv(_CHUNK), connection.send)


def _accept(listener: socket.socket) -> socket.socket:
    """Return the first connection of a client; close those of browsers, which can only speak HTTP."""
    while True:
        connection, _ = listener.accept()
        try:
            begins = connection.recv(_CHUNK, socket.MSG_PEEK)
        except OSError:
            begins = b""
        if begins and _HTTP.match(begins) is None:
            return connection
        connection.close()


def _serve(protocol: Protocol, read: Callable[[], bytes], write: Callable[[memoryview], int]) -> None:
    asyncio.run(_session(protocol, read, write))


async def _session(protocol: Protocol, read: Callable[[], bytes], write: Callable[[memoryview], int]) -> None:
    """Take messages until the session ends."""
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    protocol.session.left = ended.set
    framing = Framing()
    protocol.set_writer(_Writer(write, ended.set))

    async def take(chunk: bytes) -> None:
        for part in framing.feed(chunk):
            if ended.is_set():
                return
            try:
                if isinstance(part, Lost):
                    protocol.lose(part.reason)
                else:
                    protocol.receive(part)
            except Exception:
                logger.exception("A message could not be handled because of a defect in Dovetail.")
            # Let a new request take its snapshot now, before the next message can change the document.
            await asyncio.sleep(0)
        if not chunk:
            ended.set()

    def pump() -> None:
        # A closed loop raises these, and the thread ends too.
        with contextlib.suppress(RuntimeError, asyncio.CancelledError):
            while True:
                try:
                    chunk = read()
                except OSError:
                    chunk = b""  # the connection is gone
                taking = take(chunk)
                try:
                    asyncio.run_coroutine_threadsafe(taking, loop).result()
                finally:
                    taking.close()
                if not chunk:
                    return

    # A daemon, because nothing can end a thread that waits for a client.
    threading.Thread(target=pump, name="client", daemon=True).start()
    await ended.wait()
