"""A session at a team's host: it asks for completions over HTTPS, and sends documents whole once and as edits after."""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dovetail.completer.operations import OPERATIONS, Loaded
from dovetail.completer.team.messages import SESSION_PATH, SessionRequest, taken
from dovetail.completer.team.sent_changes import SentChanges
from dovetail.completer.team.trouble import HostAwayError, HostBusyError, HostRefusalError, TakenBackError
from dovetail.completer.wire import from_plain, to_plain
from dovetail.decoding.proposer import NotWaitedForError
from dovetail.model.engines.connection import SECONDS, Connection, Question
from dovetail.model.failure import EngineError, EngineRefusalError

if TYPE_CHECKING:
    import ssl

    from dovetail.completer.cancel_token import CancelToken
    from dovetail.completer.snapshot import Snapshot
    from dovetail.completer.team.address import TeamAddress
    from dovetail.completer.team.messages import SessionOperation
    from dovetail.settings import Settings

_IDLE = 25.0
"""Seconds for which an unused connection is kept, some less than the host keeps it."""

_TRIES = 3
"""Times that a request is sent: the host may have lost the session, and then a document."""

_BUSY, _WRONG_KEY, _TOO_LONG = 429, (401, 403), 413
_NO_DOOR = (404, 405)


class TeamSession:
    """One session; one thread asks at a time, and any may close it."""

    def __init__(self, address: TeamAddress, settings: Settings, trusted: ssl.SSLContext | None = None) -> None:
        """Connect to nothing yet. The host is told those of the settings that it takes.

        `trusted`: the certificates that are believed, by default those of the system.
        """
        self.place = address.place
        """The host, for people."""
        self._settings = taken(settings)
        self._name = secrets.token_hex(16)
        self._sent = SentChanges()
        self._knows_settings = False
        self._closed = False
        longest = SECONDS + settings.time_limit * settings.candidates
        self._connection = Connection(address.url, address.key, longest, idle=_IDLE, trusted=trusted)

    def open(self, cancellation: CancelToken | None = None) -> Loaded:
        """Begin the session, and return what the host has loaded; raises as `call` does."""
        self._knows_settings = False
        loaded: Loaded = self._read(self._asked(SessionRequest(self._name, "load"), cancellation), Loaded)
        return loaded

    def call(
        self, operation: SessionOperation, document: Snapshot, cancellation: CancelToken | None = None, **given: Any
    ) -> Any:
        """Return the result of an operation on a document.

        Raises HostAwayError, HostBusyError and HostRefusalError, and TakenBackError if it was cancelled.
        """
        request = SessionRequest(self._name, operation, **given)
        return self._read(self._asked(request, cancellation, document), OPERATIONS[operation].result)

    def forget(self, uri: str) -> None:
        """Have the host drop a document, if it has it; raises as `call` does."""
        if self._sent.forget(uri):
            self._asked(SessionRequest(self._name, "forget", uri=uri), None)

    def close(self) -> None:
        """End the connection; requests raise TakenBackError from now on."""
        self._closed = True
        self._connection.close()

    def _asked(
        self, request: SessionRequest, cancellation: CancelToken | None, document: Snapshot | None = None
    ) -> Any:
        for _ in range(_TRIES):
            change = None if document is None else self._sent.change(document)
            settings = None if self._knows_settings else self._settings
            answer = self._post(replace(request, document=change, settings=settings), cancellation)
            lost = answer.get("lost")
            if lost is None and "result" in answer:
                self._knows_settings = True
                if document is not None and change is not None:
                    self._sent.answered(document, change)
                return answer["result"]
            if lost == "session":
                self._sent.clear()
                self._knows_settings = False
            elif lost == "document" and document is not None:
                self._knows_settings = True
                self._sent.forget(document.uri)
            else:
                break
        raise self._nonsense()

    def _read(self, data: Any, kind: Any) -> Any:
        try:
            return from_plain(data, kind)
        except Exception:  # of any kind: the host is another program
            raise self._nonsense() from None

    def _nonsense(self) -> HostAwayError:
        return HostAwayError(f"The team's host at {self.place} answers what is no answer")

    def _post(self, request: SessionRequest, cancellation: CancelToken | None) -> Any:
        body = {name: value for name, value in to_plain(request).items() if value not in (None, "", 0)}
        if self._closed:
            raise TakenBackError
        pending = self._connection.send(Question(SESSION_PATH, body))
        if cancellation is not None:
            cancellation.tell(pending.call_off)
        try:
            # A connection that was closed meanwhile may never answer.
            answer = pending.wait(lambda: not self._closed)
        except NotWaitedForError:
            raise TakenBackError from None
        except EngineError as error:
            raise _told(self.place, error) from None
        finally:
            if cancellation is not None:
                cancellation.tell(_nothing)
        return answer if isinstance(answer, dict) else {}


def _told(place: str, error: EngineError) -> Exception:
    """Return the exception for a failure of the connection."""
    said = error.said.rstrip(".") if isinstance(error, EngineRefusalError) else ""
    if error.status in _WRONG_KEY:
        return HostAwayError(
            f"The team's host at {place} did not take the key: set DOVETAIL_TEAM_KEY to one that it knows"
        )
    if error.status in _NO_DOOR:
        return HostAwayError(f"At {place} there is no team's host of this version: look at the setting `team.host`")
    if error.status == _BUSY:
        return HostBusyError(said or "it has too much to do")
    if isinstance(error, EngineRefusalError):
        return HostRefusalError(said or f"it refuses the request ({error.status})")
    if error.status is not None:
        return HostAwayError(f"The team's host at {place} cannot complete at present ({error.status})")
    return HostAwayError(f"The team's host at {place} cannot be reached ({error})")


def _nothing() -> None:
    """Do nothing: the request has ended."""
