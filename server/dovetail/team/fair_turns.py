"""Fair turns: who waits for one of several places, and which of them is next."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from dovetail.completer.cancel_token import CancelToken


class NotWantedError(Exception):
    """A request that was cancelled while it waited."""


class FairTurns:
    """Gives one turn at a time. Keys take turns, and the requests of a key come in their order; one event loop."""

    def __init__(self) -> None:
        self._taken = False
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @property
    def waiting(self) -> int:
        """The number of requests that have the turn or wait for it."""
        return self._taken + sum(map(len, self._waiting.values()))

    @asynccontextmanager
    async def turn(self, key: str, cancellation: CancelToken) -> AsyncIterator[None]:
        """Wait for the turn of a key, and hand it on at the end; raises NotWantedError if it is cancelled meanwhile.

        The cancellation is set on the thread of the event loop.
        """
        await self._begin(key, cancellation)
        try:
            yield
        finally:
            self._hand_on()

    async def _begin(self, key: str, cancellation: CancelToken) -> None:
        if cancellation.cancelled:
            raise NotWantedError
        if not self._taken:
            self._taken = True
            return
        gate: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(key, deque()).append(gate)
        cancellation.tell(lambda: _cancel(gate))
        try:
            await gate
        except asyncio.CancelledError:
            if gate.done() and not gate.cancelled():
                self._hand_on()  # it was given the turn in the same moment
            else:
                self._leave(key, gate)
            if cancellation.cancelled:
                raise NotWantedError from None
            raise
        finally:
            cancellation.tell(_nothing)

    def _leave(self, key: str, gate: asyncio.Future[None]) -> None:
        gates = self._waiting.get(key, deque())
        if gate in gates:  # it may have been passed over meanwhile
            gates.remove(gate)
            if not gates:
                del self._waiting[key]

    def _hand_on(self) -> None:
        while self._waiting:
            key, gates = self._waiting.popitem(last=False)
            gate = gates.popleft()
            if gates:
                self._waiting[key] = gates  # behind all other keys
            if not gate.done():
                gate.set_result(None)  # the turn stays taken
                return
        self._taken = False


def _cancel(gate: asyncio.Future[None]) -> None:
    gate.cancel()


def _nothing() -> None:
    """Do nothing: a turn that was given is not taken back."""
