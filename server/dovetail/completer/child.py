"""The child process that holds the model: it answers the calls of `process.py` until its parent ends.

Its standard streams carry lines of JSON (`wire.py`). Each line names an operation (`operations.py`) and its arguments.
The parent sends the text of a document once, and only edits after that (`document_copies.py`).
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

from dovetail.completer.cancel_token import CancelToken
from dovetail.completer.document_copies import DocumentCopies
from dovetail.completer.gc_pauses import PAUSE, Collector
from dovetail.completer.local import LocalCompleter
from dovetail.completer.log_redaction import RedactingFormatter
from dovetail.completer.operations import OPERATIONS
from dovetail.completer.snapshot import Snapshot
from dovetail.completer.wire import from_line, from_plain, to_line, to_plain
from dovetail.model.failure import EngineError, failure_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail.completer.operations import Operation
    from dovetail.completer.wire import Message
    from dovetail.decoding.cancellation import Cancellation
    from dovetail.settings import Settings

logger = logging.getLogger(__name__)


class Answering(Protocol):
    """Something that a process of its own holds, and that answers messages one by one."""

    def answer(self, message: Message, cancellation: Cancellation) -> Message:
        """Return the answer to a message; raises nothing."""

    def rest(self, *, idle: bool) -> None:
        """Use a pause; `idle`: no message waits."""


class Child:
    """Answers messages with a completer."""

    def __init__(
        self,
        completer: LocalCompleter,
        trouble: Callable[[Exception], str | None] | None = None,
        collector: Collector | None = None,
    ) -> None:
        """Make a child; `trouble` returns the kind of the model's failure for an exception, None for a defect."""
        self._collector = collector
        self._completer = completer
        self._trouble = trouble or _trouble
        self._copies = DocumentCopies()

    def answer(self, message: Message, cancellation: Cancellation) -> Message:
        """Return the answer to a message: the operation's result, or the kind of trouble and the exception's name."""
        try:
            return {"result": self._call(OPERATIONS[message["call"]], message["arguments"], cancellation)}
        except Exception as error:
            trouble = self._trouble(error)
            if trouble is None:
                logger.exception("The model's process has a defect.")
            # What an engine's failure says holds no text of a document; what others say may.
            clause = str(error) if isinstance(error, EngineError) else None
            return {"trouble": trouble, "error": type(error).__name__, "clause": clause}

    @property
    def settings(self) -> Settings:
        """The settings that were taken last."""
        return self._completer.settings

    def forget_all(self) -> None:
        """Drop everything that is kept for the documents that were sent."""
        for uri in self._copies.drop_all():
            self._completer.forget(uri)

    def rest(self, *, idle: bool) -> None:
        """Collect garbage if no request waits, or if the last collection is long ago."""
        if self._collector is not None:
            self._collector.rest(idle=idle)

    def _call(self, operation: Operation, given: Message, cancellation: Cancellation) -> Any:
        """Return the result of an operation in a form that JSON can hold."""
        arguments: dict[str, Any] = {}
        for name, kind in operation.arguments.items():
            if kind is CancelToken:
                arguments[name] = cancellation
            elif kind is Snapshot:
                arguments[name] = self._copies.receive(given[name])
            else:
                arguments[name] = from_plain(given[name], kind)
        result = getattr(self._completer, operation.name)(**arguments)
        if operation.name == "forget":
            self._copies.drop(arguments["uri"])
        if operation.name == "load" and self._collector is not None:
            self._collector.settle()
        return to_plain(result)


def serve(child: Answering, requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer messages one by one; the process ends when the stream of requests ends."""
    waiting: SimpleQueue[tuple[Message, CancelToken]] = SimpleQueue()
    tokens: dict[int, CancelToken] = {}  # number → the cancellation of what waits or runs

    def read() -> None:
        for line in requests:
            message = from_line(line)
            if "cancel" in message:
                token = tokens.get(message["cancel"])
                if token is not None:
                    token.cancel()
            else:
                tokens[message["number"]] = token = CancelToken()
                waiting.put((message, token))
        # The model's library may be busy for long, so the process does not wait for it.
        os._exit(0)

    threading.Thread(target=read, name="requests", daemon=True).start()
    while True:
        try:
            message, token = waiting.get(timeout=PAUSE)
        except Empty:
            child.rest(idle=True)
            message, token = waiting.get()
        answer = child.answer(message, token)
        del tokens[message["number"]]
        _write(answers, {**answer, "number": message["number"]})
        child.rest(idle=False)


class _Logs(logging.Handler):
    """Sends log records to the server."""

    def __init__(self, answers: BinaryIO) -> None:
        super().__init__()
        self._answers = answers

    def emit(self, record: logging.LogRecord) -> None:
        _write(self._answers, {"log": [record.levelno, record.name, self.format(record)]})


_WRITING = threading.Lock()


def _write(answers: BinaryIO, message: Message) -> None:
    # The write fails if the parent is gone. `read` notices that too, and ends the process.
    with _WRITING, suppress(OSError):
        answers.write(to_line(message))
        answers.flush()


def _trouble(error: Exception) -> str | None:
    """Return the kind of the model's failure for an exception, or None for a defect."""
    failure = failure_of(error)
    return None if failure is None else failure.name.lower()


def main(child: Answering) -> None:
    """Run a process that holds a model."""
    # The interrupt key is meant for the server. This process ends when the server ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # From here on stdout carries answers only, and what libraries print goes to stderr.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    level = sys.argv[-1]
    logs = _Logs(answers)
    logs.setFormatter((logging.Formatter if level == "DEBUG" else RedactingFormatter)("%(message)s"))
    logging.basicConfig(level=level, handlers=[logs])
    serve(child, sys.stdin.buffer, answers)


if __name__ == "__main__":
    main(Child(LocalCompleter(), collector=Collector()))
