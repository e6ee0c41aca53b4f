"""The listener: the HTTP server in front of the doors, with bounds on connections that send nothing."""

from __future__ import annotations

import socket
from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    import asyncio

    from dovetail.team.application import Doors
    from dovetail.team.configuration import TeamConfiguration

_HEAD_SECONDS = 10.0
"""Seconds in which a new connection has to send the head of its first request."""

_IDLE_SECONDS = 30
"""Seconds for which a connection is kept after an answer; editors ask again at the next key."""

_BACKLOG = 256
_HEAD_BYTES = 16 << 10
_ENDING_SECONDS = 10


class BoundedProtocol(H11Protocol):
    """One connection. Those beyond the limit are closed, and so are those that do not ask in time."""

    most: ClassVar[int] = 512
    head_seconds: ClassVar[float] = _HEAD_SECONDS
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection, or close it."""
        if len(self.connections) >= self.most:
            transport.abort()
            self.transport = transport
            return
        super().connection_made(transport)
        self._timer = self.loop.call_later(self.head_seconds, self._close_silent)

    def data_received(self, data: bytes) -> None:
        """Read what came; what a closed connection still brings is dropped."""
        if not self.transport.is_closing():
            super().data_received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        if self._timer is not None:
            self._timer.cancel()
        if self.flow is not None:
            super().connection_lost(exc)

    def _close_silent(self) -> None:
        if self.cycle is None:  # no request was ever complete up to its body
            self.transport.abort()


class TeamListener:
    """The server of one host, bound to an address."""

    def __init__(self, configuration: TeamConfiguration) -> None:
        """Bind the address; raises OSError."""
        family = socket.AF_INET6 if ":" in configuration.address else socket.AF_INET
        # Named, because asyncio sends small parts at once only over sockets that say that they are TCP's. Otherwise the
        # body of each answer waits 40 ms, until the client confirms its head.
        self._socket = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        try:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self._socket.bind((configuration.address, configuration.port))
            self._socket.set_inheritable(False)
        except OSError:
            self._socket.close()
            raise
        self._configuration = configuration
        self._server: uvicorn.Server | None = None
        self._stopped = False

    @property
    def address(self) -> str:
        """The address with its scheme and port, as clients write it."""
        host, port = self._socket.getsockname()[:2]
        scheme = "http" if self._configuration.certificate is None else "https"
        return f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}"

    def listen(self) -> None:
        """Let clients connect; they wait until `serve` takes them."""
        self._socket.listen(_BACKLOG)

    async def serve(self, doors: Doors) -> None:
        """Answer until the process is told to end; requests in work are answered before."""
        read = self._configuration
        protocol = type("_Protocol", (BoundedProtocol,), {"most": read.most_connections})
        options: dict[str, Any] = {}
        if read.certificate is not None and read.certificate_key is not None:
            options = {"ssl_certfile": str(read.certificate), "ssl_keyfile": str(read.certificate_key)}
        self._server = uvicorn.Server(
            uvicorn.Config(
                doors, http=protocol, loop="asyncio", ws="none", lifespan="off", log_config=None, access_log=False,
                server_header=False, proxy_headers=False, h11_max_incomplete_event_size=_HEAD_BYTES,
                backlog=_BACKLOG, timeout_keep_alive=_IDLE_SECONDS, timeout_graceful_shutdown=_ENDING_SECONDS,
                **options,
            )
        )  # fmt: skip
        self._server.should_exit = self._stopped
        await self._server.serve(sockets=[self._socket])

    def stop(self) -> None:
        """Have `serve` return; any thread may call this."""
        self._stopped = True
        if self._server is not None:
            self._server.should_exit = True

    def close(self) -> None:
        """Free the address."""
        with suppress(OSError):
            self._socket.close()
