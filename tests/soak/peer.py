"""A client of a server that is a process: requests, notifications, and nothing left unanswered."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import Any

Answer = dict[str, Any]


class Peer:
    """One session over pipes."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.notifications: list[Answer] = []
        self.open: dict[int, asyncio.Future[Answer]] = {}  # number → what will be the answer
        self._number = 0
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def start(cls, *arguments: str) -> Peer:
        """Start a Python module as the server."""
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", *arguments, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            # The embedded model gains nothing from threads, which wait for one another where the machine is busy.
            env={**os.environ, "OMP_NUM_THREADS": "1"},
        )  # fmt: skip
        return cls(process)

    def notify(self, method: str, params: object) -> None:
        """Send a notification."""
        self._send({"method": method, "params": params})

    def ask(self, method: str, params: object) -> tuple[int, asyncio.Future[Answer]]:
        """Send a request; return its number and what will be its whole answer, error or result."""
        self._number += 1
        number = self._number
        self.open[number] = answer = asyncio.get_running_loop().create_future()
        self._send({"id": number, "method": method, "params": params})
        return number, answer

    async def result(self, method: str, params: object) -> Any:
        """Send a request and return its result; an error fails."""
        answer = await self.ask(method, params)[1]
        assert "error" not in answer, answer
        return answer["result"]

    async def end(self) -> int:
        """End the session in order and return the exit code."""
        await self.result("shutdown", None)
        self.notify("exit", None)
        code = await self.process.wait()
        await self._reading
        return code

    def _send(self, message: Answer) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    async def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while header := await stream.readline():
            length = int(header.partition(b":")[2])
            while await stream.readline() != b"\r\n":
                pass
            self._take(json.loads(await stream.readexactly(length)))
        for answer in self.open.values():
            answer.cancel()

    def _take(self, message: Answer) -> None:
        if "method" in message and "id" in message:
            self._send({"id": message["id"], "result": None})
        elif "method" in message:
            self.notifications.append(message)
        else:
            # KeyError: an answer to nothing, or a second one to the same.
            self.open.pop(message["id"]).set_result(message)
