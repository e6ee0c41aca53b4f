"""The process of a replica: model, engine and languages; it answers the calls of `replica.py` until its parent ends."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from dovetail.completer.child import main
from dovetail.completer.gc_pauses import Collector
from dovetail.completer.team.messages import SessionRequest
from dovetail.completer.wire import from_plain, to_plain
from dovetail.model.error import ModelError
from dovetail.model.failure import failure_of
from dovetail.model.hosting import known_languages, load_model
from dovetail.team.doors.window_request import BodyError, WindowRequest
from dovetail.team.replica_tables import ReplicaTables
from dovetail.team.sessions import Sessions
from dovetail.team.writer import WindowWriter

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail.completer.wire import Message
    from dovetail.decoding.cancellation import Cancellation
    from dovetail.decoding.proposer import Proposer


class ReplicaChild:
    """Answers the calls of a replica, one at a time."""

    def __init__(self, load: Callable[[str | None], Proposer] = load_model, collector: Collector | None = None) -> None:
        """Make a child without a model; `load` loads the one of a name."""
        self._load = load
        self._collector = collector
        self._writer: WindowWriter | None = None
        self._sessions: Sessions | None = None

    def answer(self, message: Message, cancellation: Cancellation) -> Message:
        """Return the answer to a call: its result, a mistake of the client, or what is wrong with the model."""
        try:
            return {"result": self._answer(message, cancellation)}
        except BodyError as error:
            return {"mistake": str(error)}
        except ModelError as error:
            return {"complaint": str(error)}
        except Exception as error:
            # After a failure of the model the process is of no more use, so its parent ends it. A message that an
            # exception has may hold text of a document, so only its name is told.
            failure = failure_of(error)
            return {"trouble": "defect" if failure is None else failure.name.lower(), "error": type(error).__name__}

    def rest(self, *, idle: bool) -> None:
        """Collect garbage if no request waits, or if the last collection is long ago."""
        if self._collector is not None:
            self._collector.rest(idle=idle)

    def _answer(self, message: Message, cancellation: Cancellation) -> Any:
        if message["call"] == "load":
            proposer = self._load(message["model"])
            tables = ReplicaTables()
            most = message["most_tokens"], message["most_seconds"]
            self._writer = WindowWriter(proposer, *most, tables=tables)
            self._writer.prepare(message["languages"])
            self._sessions = Sessions(proposer, tables, *most, languages=known_languages(message["model"]))
            if self._collector is not None:
                self._collector.settle()
            return {"model": proposer.name}
        assert self._writer is not None, "a replica loads its model first"
        assert self._sessions is not None, "a replica loads its model first"
        if message["call"] == "converse":
            return self._sessions.answer(message["key"], from_plain(message["request"], SessionRequest), cancellation)
        asked = from_plain(message["window"], WindowRequest)
        return to_plain(self._writer.write(asked, cancellation, message["document"]))


if __name__ == "__main__":
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 10_000))
    main(ReplicaChild(collector=Collector()))
