"""A host inside the process of a test, with windows."""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tests.decoding.scripted_proposer import ScriptedGeneration, ScriptedProposer

from dovetail.completer.cancel_token import CancelToken
from dovetail.completer.host.connection import HostConnection
from dovetail.completer.host.folder import HostFolder
from dovetail.completer.host.identity import build_digest
from dovetail.completer.host.process import Host
from dovetail.completer.remote import RemoteCompleter
from dovetail.completer.snapshot import Snapshot
from dovetail.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dovetail.completer.answer import Answer
    from dovetail.completer.host.identity import HostIdentity
    from dovetail.decoding.proposer import Proposer

PATIENCE = 60

MINE = Settings(host_shared=True, host_idle=0.0, min_characters=1, time_limit=PATIENCE, max_tokens=16, trigger="eager")


class Served:
    """A host and the way to it, as `HostFinder` has it."""

    command = ("in this process",)

    def __init__(self, load: Callable[[str | None, str | None], Proposer], build: str | None = None) -> None:
        # The path of a socket has to be short.
        self.folder = HostFolder(Path(tempfile.mkdtemp(prefix="dt")) / "hosts")
        self.folder.prepare()
        self.files = self.folder.files("host")
        self.listener = self.folder.listen(self.files)
        self.folder.publish(self.files, os.getpid())
        self.host = Host(self.listener, build or build_digest(), load)
        self.thread = threading.Thread(target=self.host.run, daemon=True)
        self.thread.start()
        self.windows: list[RemoteCompleter] = []

    def connect(self, identity: HostIdentity, lost: Callable[[], None], *, anew: bool = False) -> HostConnection:
        """Return a connection to the host."""
        connection = self.folder.connect(self.files)
        assert connection is not None
        return HostConnection(connection, os.getpid(), lambda process: None, lost)

    def make_room(self) -> None:
        """Do nothing: there is one host."""

    def window(self, settings: Settings = MINE) -> RemoteCompleter:
        """Return a new window that has the model."""
        completer = RemoteCompleter(hosts=self)  # type: ignore[arg-type]  # it has what is needed of it
        self.windows.append(completer)
        assert completer.load(settings, CancelToken()) is None
        assert completer.shares
        return completer

    def ended(self) -> bool:
        """Wait until the host has ended; False if it does not."""
        self.thread.join(PATIENCE)
        return not self.thread.is_alive()

    def close(self) -> None:
        """End everything."""
        for window in self.windows:
            window.abandon()
        until(lambda: not self.thread.is_alive() or not self.host.status()["windows"])
        self.host.make_room()
        self.ended()
        self.listener.close()
        shutil.rmtree(self.folder.path.parent)


DIGITS = {"A": b"123", "B": b"456", "C": b"789"}
"""Window → the digits that the model writes for it."""


class NumberGeneration(ScriptedGeneration):
    """A number of the digits of one window, without end."""

    def __init__(self, proposer: NumberProposer, window: str) -> None:
        super().__init__(proposer)
        self._numbers = proposer
        self._window = window

    def ranked(self, count: int) -> list[tuple[int, float]]:
        """Return the digits of the window first; this is a step."""
        self._numbers.step(self._window)
        return super().ranked(count)

    def _pairs(self) -> list[tuple[int, float]]:
        digits = DIGITS[self._window]
        first = digits[len(self.text) ** 2 % 3]
        others = [token for token in range(len(self._numbers.vocabulary.pieces)) if token != first]
        return [(token, -float(place)) for place, token in enumerate([first, *others])]


class NumberProposer(ScriptedProposer):
    """Writes numbers. Their digits are those of the window whose name stands in the prompt; `text` makes such texts."""

    def __init__(self) -> None:
        super().__init__(window=4096)
        self.steps: list[str] = []
        """The windows for which a step was computed, in order."""
        self.documents: dict[str, set[str | None]] = {name: set() for name in DIGITS}
        """Window → the names of its documents, as the model gets them."""
        self.during: Callable[[], None] = lambda: None
        """Called in the middle of each step."""

    def step(self, window: str) -> None:
        """Note a step of a window."""
        self.steps.append(window)
        self.during()

    def begin(self, prompt: Sequence[int], document: str | None = None) -> NumberGeneration:
        """Begin the number of the window in the prompt, which names no other."""
        super().begin(prompt, document)
        written = b"".join(self.vocabulary.pieces[token] or b"" for token in prompt).decode()
        [window] = [name for name in DIGITS if f'"{name}"' in written]
        self.documents[window].add(document)
        return NumberGeneration(self, window)


def text(window: str) -> str:
    """Return the text of a window before the cursor."""
    return f'{{"{window}": [10, '


def document(window: str, *, uri: str = "file:///same.json", version: int = 1) -> Snapshot:
    """Return a document of a window, in which the model writes its digits at the end of `text`."""
    return Snapshot(uri, "json", version, text(window) + "}")


def ask(window: RemoteCompleter, name: str, cancellation: CancelToken | None = None) -> Answer:
    """Return the answer of a window to a request in its document."""
    return window.complete(document(name), len(text(name)), cancellation or CancelToken())


def is_of(answer: Answer, name: str) -> bool:
    """Return whether an answer has a text, and of the digits of a window alone."""
    return bool(answer.texts) and set(answer.texts[0].encode()) <= {*DIGITS[name], *b"0]"}  # the closing may have a 0


def until(true: Callable[[], bool]) -> None:
    """Wait until something is true."""
    ends = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < ends
        time.sleep(0.0005)


class Asking(threading.Thread):
    """A request of a window, on a thread of its own."""

    def __init__(self, window: RemoteCompleter, name: str) -> None:
        super().__init__(daemon=True)
        self.token = CancelToken()
        self._found: Answer | None = None
        self._ask = lambda: ask(window, name, self.token)
        self.start()

    def run(self) -> None:
        """Ask."""
        self._found = self._ask()

    def answer(self) -> Answer:
        """Return the answer when it is there."""
        self.join(PATIENCE)
        assert self._found is not None
        return self._found
