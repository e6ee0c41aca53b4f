"""Faults during a load: replicas are killed, and exchanged for others, while simulated editors type."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from typing import TYPE_CHECKING

import psutil

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

KINDS = "kill", "upgrade"


class FaultPlan:
    """Faults of some kinds, in turn, at equal distances in the middle third of a load."""

    def __init__(self, kinds: Sequence[str], count: int, host: int, chance: random.Random) -> None:
        """Plan so many faults for the host with a process id."""
        self._kinds = kinds
        self._count = count if kinds else 0
        self._host = psutil.Process(host)
        self._chance = chance
        self.done: list[str] = []

    async def work(self, seconds: float) -> None:
        """Inject them into a load that lasts so long."""
        if not self._count:
            return
        await asyncio.sleep(seconds / 3)
        for number in range(self._count):
            kind = self._kinds[number % len(self._kinds)]
            if kind == "kill":
                self._chance.choice(replicas_of(self._host)).kill()
            else:
                os.kill(self._host.pid, signal.SIGUSR1)
            self.done.append(kind)
            sys.stdout.write(f"Fault {number + 1} of {self._count}: {kind}.\n")
            sys.stdout.flush()
            await asyncio.sleep(seconds / 3 / self._count)


def replicas_of(host: psutil.Process) -> list[psutil.Process]:
    """Return the processes of a host's replicas, those that load as well."""
    return [each for each in host.children() if "dovetail.team.replica_process" in _command(each)]


async def sizes_of(host: psutil.Process, into: list[tuple[float, float, float]]) -> None:
    """Note the resident megabytes of a host and of its replicas, and the machine's load, at the end of each minute."""
    while True:
        await asyncio.sleep(60)
        replicas = sum(map(_megabytes, replicas_of(host)))
        into.append((_megabytes(host), replicas, os.getloadavg()[0]))


def _command(process: psutil.Process) -> list[str]:
    try:
        return list(process.cmdline())
    except psutil.Error:  # it has ended meanwhile
        return []


def _megabytes(process: psutil.Process) -> float:
    try:
        return float(process.memory_info().rss) / 1e6
    except psutil.Error:
        return 0.0
