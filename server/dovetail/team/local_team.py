"""The team on one machine: replicas as processes, with routing by document, a bounded queue and one retry."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, TypeVar

from dovetail.team.fair_turns import NotWantedError
from dovetail.team.replica import Replica, ReplicaAwayError, ReplicaDefectError, ReplicaLostError, begin_process
from dovetail.team.routing import chosen
from dovetail.team.team import AwayError, BusyError, TeamState
from dovetail.team.written_texts import WrittenTexts

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from dovetail.completer.cancel_token import CancelToken
    from dovetail.completer.team.messages import SessionRequest
    from dovetail.completer.wire import Message
    from dovetail.team.doors.window_request import WindowRequest
    from dovetail.team.replica import Begin, ReplicaLoad
    from dovetail.team.team import Sender

logger = logging.getLogger(__name__)

T = TypeVar("T")

_RETRIES = 1
"""Times that a request is given to another process after one has ended over it."""

_RETURNING = 20.0
"""Seconds for which a request waits while no process is there."""


class LocalTeam:
    """Replicas on this machine. Its methods belong to one event loop."""

    def __init__(
        self, load: ReplicaLoad, replicas: int = 1, most_waiting: int = 32, begin: Begin = begin_process
    ) -> None:
        """Make a team of replicas that were not started yet; `most_waiting`: requests for all of them together."""
        self.replicas = [Replica(number, load, begin) for number in range(replicas)]
        self._most_waiting = most_waiting
        self._taken = 0

    async def start(self) -> str:
        """Start all replicas and return the name of the model; raises CannotLoadError and ReplicaLostError."""
        try:
            await asyncio.gather(*(replica.start() for replica in self.replicas))
        except BaseException:
            self.stop()
            raise
        assert self.replicas[0].model is not None, "a replica that has started has a model"
        return self.replicas[0].model

    async def exchange(self, load: ReplicaLoad) -> str:
        """Let other processes take the place of all, one after another, and return the name of their model.

        No request is lost. Raises CannotLoadError and ReplicaLostError for the first replica that cannot; it goes on as
        before, and so do all behind it.
        """
        for replica in self.replicas:
            await replica.exchange(load)
        assert self.replicas[0].model is not None, "a replica that has started has a model"
        return self.replicas[0].model

    def stop(self) -> None:
        """End all processes."""
        for replica in self.replicas:
            replica.stop()

    async def write(self, asked: WindowRequest, sender: Sender, cancellation: CancelToken) -> WrittenTexts:
        """Return the texts for a request; see `Team`."""
        written = await self._take(lambda replica: replica.write(asked, sender, cancellation), sender, cancellation)
        return written or WrittenTexts()

    async def converse(self, asked: SessionRequest, sender: Sender, cancellation: CancelToken) -> Message:
        """Return the answer to a request of a session; see `Team`."""
        answer = await self._take(lambda replica: replica.converse(asked, sender, cancellation), sender, cancellation)
        return answer or {}

    async def _take(
        self, ask: Callable[[Replica], Awaitable[T]], sender: Sender, cancellation: CancelToken
    ) -> T | None:
        """Return the answer of a replica, None if nobody wants it any more; raises BusyError and AwayError."""
        if self._taken >= self._most_waiting:
            raise BusyError("Too many requests wait; come again in a second.")
        self._taken += 1
        try:
            return await self._ask(ask, sender, cancellation)
        finally:
            self._taken -= 1

    def state(self) -> TeamState:
        """Return how the team is."""
        return TeamState(
            sum(replica.ready for replica in self.replicas),
            len(self.replicas),
            self._taken,
            sum(replica.restarts for replica in self.replicas),
        )

    async def _ask(self, ask: Callable[[Replica], Awaitable[T]], sender: Sender, cancellation: CancelToken) -> T | None:
        tried: list[Replica] = []
        while len(tried) <= _RETRIES:
            replica = await self._choose(sender, tried)
            try:
                return await ask(replica)
            except NotWantedError:
                break
            except ReplicaAwayError:
                continue  # it ended while the request waited for its turn
            except ReplicaLostError as lost:
                # The text of this request may be what ended it, so it gets one more process and no third.
                logger.warning("A request was lost with %s: %s.", replica, lost)
                tried.append(replica)
            except ReplicaDefectError as defect:
                logger.warning("A request met a defect in %s: %s.", replica, defect)
                raise AwayError(f"The request met a defect of Dovetail ({defect}); please report it.") from None
        if cancellation.cancelled:
            return None
        raise AwayError("Two processes ended over this request; send another one.")

    async def _choose(self, sender: Sender, tried: Sequence[Replica]) -> Replica:
        """Return the replica for a document, if possible none that was tried; wait if none is ready.

        Raises AwayError if none is ready in time.
        """
        ready = [replica for replica in self.replicas if replica.ready]
        others = [replica for replica in ready if replica not in tried]
        waiting = {each: 0 if sender.stays else each.waiting for each in others or ready}
        replica = chosen(sender.document, waiting)
        if replica is not None:
            return replica
        waits = [asyncio.ensure_future(each.wait()) for each in self.replicas]
        try:
            done, _ = await asyncio.wait(waits, timeout=_RETURNING, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
        if not done:
            raise AwayError("No replica could answer; come again in some seconds.")
        return next((each for each in self.replicas if each.ready), self.replicas[0])
