"""The team as its doors see it: something that completes windows, and refuses when it has too much to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dovetail.completer.cancel_token import CancelToken
    from dovetail.completer.team.messages import SessionRequest
    from dovetail.completer.wire import Message
    from dovetail.team.doors.window_request import WindowRequest
    from dovetail.team.written_texts import WrittenTexts


class Sender(NamedTuple):
    """The sender of a request, for turns and routing; both names are of the host's own making."""

    key: str
    """The name of a key's holder; requests of different keys take turns."""
    document: str
    """A name that tells one document of a key from another, as well as the host can know it; or one of a session."""
    stays: bool = False
    """True if only the replica that answered before knows the document, so that no other helps out."""


class BusyError(Exception):
    """More requests wait than the host takes; the message is a sentence for the user."""


class AwayError(Exception):
    """No replica could answer; the message is a sentence for the user."""


class Team(Protocol):
    """Replicas of model and engine."""

    async def write(self, asked: WindowRequest, sender: Sender, cancellation: CancelToken) -> WrittenTexts:
        """Return the texts for a request; raises BodyError, BusyError and AwayError.

        `cancellation` is set when nobody wants the answer any more.
        """

    async def converse(self, asked: SessionRequest, sender: Sender, cancellation: CancelToken) -> Message:
        """Return the answer to a request of a session (`sessions.py`); raises as `write` does."""

    def state(self) -> TeamState:
        """Return how the team is."""


class TeamState(NamedTuple):
    """The team at one moment."""

    ready: int
    """Replicas that have loaded the model."""
    replicas: int
    waiting: int
    """Requests that are written or wait for it."""
    restarts: int
    """Processes that were started in the place of one that ended."""

    def plain(self) -> Mapping[str, int]:
        """Return this as it is told to clients."""
        return self._asdict()
