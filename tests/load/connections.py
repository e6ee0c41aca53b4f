"""`python -m tests.load.connections`: thousands of connections that ask for nothing, and clients beside them.

A third of the connections sends nothing, a third half a head, a third half a body without a key. What the host closes
is opened anew, as long as clients ask; each of these makes a connection of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import resource
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING

import psutil
from tests.load.editor import Editor, Outcome
from tests.load.loaded_host import configuration, files_of
from tests.load.summary import percentile
from tests.team.demo import host

if TYPE_CHECKING:
    from collections.abc import Callable

BEGINNINGS = (
    b"",
    b"POST /v1/completions HTTP/1.1\r\nhost: a\r\n",
    b"POST /v1/completions HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\n{",
)

_PAUSE = 1.0
"""Seconds until a connection that was closed is opened anew."""

_AT_ONCE = 500


class Crowd:
    """Connections that ask for nothing."""

    def __init__(self, address: str, count: int) -> None:
        """Make a crowd of so many."""
        name, _, port = address.removeprefix("http://").rpartition(":")
        self._place = name, int(port)
        self._gate = asyncio.Semaphore(_AT_ONCE)
        self._tasks = [asyncio.create_task(self._stay(BEGINNINGS[number % 3])) for number in range(count)]
        self.opened = 0
        """Connections that were made until now."""

    def leave(self) -> None:
        """Close all."""
        for task in self._tasks:
            task.cancel()

    async def _stay(self, beginning: bytes) -> None:
        while True:
            with suppress(OSError):
                async with self._gate:
                    reader, writer = await asyncio.open_connection(*self._place)
                self.opened += 1
                try:
                    writer.write(beginning)
                    while await reader.read(65_536):
                        pass
                finally:
                    writer.transport.abort()
            await asyncio.sleep(_PAUSE)


async def besiege(
    address: str, count: int, requests: int, seconds: float, sizes: Callable[[], tuple[int, float]]
) -> tuple[list[Outcome], int, list[tuple[int, float]]]:
    """Return the ends of requests beside a crowd, the connections of the crowd, and sizes noted meanwhile."""
    chance = random.Random(1)
    editor = Editor(address, "key0", next(files_of(chance, 1)), requests / seconds, chance)
    crowd = Crowd(address, count)
    noted = []

    async def note() -> None:
        while True:
            noted.append(sizes())
            await asyncio.sleep(0.5)

    noting = asyncio.create_task(note())
    while crowd.opened < count:
        await asyncio.sleep(0.1)
    await editor.work(requests)
    noting.cancel()
    crowd.leave()
    return editor.outcomes, crowd.opened, noted


def main() -> int:
    """Besiege a host; return 1 if a client got no answer, or the host had too many connections open."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--most", type=int, default=512, help="connections that the host takes")
    parser.add_argument("--requests", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=60)
    parsed = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    text = configuration(1, ["key0"], f"most_connections = {parsed.most}\n")
    with host(text) as (address, process):
        running = psutil.Process(process.pid)

        def sizes() -> tuple[int, float]:
            return running.num_fds(), running.memory_info().rss / 1e6

        before = sizes()
        began = time.monotonic()
        outcomes, opened, noted = asyncio.run(besiege(address, parsed.count, parsed.requests, parsed.seconds, sizes))
        seconds = time.monotonic() - began
    done = [each.seconds for each in outcomes if each.status == 200]
    dropped = sum(each.status == 0 for each in outcomes)
    files, memory = (max(column) for column in zip(*noted, strict=True))
    sys.stdout.write(
        f"{opened} connections were made in {seconds:.0f} s, {parsed.count} of them wanted at a time "
        f"(load of the machine: {os.getloadavg()[0]:.1f}).\n"
        f"The host had {before[0]} files open before, and {files} at most; {before[1]:.0f} MB before, {memory:.0f} at "
        "most.\n"
        f"Of {len(outcomes)} requests {len(done)} were answered, {dropped} dropped by their editor, and "
        f"{len(outcomes) - len(done) - dropped} not answered; p50 {1000 * percentile(done, 0.5):.0f} ms, "
        f"p90 {1000 * percentile(done, 0.9):.0f} ms.\n"
    )
    lost = len(done) + dropped < len(outcomes)
    return 1 if lost or files > parsed.most + 2 * 256 + 128 else 0


if __name__ == "__main__":
    sys.exit(main())
