"""The sessions of a replica: language servers of a team, whose documents stay here between their requests."""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING, Any

from dovetail.completer.document_limit import DocumentLimit
from dovetail.completer.host.shared import WindowProposer
from dovetail.completer.local import LocalCompleter
from dovetail.completer.team.messages import only_taken
from dovetail.completer.wire import to_plain
from dovetail.settings import Settings, SettingsError
from dovetail.team.doors.window_request import BodyError
from dovetail.team.session_documents import SessionDocuments
from dovetail.team.session_limits import SessionLimits

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail.completer.snapshot import Snapshot
    from dovetail.completer.tables import LanguageTables
    from dovetail.completer.team.messages import SessionRequest
    from dovetail.completer.wire import Message
    from dovetail.decoding.cancellation import Cancellation
    from dovetail.decoding.proposer import Proposer

_LOST_SESSION: Message = {"lost": "session"}
_LOST_DOCUMENT: Message = {"lost": "document"}


@dataclass(eq=False, slots=True)
class _Session:
    key: str
    completer: LocalCompleter
    documents: SessionDocuments = field(init=False)
    used: float = 0.0
    """The time of the last request."""

    def __post_init__(self) -> None:
        self.documents = SessionDocuments(self.completer.forget)

    def end(self) -> None:
        """Let go of everything that is kept for its documents."""
        for uri in self.documents.uris:
            self.completer.forget(uri)


class Sessions:
    """The sessions of one replica; one request is answered at a time. Nothing that a client sends is trusted."""

    def __init__(
        self,
        proposer: Proposer,
        tables: LanguageTables,
        most_tokens: int = 256,
        most_seconds: float = 5,
        *,
        languages: tuple[str, ...] | None = None,
        limits: SessionLimits | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Make a replica's place for sessions. `languages`: those that the model was made for, None if it says nothing.

        `most_tokens`, `most_seconds`: the limits of a text, whatever a client asks for. `clock` returns seconds.
        """
        self._proposer = proposer
        self._tables = tables
        self._most_tokens = most_tokens
        self._most_seconds = most_seconds
        self._languages = languages
        self._limits = limits or SessionLimits()
        self._clock = clock
        self._readings = DocumentLimit(self._limits.documents)
        self._numbers = count(1)
        self._sessions: OrderedDict[tuple[str, str], _Session] = OrderedDict()  # key, name → session; newest last

    def __len__(self) -> int:
        return len(self._sessions)

    @property
    def characters(self) -> int:
        """The characters of all documents that are kept."""
        return sum(session.documents.characters for session in self._sessions.values())

    def answer(self, key: str, asked: SessionRequest, cancellation: Cancellation) -> Message:
        """Return the result of a request, or what was lost that the request goes on from.

        A session is found by its own key alone. Raises BodyError.
        """
        self._drop_idle()
        name = key, asked.session
        session = self._sessions.get(name)
        if session is None and asked.settings is None:
            return _LOST_SESSION
        result: Any = None
        if session is None:
            session = self._sessions[name] = self._begin(key)
        session.used = self._clock()
        self._sessions.move_to_end(name)
        try:
            if asked.settings is not None:
                result = self._load(session, asked.settings)
            if asked.operation != "load":
                result = self._operate(session, asked, cancellation)
        finally:
            self._make_room(key)
        return _LOST_DOCUMENT if result is _LOST_DOCUMENT else {"result": result}

    def _begin(self, key: str) -> _Session:
        number = next(self._numbers)
        return _Session(
            key,
            LocalCompleter(
                lambda _name, _device: WindowProposer(self._proposer, number),
                limit=self._readings,
                tables=self._tables,
            ),
        )

    def _load(self, session: _Session, given: dict[str, Any]) -> Any:
        """Take the settings that a client may decide, within the limits of the host."""
        try:
            asked = Settings.from_mapping(only_taken(given))
        except SettingsError as error:
            raise BodyError(str(error)) from None
        loaded = session.completer.load(
            replace(
                asked,
                max_tokens=min(asked.max_tokens, self._most_tokens),
                time_limit=min(asked.time_limit, self._most_seconds),
                completion_time_limit=min(asked.completion_time_limit, self._most_seconds),
                candidates=min(asked.candidates, self._limits.candidates),
            )
        )
        return to_plain(replace(loaded, languages=self._languages))

    def _operate(self, session: _Session, asked: SessionRequest, cancellation: Cancellation) -> Any:
        completer = session.completer
        if asked.operation == "forget":
            completer.forget(asked.uri)
            session.documents.forget(asked.uri)
            return None
        assert asked.document is not None, "the door lets nothing else in"
        document = session.documents.receive(asked.document)
        if document is None:
            return _LOST_DOCUMENT
        if asked.offset > len(document.text):
            raise BodyError("The offset lies behind the end of the document; send one inside of it.")
        return to_plain(self._ask(completer, document, asked, cancellation))

    def _ask(
        self, completer: LocalCompleter, document: Snapshot, asked: SessionRequest, cancellation: Cancellation
    ) -> object:
        if asked.operation == "read_on":
            return completer.read_on(document, asked.offset)
        if asked.operation == "candidates":
            return completer.candidates(document, asked.offset, cancellation, first=asked.first, project=asked.project)
        return completer.complete(document, asked.offset, cancellation, item=asked.item, project=asked.project)

    def _drop_idle(self) -> None:
        due = self._clock() - self._limits.idle
        idle = [name for name, session in self._sessions.items() if session.used < due]
        for name in idle:
            self._drop(name)

    def _make_room(self, key: str) -> None:
        """Drop the oldest sessions of a key while it has too many, and then the oldest of all."""
        limits = self._limits
        while True:
            own = [name for name, session in self._sessions.items() if session.key == key]
            held = sum(self._sessions[name].documents.characters for name in own)
            if len(own) > 1 and (len(own) > limits.of_key or held > limits.characters_of_key):
                self._drop(own[0])
            elif len(self._sessions) > 1 and (
                len(self._sessions) > limits.sessions or self.characters > limits.characters
            ):
                self._drop(next(iter(self._sessions)))
            else:
                return

    def _drop(self, name: tuple[str, str]) -> None:
        self._sessions.pop(name).end()
