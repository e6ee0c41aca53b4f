"""The listener: the HTTP server in front of the doors, with bounds on connections that ask for nothing."""

from __future__ import annotations

import logging
import socket
import ssl
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    import asyncio

    from dovetail.team.application import Doors
    from dovetail.team.configuration import TeamConfiguration

logger = logging.getLogger(__name__)

_HEAD_SECONDS = 10.0
"""Seconds in which a connection has to send the head of a request; of the first one with the handshake before it."""

_IDLE_SECONDS = 30
"""Seconds for which a connection is kept after an answer; editors ask again at the next key."""

_BACKLOG = 1_024
_AT_ONCE = 32
"""Connections that are taken before what others have sent is read. Were they more than there are places, a connection
could lose its place to them before its request is seen."""

_OWN_FILES = 256
"""Files and pipes that the process has open beside its connections, at most."""

_HEAD_BYTES = 16 << 10
_ENDING_SECONDS = 10


class ConnectionLimit:
    """The connections of one host, bounded: a new one takes the place of the one that was idle for the longest time.

    So those that ask for nothing keep no place from a client, which sends its request as soon as it is connected.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: set[BoundedProtocol] = set()
        self._idle: dict[BoundedProtocol, None] = {}  # without a request in work, the longest time first

    def takes(self, connection: BoundedProtocol) -> bool:
        """Take a new connection, which is idle; return False if each of the others has a request in work."""
        if len(self._open) >= self._most:
            if not self._idle:
                return False
            oldest = next(iter(self._idle))
            self.leave(oldest)
            oldest.transport.abort()
        self._open.add(connection)
        self._idle[connection] = None
        return True

    def work(self, connection: BoundedProtocol) -> None:
        """Note that a connection has a request in work."""
        self._idle.pop(connection, None)

    def rest(self, connection: BoundedProtocol) -> None:
        """Note that the request of a connection was answered."""
        if connection in self._open:
            self._idle[connection] = None

    def leave(self, connection: BoundedProtocol) -> None:
        """Forget a connection."""
        self._open.discard(connection)
        self._idle.pop(connection, None)


class BoundedProtocol(H11Protocol):
    """One connection; it is closed if a head or a handshake does not come in time, or if the place is needed."""

    limit: ClassVar[ConnectionLimit]
    tls: ClassVar[ssl.SSLContext | None] = None
    head_seconds: ClassVar[float] = _HEAD_SECONDS
    _timer: asyncio.TimerHandle | None = None
    _securing: asyncio.Task[None] | None = None
    _early = b""
    """The bytes that came before the end of the handshake was noted."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection, or close it."""
        self.transport = transport
        if not self.limit.takes(self):
            transport.abort()
            return
        self._timer = self.loop.call_later(self.head_seconds, transport.abort)
        if self.tls is None:
            super().connection_made(transport)
        else:
            # Here, not in asyncio's server: that one counts nobody before the end of the handshake.
            transport.pause_reading()
            self.connections.add(self)
            self._securing = self.loop.create_task(self._secure(transport, self.tls))

    def data_received(self, data: bytes) -> None:
        """Read what came; what a closed connection still brings is dropped."""
        if self.transport.is_closing():
            return
        if self.flow is None:
            self._early += data
            return
        super().data_received(data)
        self._note()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self.limit.rest(self)
        super().on_response_complete()  # it begins the next request, if that has come already
        self._note()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self.limit.leave(self)
        self._stop_timer()
        if self.flow is not None:
            super().connection_lost(exc)
        self.connections.discard(self)

    def shutdown(self) -> None:
        """Close the connection once it has no request in work."""
        if self.flow is None:
            self.transport.abort()
        else:
            super().shutdown()

    def _note(self) -> None:
        """Note whether there is a request in work; what comes of another head has to go on in time."""
        if self.cycle is not None and not self.cycle.response_complete:
            self.limit.work(self)
            self._stop_timer()
        elif self._timer is None and not self.transport.is_closing() and self.conn.trailing_data[0]:
            self._timer = self.loop.call_later(self.head_seconds, self.transport.abort)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    async def _secure(self, transport: asyncio.Transport, tls: ssl.SSLContext) -> None:
        secured: asyncio.Transport | None = None
        with suppress(OSError):  # a handshake that fails, or does not end
            secured = await self.loop.start_tls(
                transport, self, tls, server_side=True, ssl_handshake_timeout=self.head_seconds
            )
        if secured is None or secured.is_closing():
            transport.abort()
            self.connection_lost(None)
            return
        super().connection_made(secured)
        if self._early:
            self.data_received(self._early)
            self._early = b""


class _Server(uvicorn.Server):
    """The server of uvicorn, which takes few connections at once from a long queue."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to take connections."""
        await super().startup(sockets)  # it makes the queue as short as the number that is taken at once
        for each in sockets or ():
            each.listen(_BACKLOG)


class TeamListener:
    """The server of one host, bound to an address."""

    def __init__(self, configuration: TeamConfiguration) -> None:
        """Bind the address; raises OSError, and SSLError for a certificate or a key that cannot be used."""
        self._tls: ssl.SSLContext | None = None
        if configuration.certificate is not None:
            self._tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
            self._tls.load_cert_chain(configuration.certificate, configuration.certificate_key)
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
        own: dict[str, Any] = {"limit": ConnectionLimit(places(read.most_connections)), "tls": self._tls}
        protocol = type("_Protocol", (BoundedProtocol,), own)
        self._server = _Server(
            uvicorn.Config(
                doors, http=protocol, loop="asyncio", ws="none", lifespan="off", log_config=None, access_log=False,
                server_header=False, proxy_headers=False, h11_max_incomplete_event_size=_HEAD_BYTES,
                backlog=_AT_ONCE, timeout_keep_alive=_IDLE_SECONDS, timeout_graceful_shutdown=_ENDING_SECONDS,
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


def places(wanted: int) -> int:
    """Return how many connections may be open at a time: as many as are wanted, or as the system lets this process.

    A process with as many files as it may have takes no connection any more, whoever asks for it. Connections that are
    closed, and those that wait to be taken, are open for a moment too.
    """
    beside = 4 * _AT_ONCE + _OWN_FILES
    if sys.platform == "win32":
        return wanted
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted + beside:
        soft = wanted + beside if hard == resource.RLIM_INFINITY else min(hard, wanted + beside)
        with suppress(ValueError, OSError):  # a system may allow less than it says
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if soft == resource.RLIM_INFINITY or soft >= wanted + beside:
        return wanted
    most = max(soft - beside, soft // 2)
    logger.warning(
        "This process may have %d files open, so it takes %d connections at a time, not %d: raise `ulimit -n`.",
        soft, most, wanted,
    )  # fmt: skip
    return most
