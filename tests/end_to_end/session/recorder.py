"""`recorder.py LOG COMMAND ...`: runs a language server, and writes each message between it and its client to LOG.

LOG has one JSON object a line: `{"client": true, "message": ...}` for a message of the client, with `false` for one of
the server.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from typing import IO


class Log:
    """A log that two threads write to."""

    def __init__(self, path: str) -> None:
        """Begin, or go on with, a log."""
        self._file = open(path, "a", encoding="utf-8")  # noqa: SIM115, it is open for as long as the process lives
        self._lock = threading.Lock()

    def write(self, content: bytes, *, client: bool) -> None:
        """Append a message."""
        with self._lock:
            self._file.write(json.dumps({"client": client, "message": json.loads(content)}) + "\n")
            self._file.flush()


def copy(source: IO[bytes], target: IO[bytes], log: Log, *, client: bool) -> None:
    """Copy messages until the source ends, and log each before it is passed on."""
    while header := source.readline():
        length = 0
        lines = [header]
        while header.strip():
            name, _, value = header.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
            header = source.readline()
            lines.append(header)
        content = source.read(length)
        log.write(content, client=client)
        target.write(b"".join(lines) + content)
        target.flush()
    target.close()


def main(path: str, *command: str) -> int:
    """Run the server to its end; return its exit code."""
    log = Log(path)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        # A daemon: a server that ends by itself does not wait for its client.
        threading.Thread(
            target=copy, args=(sys.stdin.buffer, server.stdin, log), kwargs={"client": True}, daemon=True
        ).start()
        copy(server.stdout, sys.stdout.buffer, log, client=False)
        return server.wait()


if __name__ == "__main__":
    code = main(*sys.argv[1:])
    # The thread may be waiting in a read of the standard input, which would hold up the end of the interpreter.
    os._exit(code)
