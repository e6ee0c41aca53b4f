"""How the server and its client are joined: the standard streams, or one connection on this machine."""

from __future__ import annotations

import contextlib
import os
import socket
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dovetail.lsp.server import Server

_LOOPBACK = "127.0.0.1"


def serve_streams(server: Server) -> None:
    """Talk over stdin and stdout until the session ends.

    From here on stdout is the protocol's alone: whatever else the process or a library prints goes to stderr.
    """
    sys.stdout.flush()
    client = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    server.start_io(sys.stdin.buffer, client)


def listen(port: int) -> socket.socket:
    """Return a socket that waits for clients of this machine, and say on stderr where.

    Port 0 means any that is free. Raises OSError for a port that cannot be had.
    """
    listener = socket.create_server((_LOOPBACK, port))
    sys.stderr.write(f"Dovetail listens on {_LOOPBACK}:{listener.getsockname()[1]}\n")
    sys.stderr.flush()
    return listener


def serve_connection(server: Server, listener: socket.socket) -> None:
    """Talk to the first client that connects, until the session ends; nobody else can connect."""
    with listener:
        connection, _ = listener.accept()
    # A client that breaks the connection off has ended the session, if not in order.
    with connection, contextlib.suppress(ConnectionError):
        server.start_io(connection.makefile("rb"), connection.makefile("wb"))
