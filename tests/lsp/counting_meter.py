"""A meter that writes down what it is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dovetail.completer.answer import Work
    from dovetail.lsp.meter import Extent, Kind, Outcome
    from dovetail.statistics.counts import Event, Subject


class CountingMeter:
    """Keeps everything that it is told, in order."""

    def __init__(self) -> None:
        self.begun = 0
        self.ended: list[tuple[Kind, Outcome]] = []
        self.work: list[Work] = []
        self.recalled = 0
        self.shown = 0
        self.accepted: list[tuple[Extent, int]] = []
        self.noted: list[tuple[Subject, Event]] = []

    def begin(self) -> None:
        """Count a request."""
        self.begun += 1

    def end(self, kind: Kind, outcome: Outcome, seconds: float) -> None:
        """Write down what became of a request."""
        assert seconds >= 0
        self.ended.append((kind, outcome))

    def decode(self, work: Work) -> None:
        """Write down what an answer took."""
        self.work.append(work)

    def recall(self) -> None:
        """Count an answer from memory."""
        self.recalled += 1

    def show(self) -> None:
        """Count a text that was shown."""
        self.shown += 1

    def accept(self, extent: Extent, characters: int) -> None:
        """Write down what was accepted."""
        self.accepted.append((extent, characters))

    def note(self, about: Subject, event: Event) -> None:
        """Write down an event of a text."""
        self.noted.append((about, event))
