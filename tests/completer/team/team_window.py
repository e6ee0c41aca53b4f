"""A window whose completer asks a team's host, beside a local model that says so in its texts."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from tests.lsp.scripted_completer import ScriptedCompleter

from dovetail.completer.cancel_token import CancelToken
from dovetail.completer.snapshot import Snapshot
from dovetail.completer.team.completer import TeamCompleter
from dovetail.settings import Settings

if TYPE_CHECKING:
    import ssl

    from dovetail.completer.answer import Answer

PATIENCE = 120
LEFT, RIGHT = '{"sizes": [10, ', "]}\n"
URI = "file:///home/alice/sizes.json"


def settings(address: str | None) -> Settings:
    """Return settings with a host, and without limits of time."""
    return Settings(team_host=address, trigger="eager", min_characters=1, time_limit=600)


class TeamWindow:
    """One window."""

    def __init__(self, address: str, key: str = "", trusted: ssl.SSLContext | None = None) -> None:
        """Begin a session at a host."""
        self.local = ScriptedCompleter("local")
        environment = {"DOVETAIL_TEAM_KEY": f"{address} {key}"} if key else {}
        self.completer = TeamCompleter(self.local, environment, (0.05,), trusted)
        self.was_lost = threading.Event()
        self.completer.lost = self.was_lost.set
        self.address = address
        self.load()

    def load(self) -> str | None:
        """Load, as the server does at the start and whenever the model is lost."""
        return self.completer.load(settings(self.address), CancelToken())

    def recover(self) -> None:
        """Wait until the model is lost, and load again."""
        assert self.was_lost.wait(PATIENCE)
        self.was_lost.clear()
        self.load()

    def ask(self, document: Snapshot | None = None, offset: int | None = None) -> Answer:
        """Return the answer in a document, by default in a short one."""
        document = document or Snapshot(URI, "json", 1, LEFT + RIGHT)
        return self.completer.complete(document, len(LEFT) if offset is None else offset, CancelToken())
