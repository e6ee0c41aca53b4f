"""A relay before a host: it counts what goes there, and can be cut, as a network or a host that has ended."""

from __future__ import annotations

import socket
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Relay:
    """Hands connections on to a host at another port."""

    def __init__(self, address: str) -> None:
        """Begin; `address` is that of the host."""
        self.sent = 0
        """Bytes that went to the host."""
        self._scheme, _, place = address.partition("://")
        name, _, port = place.rpartition(":")
        self._target = name, int(port)
        self._is_cut = False
        self._sockets: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._begin(self._accept)

    @property
    def address(self) -> str:
        """The address of the relay."""
        return f"{self._scheme}://127.0.0.1:{self._listener.getsockname()[1]}"

    def cut(self) -> None:
        """End all connections, and every new one at once."""
        with self._lock:
            self._is_cut = True
            for each in self._sockets:
                _end(each)

    def resume(self) -> None:
        """Hand connections on again."""
        with self._lock:
            self._is_cut = False

    def aim(self, address: str) -> None:
        """End all connections, and hand new ones on to another host."""
        name, _, port = address.partition("://")[2].rpartition(":")
        with self._lock:
            self._target = name, int(port)
            for each in self._sockets:
                _end(each)

    def close(self) -> None:
        """End everything."""
        self.cut()
        _end(self._listener)
        for thread in self._threads:
            thread.join()
        for each in (self._listener, *self._sockets):
            each.close()

    def _begin(self, work: Callable[..., None], *given: object) -> None:
        thread = threading.Thread(target=work, args=given, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                with self._lock:
                    if self._is_cut:
                        client.close()
                        continue
                    host = socket.create_connection(self._target)
                    self._sockets += [client, host]
                self._begin(self._pump, client, host, True)
                self._begin(self._pump, host, client, False)

    def _pump(self, source: socket.socket, sink: socket.socket, counts: bool) -> None:
        with suppress(OSError):
            while data := source.recv(1 << 16):
                if counts:
                    self.sent += len(data)
                sink.sendall(data)
        _end(source)
        _end(sink)


def _end(each: socket.socket) -> None:
    with suppress(OSError):
        each.shutdown(socket.SHUT_RDWR)


@contextmanager
def relayed(address: str) -> Iterator[Relay]:
    """Return a relay before a host."""
    relay = Relay(address)
    try:
        yield relay
    finally:
        relay.close()
