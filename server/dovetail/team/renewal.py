"""The renewal of a host while it runs: its file is read again, and other replicas take the place of its own."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from dataclasses import fields
from typing import TYPE_CHECKING

from dovetail.grammar.library import languages
from dovetail.model.hosting import known_languages
from dovetail.team.configuration import TeamConfigurationError
from dovetail.team.keys import KeyRing
from dovetail.team.replica import CannotLoadError, ReplicaLoad, ReplicaLostError

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail.team.application import Doors
    from dovetail.team.configuration import TeamConfiguration
    from dovetail.team.local_team import LocalTeam

logger = logging.getLogger(__name__)

_RENEWED = {"model", "most_tokens", "most_seconds", "keys"}
"""Values that are taken while the host runs; all others are those with which it began."""


def load_of(configuration: TeamConfiguration) -> ReplicaLoad:
    """Return the things that the replicas of a configuration load."""
    # The languages that the model was made for are read before the first request, all others with theirs.
    known = known_languages(configuration.model)
    return ReplicaLoad(
        configuration.model,
        tuple(sorted(languages())) if known is None else known,
        configuration.most_tokens,
        configuration.most_seconds,
    )


class Renewal:
    """Renews one host as often as it is asked to, one time after the other; `ask` may be called on any thread."""

    def __init__(
        self,
        began: TeamConfiguration,
        read: Callable[[], TeamConfiguration],
        team: LocalTeam,
        told: Callable[[str], None],
    ) -> None:
        """Renew the host that began with a configuration; `read` reads the present one, `told` is given sentences."""
        self._began = began
        self._read = read
        self._team = team
        self._told = told
        self._loop = asyncio.get_running_loop()
        self._asked = asyncio.Event()

    def ask(self) -> None:
        """Have the host renewed; asked again before that has begun, it is renewed once."""
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._asked.set)

    async def work(self, doors: Doors) -> None:
        """Renew whenever that is asked for, until this is cancelled."""
        while True:
            await self._asked.wait()
            self._asked.clear()
            try:
                await self._renew(doors)
            except (TeamConfigurationError, CannotLoadError, ReplicaLostError, OSError) as error:
                logger.warning("The host could not be renewed: %s", error)
                self._told(f"The host goes on as it was: {error}")

    async def _renew(self, doors: Doors) -> None:
        read = self._read()
        doors.take_keys(KeyRing(read.keys))
        name = await self._team.exchange(load_of(read))
        doors.take_model(name)
        kept = [
            each.name
            for each in fields(read)
            if each.name not in _RENEWED and getattr(read, each.name) != getattr(self._began, each.name)
        ]
        later = f"; {', '.join(f'`{name}`' for name in kept)} will be taken when the host is begun again" * bool(kept)
        self._told(f"The host was renewed, and completes with the model {name}{later}.")
