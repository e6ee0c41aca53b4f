"""`python -m tests.load.connections`: thousands of connections that ask for nothing, and clients beside them.

A third of the connections sends nothing, a third half a head, a third half a body without a key. What the host closes
is opened anew, as long as clients ask; each of these makes a connection of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import os
import random
import resource
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import psutil
from tests.load.editor import Editor
from tests.load.loaded_host import configuration, files_of
from tests.load.summary import percentile
from tests.team.demo import host

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.load.editor import Outcome

BEGINNINGS = (
    b"",
    b"POST /v1/completions HTTP/1.1\r\nhost: a\r\n",
    b"POST /v1/completions HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\n{",
)

_PAUSE = 1.0
"""Seconds until a connection that was closed is opened anew."""

_AT_ONCE = 500
_BESIDE = 400
"""Files that a host may have open beside its connections, those that are closed just now among them."""


async def _stay(place: tuple[str, int], beginning: bytes, gate: asyncio.Semaphore, opened: Any) -> None:
    """Hold a connection, and open it anew when it is closed."""
    while True:
        with suppress(OSError):
            async with gate:
                reader, writer = await asyncio.open_connection(*place)
            opened.value += 1
            try:
                writer.write(beginning)
                while await reader.read(65_536):
                    pass
            finally:
                writer.transport.abort()
        await asyncio.sleep(_PAUSE)


def crowd(address: str, count: int, opened: Any) -> None:
    """Hold so many connections without end; `opened` has the number of those that were made until now."""
    name, _, port = address.removeprefix("http://").rpartition(":")

    async def hold() -> None:
        gate = asyncio.Semaphore(_AT_ONCE)
        ways = (BEGINNINGS[number % len(BEGINNINGS)] for number in range(count))
        await asyncio.gather(*(_stay((name, int(port)), beginning, gate, opened) for beginning in ways))

    asyncio.run(hold())


async def besiege(
    editor: Editor, requests: int, sizes: Callable[[], tuple[int, float]]
) -> tuple[list[Outcome], list[tuple[int, float]]]:
    """Return the ends of an editor's requests, and sizes noted meanwhile."""
    noted = [sizes()]

    async def note() -> None:
        while True:
            await asyncio.sleep(0.5)
            noted.append(sizes())

    noting = asyncio.create_task(note())
    await editor.work(requests)
    noting.cancel()
    return editor.outcomes, noted


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

        before, began = sizes(), time.monotonic()
        # A process of its own: the client would wait for the crowd, not for the host.
        context = multiprocessing.get_context("spawn")
        opened = context.Value("q", 0)
        others = context.Process(target=crowd, args=(address, parsed.count, opened), daemon=True)
        others.start()
        while opened.value < parsed.count:
            time.sleep(0.1)
        chance = random.Random(1)
        rate = parsed.requests / parsed.seconds
        editor = Editor(address, "key0", next(files_of(chance, 1)), rate, chance)
        outcomes, noted = asyncio.run(besiege(editor, parsed.requests, sizes))
        others.kill()
        seconds = time.monotonic() - began
    done = [each.seconds for each in outcomes if each.status == 200]
    dropped = sum(each.status == 0 for each in outcomes)
    files, memory = (max(column) for column in zip(*noted, strict=True))
    sys.stdout.write(
        f"{opened.value} connections were made in {seconds:.0f} s, {parsed.count} of them wanted at a time "
        f"(load of the machine: {os.getloadavg()[0]:.1f}).\n"
        f"The host had {before[0]} files open before, and {files} at most; {before[1]:.0f} MB before, {memory:.0f} at "
        "most.\n"
        f"Of {len(outcomes)} requests {len(done)} were answered, {dropped} dropped by their editor, and "
        f"{len(outcomes) - len(done) - dropped} not answered; p50 {1000 * percentile(done, 0.5):.0f} ms, "
        f"p90 {1000 * percentile(done, 0.9):.0f} ms.\n"
    )
    lost = len(done) + dropped < len(outcomes)
    return 1 if lost or files > parsed.most + _BESIDE else 0


if __name__ == "__main__":
    sys.exit(main())
