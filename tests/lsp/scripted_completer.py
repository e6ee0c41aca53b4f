"""A completer that answers by a script and can be held, so that tests decide what happens meanwhile."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dovetail.decoding.cancellation import Cancellation
    from dovetail.lsp.documents import Snapshot
    from dovetail.settings import Settings


class ScriptedCompleter:
    """Completes every place with the same text.

    While `held` is set, `complete` goes on until it is cancelled or let go, as a decoding loop does.
    """

    def __init__(self, text: str | None = "pass", complaint: str | None = None) -> None:
        self.text = text
        self.complaint = complaint
        self.held = False
        self.settings: Settings | None = None
        self.loading = threading.Event()
        self.loading.set()
        self.began = threading.Event()
        self.cancelled = threading.Event()
        self.asked: list[tuple[str, int]] = []  # text and offset of every completion that was begun

    def load(self) -> str | None:
        """Wait until `loading` is set and return the complaint."""
        assert self.loading.wait(10)
        return self.complaint

    def complete(self, document: Snapshot, offset: int, cancellation: Cancellation) -> str | None:
        """Return the text, or None if it was cancelled first."""
        self.asked.append((document.text, offset))
        self.began.set()
        while self.held:
            if cancellation.cancelled:
                self.cancelled.set()
                return None
            threading.Event().wait(0.001)
        return self.text

    def candidates(self, document: Snapshot, offset: int, cancellation: Cancellation) -> list[str]:
        """Return the text and the text with a blank behind it, or none if it was cancelled first."""
        text = self.complete(document, offset, cancellation)
        return [] if text is None else [text, f"{text} "]
