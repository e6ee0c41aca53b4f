"""The remote interface of an embedded Neovim: MessagePack over standard streams, one request at a time."""

from __future__ import annotations

import os
import subprocess
import threading
from itertools import count
from typing import TYPE_CHECKING, Any

import msgpack

if TYPE_CHECKING:
    from collections.abc import Sequence

_REQUEST, _RESPONSE = 0, 1

_PATIENCE = 90.0
"""Seconds that Neovim has for an answer, and for ending."""


class NeovimError(Exception):
    """An error that Neovim answers a request with."""


class Remote:
    """A Neovim process started by this one."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self._process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._unpacker = msgpack.Unpacker()
        self._numbers = count()

    def call(self, method: str, *parameters: object) -> Any:
        """Call a function of the interface and return its result; notifications are ignored."""
        number = next(self._numbers)
        # A Neovim that waits for a key does not answer: the test must fail then instead of waiting for ever.
        watchdog = threading.Timer(_PATIENCE, self._process.kill)
        watchdog.start()
        try:
            self._send([_REQUEST, number, method, parameters])
            while (message := self._receive())[:2] != [_RESPONSE, number]:
                pass
        finally:
            watchdog.cancel()
        _, _, error, result = message
        if error is not None:
            raise NeovimError(error[1])
        return result

    def close(self) -> None:
        """End Neovim, whatever it is doing, and wait for its end."""
        with self._process:
            assert self._process.stdin is not None
            self._process.stdin.close()  # an embedded Neovim ends with its standard input
            try:
                self._process.wait(_PATIENCE)
            except subprocess.TimeoutExpired:
                self._process.kill()

    def _send(self, message: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(msgpack.packb(message))
        self._process.stdin.flush()

    def _receive(self) -> list[Any]:
        assert self._process.stdout is not None
        while True:
            for message in self._unpacker:
                found: list[Any] = message
                return found
            data = os.read(self._process.stdout.fileno(), 1 << 16)
            if not data:
                raise NeovimError("Neovim has ended")
            self._unpacker.feed(data)
