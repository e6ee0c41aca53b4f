"""The statistics of a session: what becomes of the offered texts, for the metrics and for the file of counts."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from dovetail.lsp.retention import Retention
from dovetail.statistics.counts import subject
from dovetail.statistics.recorder import call_later

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail.lsp.documents import Documents, OpenDocument
    from dovetail.lsp.meter import Meter
    from dovetail.lsp.offers import Offered
    from dovetail.statistics.counts import Event, Subject
    from dovetail.statistics.recorder import Recorder


class Statistics:
    """Hears of all offers; without a recorder, or while the setting is off, nothing is kept."""

    def __init__(
        self,
        meter: Meter,
        documents: Documents,
        is_on: Callable[[], bool],
        later: Callable[[float, Callable[[], None]], None] = call_later,
    ) -> None:
        """Tell a meter; `is_on` returns the setting, `later` calls a function after some seconds."""
        self.recorder: Recorder | None = None
        """Counts for the file; the command line sets it."""
        self._meter = meter
        self._is_on = is_on
        self.retention = Retention(documents, self.note, later)

    def subject(self, document: OpenDocument, reason: str, model: str | None) -> Subject:
        """Return what a text is counted under that is offered today in a document."""
        return subject(date.today(), next(iter(document.language_names), ""), reason, model)

    def note(self, about: Subject, event: Event) -> None:
        """Count an event."""
        self._meter.note(about, event)
        if self.recorder is not None and self._is_on():
            self.recorder.count(about, event)

    def accepted(self, name: str, offered: Offered, text: str) -> None:
        """Look after thirty seconds whether an accepted text stands still."""
        self.retention.watch(name, offered, text)
