"""The counts of a session, and a meter that counts nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from dovetail.completer.answer import Work
    from dovetail.statistics.counts import Event, Subject

Kind = Literal["automatic", "invoked", "item"]
"""The origin of a request: the editor itself, the user by hand, or a list of items."""

Outcome = Literal["offered", "nothing", "stale", "cancelled", "failed"]
"""The outcome of a request. `stale`: the document changed, or a newer request came. `failed`: a defect."""

Extent = Literal["all", "part"]
"""The accepted part of a text."""


class Meter(Protocol):
    """Counts events; no argument of its methods holds text of a document."""

    def begin(self) -> None:
        """Count a request that has come."""

    def end(self, kind: Kind, outcome: Outcome, seconds: float) -> None:
        """Count a request that is over, with the seconds since it came."""

    def decode(self, work: Work) -> None:
        """Count the cost of an answer."""

    def recall(self) -> None:
        """Count an answer from memory, for which the model was not asked."""

    def show(self) -> None:
        """Count a text that an editor showed."""

    def accept(self, extent: Extent, characters: int) -> None:
        """Count a text that was accepted, in part or to its end, with the characters that this added."""

    def note(self, about: Subject, event: Event) -> None:
        """Count an event of a text by its language and the reason why it ended."""


class Unmetered:
    """Counts nothing."""

    def begin(self) -> None:
        """Let it pass."""

    def end(self, kind: Kind, outcome: Outcome, seconds: float) -> None:
        """Let it pass."""

    def decode(self, work: Work) -> None:
        """Let it pass."""

    def recall(self) -> None:
        """Let it pass."""

    def show(self) -> None:
        """Let it pass."""

    def accept(self, extent: Extent, characters: int) -> None:
        """Let it pass."""

    def note(self, about: Subject, event: Event) -> None:
        """Let it pass."""
