"""The connection between server and client: the standard streams, or one TCP connection on this machine.

Bytes are read on a thread, since there is no other way to wait for them on every system, and taken on the event loop;
the thread reads no further before they are. The session ends with the client: when it says so, when its end of the
stream is closed, when nothing can be written to it any more, and when its process is gone (`client.py`).
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
"""How a browser's request begins, and no message of the protocol."""

_CHUNK = 1 << 16
"""Bytes that are read at most in one go."""


class _Writer:
    """Writes to the client, whole messages one after the other; a client that is gone ends the session."""

    def __init__(self, write: Callable[[memoryview], int], end: Callable[[], None]) -> None:
        self._write = write
        self._end = end

    def write(self, data: bytes) -> None:
        """Write all of some bytes."""
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[self._write(rest) :]
        except OSError:
            self._end()

    def close(self) -> None:
        """Take the end of the session; whoever opened the stream closes it."""


def serve_streams(protocol: Protocol) -> None:
    """Talk over stdin and stdout until the session ends.

    From here on stdout is the protocol's alone: whatever else the process or a library prints goes to stderr.
    """
    sys.stdout.flush()
    client = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    source = sys.stdin.fileno()
    # Without a buffer of Python's own: its lock, held by a thread that waits, would crash the end of the process.
    _serve(protocol, lambda: os.read(source, _CHUNK), lambda data: os.write(client, data))


def listen(port: int) -> socket.socket:
    """Return a socket that waits for clients of this machine, and say on stderr where.

    Port 0 means any that is free. Raises OSError for a port that cannot be had.
    """
    listener = socket.create_server((_LOOPBACK, port))
    sys.stderr.write(f"Dovetail listens on {_LOOPBACK}:{listener.getsockname()[1]}\n")
    sys.stderr.flush()
    return listener


def serve_connection(protocol: Protocol, listener: socket.socket) -> None:
    """Talk to the first client that connects, until the session ends; nobody else can connect."""
    with listener:
        connection = _accept(listener)
    with connection:
        _serve(protocol, lambda: connection.recv(_CHUNK), connection.send)


def _accept(listener: socket.socket) -> socket.socket:
    """Return the first connection of a client; a page in a browser, which can only speak HTTP, is turned away."""
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
                logger.exception("There is a defect in how a message is taken.")
            # A request that was just begun takes its text now, before the next message can change it.
            await asyncio.sleep(0)
        if not chunk:
            ended.set()

    def pump() -> None:
        # What the loop raises, when it is closed, ends the thread as well.
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

    # A daemon, because a thread that waits for a client cannot be made to end.
    threading.Thread(target=pump, name="client", daemon=True).start()
    await ended.wait()
