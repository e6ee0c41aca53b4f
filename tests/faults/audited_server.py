"""The real server, in which every attempt to reach a network, to run a program or to unpickle is written down.

`sitecustomize.py`, which Python imports at its start, has this module imported in the model's process, too.
"""

from __future__ import annotations

import os
import sys

_NOTED = frozenset(
    {
        "socket.connect", "socket.bind", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto",
        "urllib.Request", "http.client.connect", "pickle.find_class", "os.system", "os.exec", "subprocess.Popen",
    }
)  # fmt: skip


def audit(notes: str) -> None:
    """From now on append every such event to a file."""
    # Opened here and written without Python's files, since opening one is an event as well.
    file = os.open(notes, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def note(event: str, arguments: tuple[object, ...]) -> None:
        if event in _NOTED:
            os.write(file, f"{event} {arguments!r}\n".encode())

    sys.addaudithook(note)


if notes := os.environ.get("DOVETAIL_TEST_NOTES"):
    audit(notes)
