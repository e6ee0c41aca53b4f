"""A completer that answers by a script and can be held, so that tests decide what happens meanwhile."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from dovetail.completer.answer import Answer, Work, nothing
from dovetail.completer.explainer import Explanation, LeftOut
from dovetail.decoding.completion import Seconds
from dovetail.decoding.repository import ShownPart

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail.completer.cancel_token import CancelToken
    from dovetail.completer.snapshot import Snapshot
    from dovetail.decoding.repository import ProjectContext
    from dovetail.settings import Settings

WORK = Work(7, 2, Seconds(0.1, 0.2, 0.3, 0.4))
"""The work of every completion."""


class ScriptedCompleter:
    """Completes every place with the same text.

    While `held` is set, `complete` goes on until it is cancelled or let go, as a decoding loop does.
    """

    def __init__(self, text: str | None = "pass", complaint: str | None = None) -> None:
        self.text = text
        self.complaint = complaint
        self.reason = "nothing fits"  # why there is no text
        self.ended = "it is the text"  # why a text ended
        self.remembered: str | None = None
        self.failing = False
        self.unchecked = False
        self.held = False
        self.model: str | None = None
        self.languages: tuple[str, ...] | None = None
        self.notice: str | None = None
        self.remark: str | None = None
        self.lost: Callable[[], None] = lambda: None
        self.abandoned = 0
        self.settings: Settings | None = None
        self.loads: list[bool] = []  # of every loading, whether it was anew
        self.loading = threading.Event()
        self.loading.set()
        self.prepared: list[str] = []  # the languages of the documents that were prepared for
        self.preparing = threading.Event()
        self.preparing.set()
        self.began = threading.Event()
        self.cancelled = threading.Event()
        self.asked: list[tuple[str, int]] = []  # text and offset of every completion that was begun
        self.projects: list[ProjectContext | None] = []  # what was told of the project with each
        self.items: list[bool] = []  # whether each was for an item
        self.firsts: list[bool] = []  # of each that may have several texts, whether only the first was wanted
        self.others = threading.Event()
        """Clear while all texts of a place are not ready, though the first may be."""
        self.others_began = threading.Event()
        """Set once all texts of a place are being written."""
        self.others.set()
        self.unread = 1  # slices in which a document is read
        self.slices: list[str] = []  # the texts that were read on
        self.forgotten: list[str] = []  # the addresses of documents that were let go of

    def load(self, settings: Settings, cancellation: CancelToken, *, anew: bool = False) -> str | None:
        """Wait until `loading` is set; with a complaint return it, else take the model of the settings."""
        assert self.loading.wait(10)
        self.settings = settings
        self.loads.append(anew)
        if self.complaint is None:
            self.model = settings.model or "scripted"
        return self.complaint

    def prepare(self, document: Snapshot) -> None:
        """Wait until `preparing` is set; take note of it."""
        self.prepared.append(document.language_id)
        assert self.preparing.wait(10)

    def read_on(self, document: Snapshot, offset: int) -> bool:
        """Have nothing left unread after some slices."""
        self.slices.append(document.text)
        return len(self.slices) >= self.unread

    def recall(self, document: Snapshot, offset: int) -> Answer:
        """Return what is remembered."""
        return nothing("nothing is known") if self.remembered is None else Answer((self.remembered,), "it is known")

    def complete(
        self,
        document: Snapshot,
        offset: int,
        cancellation: CancelToken,
        *,
        item: bool = False,
        project: ProjectContext | None = None,
    ) -> Answer:
        """Return the text, or nothing if it was cancelled first; raise an error if it is to fail."""
        self.asked.append((document.text, offset))
        self.projects.append(project)
        self.items.append(item)
        self.began.set()
        if self.failing:
            raise ValueError("defect")
        while self.held:
            if cancellation.cancelled:
                self.cancelled.set()
                return Answer((), "it was cancelled", WORK)
            threading.Event().wait(0.001)
        if self.text is None:
            return Answer((), self.reason, WORK)
        files = () if project is None else project.files
        parts = tuple(ShownPart(file.path, len(file.text)) for file in files)
        return Answer((self.text,), self.ended, WORK, self.unchecked, parts)

    def candidates(
        self,
        document: Snapshot,
        offset: int,
        cancellation: CancelToken,
        *,
        first: bool = False,
        project: ProjectContext | None = None,
    ) -> Answer:
        """Return the text and the text with a blank after it, or none if it was cancelled first.

        `first`: the text alone.
        """
        self.firsts.append(first)
        if not first:
            self.others_began.set()
        while not (first or self.others.wait(0.001)):
            if cancellation.cancelled:
                self.cancelled.set()
                return Answer((), "it was cancelled", WORK)
        answer = self.complete(document, offset, cancellation, project=project)
        return replace(answer, texts=tuple(text + more for text in answer.texts for more in ("", " ")[: 2 - first]))

    def forget(self, uri: str) -> None:
        """Take note of it; raise an error if it is to fail."""
        self.forgotten.append(uri)
        if self.failing:
            raise ValueError("defect")

    def explain(self, document: Snapshot, offset: int) -> Explanation:
        """Return that a name fits, and that the first line of the document was left out."""
        end = document.text.find("\n") + 1
        ignored = (LeftOut(0, end, ""),) if end else ()
        return Explanation(True, False, "x", (("name", "x"),), ignored, None)

    def abandon(self) -> None:
        """Count it."""
        self.abandoned += 1
