"""The process that holds the model, as it sees itself: it answers what `process.py` asks, until nobody is there.

Its standard streams are lines of JSON (`wire.py`). A line names a method of the completer and its arguments; the texts
of documents are sent once and then as the edits between them.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, BinaryIO

from dovetail.completer.cancel_token import CancelToken
from dovetail.completer.fallback import Retreat
from dovetail.completer.gc_pauses import PAUSE, Collector
from dovetail.completer.local import Completions
from dovetail.completer.log_redaction import Discreet
from dovetail.completer.snapshot import Snapshot
from dovetail.completer.wire import from_line, from_plain, to_line, to_plain
from dovetail.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail.completer.wire import Message

logger = logging.getLogger(__name__)


class Host:
    """Answers messages with a completer."""

    def __init__(
        self,
        completions: Completions,
        trouble: Callable[[Exception], str | None] | None = None,
        collector: Collector | None = None,
    ) -> None:
        """Make a host; `trouble` says what fault of the model an exception tells of, None for a defect."""
        self._collector = collector
        self._completions = completions
        self._trouble = trouble or _trouble
        self._texts: dict[str, str] = {}  # address → the text of a document as it was sent last
        self._methods: dict[str, Callable[[Message, CancelToken], Any]] = {
            "load": self._load,
            "recall": self._recall,
            "complete": self._complete,
            "candidates": self._candidates,
            "read_on": self._read_on,
            "prepare": self._prepare,
            "forget": self._forget,
        }

    def answer(self, message: Message, cancellation: CancelToken) -> Message:
        """Return the answer to a message: a result, or the trouble that came instead of one."""
        try:
            return {"result": self._methods[message["call"]](message, cancellation)}
        except Exception as error:
            trouble = self._trouble(error)
            if trouble is None:
                logger.exception("There is a defect in the model's process.")
            return {"trouble": trouble, "error": type(error).__name__}

    def rest(self, *, idle: bool) -> None:
        """Do what is best done while nobody waits, or has been put off for too long."""
        if self._collector is not None:
            self._collector.rest(idle=idle)

    def _load(self, message: Message, _: CancelToken) -> Message:
        settings = from_plain(message["settings"], Settings)
        complaint = self._completions.load(
            settings, anew=message["anew"], retreat=from_plain(message["retreat"], Retreat)
        )
        if self._collector is not None:
            self._collector.settle()
        completions = self._completions
        return {
            "complaint": complaint,
            "model": completions.model,
            "window": completions.window,
            "targets": dict(completions.targets),
        }

    def _recall(self, message: Message, _: CancelToken) -> Message:
        return to_plain(self._completions.recall(self._document(message), message["offset"]))

    def _complete(self, message: Message, cancellation: CancelToken) -> Message:
        document = self._document(message)
        return to_plain(
            self._completions.complete(document, message["offset"], cancellation, seconds=message["seconds"])
        )

    def _candidates(self, message: Message, cancellation: CancelToken) -> Message:
        return to_plain(self._completions.candidates(self._document(message), message["offset"], cancellation))

    def _read_on(self, message: Message, _: CancelToken) -> bool:
        return self._completions.read_on(self._document(message), message["offset"])

    def _prepare(self, message: Message, _: CancelToken) -> None:
        self._completions.prepare(self._document(message))

    def _forget(self, message: Message, _: CancelToken) -> None:
        self._texts.pop(message["uri"], None)
        self._completions.forget(message["uri"])

    def _document(self, message: Message) -> Snapshot:
        """Return the document of a message, brought up to date by the edit that it holds."""
        for uri in message["forgotten"]:
            self._texts.pop(uri, None)
        uri, (start, end, text) = message["uri"], message["edit"]
        before = self._texts.get(uri, "")
        self._texts[uri] = after = before[:start] + text + before[end:]
        return Snapshot(uri, message["language"], message["version"], after)


def serve(host: Host, requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer one message after the other; the process ends when there is nobody who asks."""
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
        # At once, whatever the model's library does meanwhile.
        os._exit(0)

    threading.Thread(target=read, name="requests", daemon=True).start()
    while True:
        try:
            message, token = waiting.get(timeout=PAUSE)
        except Empty:
            host.rest(idle=True)
            message, token = waiting.get()
        answer = host.answer(message, token)
        del tokens[message["number"]]
        _write(answers, {**answer, "number": message["number"]})
        host.rest(idle=False)


class _Logs(logging.Handler):
    """Sends what is logged to the server."""

    def __init__(self, answers: BinaryIO) -> None:
        super().__init__()
        self._answers = answers

    def emit(self, record: logging.LogRecord) -> None:
        _write(self._answers, {"log": [record.levelno, record.name, self.format(record)]})


_WRITING = threading.Lock()


def _write(answers: BinaryIO, message: Message) -> None:
    # Who asked may be gone; `read` sees that too.
    with _WRITING, suppress(OSError):
        answers.write(to_line(message))
        answers.flush()


def _trouble(error: Exception) -> str | None:
    """Return what kind of fault of the model an exception tells of, or None for a defect."""
    # It imports torch, which is not there before a model was wanted.
    if "torch" not in sys.modules:
        return "memory" if isinstance(error, MemoryError) else None
    from dovetail.model.fault import fault_of

    fault = fault_of(error)
    return None if fault is None else fault.name.lower()


def main(host: Host) -> None:
    """Be the process that holds the model."""
    # The interrupt key is the server's; when that ends, this ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # From here on stdout is for answers alone: whatever a library prints goes to stderr.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    level = sys.argv[-1]
    logs = _Logs(answers)
    logs.setFormatter((logging.Formatter if level == "DEBUG" else Discreet)("%(message)s"))
    logging.basicConfig(level=level, handlers=[logs])
    serve(host, sys.stdin.buffer, answers)


if __name__ == "__main__":
    main(Host(Completions(), collector=Collector()))
