"""The server's completer: it runs in a child process, which is restarted after trouble, with a fallback if need be."""

from __future__ import annotations

import time
from collections import deque
from typing import TYPE_CHECKING, Any

from dovetail.completer.answer import Answer, nothing
from dovetail.completer.cancel_token import CancelToken
from dovetail.completer.document_copies import SentDocuments
from dovetail.completer.fallback import Fallback, Trouble, fallback_after
from dovetail.completer.local import LocalCompleter
from dovetail.completer.operations import OPERATIONS
from dovetail.completer.process import COMMAND, ModelProcess, NoProcessError
from dovetail.completer.snapshot import Snapshot
from dovetail.completer.wire import from_plain, to_plain
from dovetail.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from dovetail.completer.explainer import Explanation
    from dovetail.completer.operations import Loaded
    from dovetail.completer.wire import Message

_LATELY = 600.0
"""Seconds in which troubles count as one row."""

_REMEDY = "run the command `dovetail.server.restart` to try again, or choose another model"

_CLAUSES: dict[Trouble, str] = {
    "memory": "it ran out of memory",
    "device": "its device failed",
    "numbers": "what it computed are no numbers",
}


class TroubleError(Exception):
    """The model failed; the message is a clause."""

    def __init__(self, trouble: Trouble, clause: str) -> None:
        super().__init__(clause)
        self.trouble = trouble


class RemoteCompleter:
    """Completes in a child process. All methods but `abandon` and `explain` belong to the worker's thread."""

    def __init__(self, command: Sequence[str] = COMMAND) -> None:
        """Make a completer; `command` starts its process, which has not started yet."""
        self.model: str | None = None
        self.notice: str | None = None
        self.lost: Callable[[], None] = lambda: None
        self._command = command
        self._settings = Settings()
        self._process: ModelProcess | None = None
        self._loaded: tuple[str | None, Fallback] | None = None  # the model of the process, and its fallback
        self._sent = SentDocuments()
        self._fallback: Fallback | None = Fallback()  # None when there is no way to go on
        self._window: int | None = None
        self._troubles: deque[tuple[float, Trouble]] = deque()  # when and what, lately
        self._explaining = LocalCompleter()  # here, without a model, so that it waits for nothing
        self._targets: Mapping[str, str] = {}  # language → the version that the process reads

    @property
    def process(self) -> int | None:
        """What the system calls the process; None while there is none."""
        return None if self._process is None else self._process.identity

    def load(self, settings: Settings, cancellation: CancelToken, *, anew: bool = False) -> str | None:
        """Take settings and load their model; return the sentence that says why that cannot be, and what to do.

        Anew is with a new process. After trouble it is loaded with less, as far as the settings allow it. The loading
        of a model that is cancelled is ended with its process; where only settings are taken there is nothing to end.
        """
        ended = None if self._process is None else self._process.ended
        if anew or (ended is not None and ended.how == "ended"):
            self._end()
        elif ended is not None:
            self._take_note(_trouble_of(ended))  # while nobody asked it anything
        if anew or settings != self._settings:
            self._fallback, self.notice = Fallback(), None
            self._troubles.clear()
        self._settings = settings
        alone = self.model is None  # a model that was there before has its memory still
        while self._fallback is not None:
            try:
                loaded = self._load(self._fallback, cancellation)
            except TroubleError as trouble:
                if trouble.trouble == "ended":
                    return f"The loading of the model was given up: {_REMEDY}."
                if trouble.trouble == "memory" and not alone:
                    self._end()
                    alone = True
                    continue
                self._take_note(trouble, loading=True)
                continue
            self.model, self._window, self._targets = loaded.model, loaded.window, loaded.targets
            return loaded.complaint
        return self.notice

    def prepare(self, document: Snapshot) -> None:
        """Read, or build and keep for ever, what the language of a document needs, however long that takes."""
        if self._fallback is None:
            return
        try:
            self._call("prepare", document=document)
        except TroubleError as trouble:
            self._meet(trouble)

    def recall(self, document: Snapshot, offset: int) -> Answer:
        """Return what is left of a completion that was typed into."""
        return self._answer("recall", 0.0, document=document, offset=offset)

    def complete(
        self, document: Snapshot, offset: int, cancellation: CancelToken, *, seconds: float | None = None
    ) -> Answer:
        """Return what fits at an offset, within `seconds` where they are given."""
        limit = self._settings.time_limit if seconds is None else seconds
        return self._answer(
            "complete", limit, document=document, offset=offset, cancellation=cancellation, seconds=seconds
        )

    def candidates(self, document: Snapshot, offset: int, cancellation: CancelToken) -> Answer:
        """Return several texts that fit at an offset."""
        limit = self._settings.time_limit * self._settings.candidates
        return self._answer("candidates", limit, document=document, offset=offset, cancellation=cancellation)

    def read_on(self, document: Snapshot, offset: int) -> bool:
        """Read some more of a long document; return whether an answer at an offset leaves nothing unread."""
        if self._fallback is None:
            return True
        try:
            done: bool = self._call("read_on", 0.0, document=document, offset=offset)
        except TroubleError as trouble:
            self._meet(trouble)
            return True
        return done

    def forget(self, uri: str) -> None:
        """Let go of all that is kept of a document, which was closed."""
        if not self._sent.forget(uri) or self._process is None:
            return  # the process has nothing of it
        try:
            self._call("forget", 0.0, uri=uri)
        except TroubleError as trouble:
            self._meet(trouble)

    def explain(self, document: Snapshot, offset: int) -> Explanation:
        """Return what may come at an offset."""
        self._explaining.aim(self._targets)
        self._explaining.take_commands(self._settings)
        return self._explaining.explain(document, offset)

    def abandon(self) -> None:
        """End the process at once, whatever it does; may be called on any thread."""
        process = self._process
        if process is not None:
            process.end()

    def _load(self, fallback: Fallback, cancellation: CancelToken) -> Loaded:
        """Have the process load what the settings ask for, less what is given up; return what it says of that."""
        process = self._begin()
        wanted = (None if fallback.embedded else self._settings.model, fallback)
        if wanted != self._loaded:
            cancellation.tell(process.end)
        try:
            loaded: Loaded = self._call("load", settings=self._settings, anew=False, fallback=fallback)
        finally:
            # Also after a defect: the model that was there before is in the process still.
            cancellation.tell(lambda: None)
        if loaded.complaint is None:
            self._loaded = wanted
        return loaded

    def _answer(self, name: str, within: float, **arguments: Any) -> Answer:
        """Return the answer of an operation, which takes about `within` seconds; no texts after trouble."""
        if self._fallback is None:
            assert self.notice is not None, "a model that is given up has a notice"
            return nothing(self.notice.rstrip("."))  # a process would have no model
        try:
            answer: Answer = self._call(name, within, **arguments)
        except TroubleError as trouble:
            self._meet(trouble)
            return nothing(f"the model was lost: {trouble}")
        if answer.texts and name != "recall" and self._fallback == Fallback():
            self.notice = None  # it works again
        return answer

    def _call(self, name: str, within: float | None = None, **arguments: Any) -> Any:
        """Return the result of an operation; raise TroubleError, and RuntimeError for a defect.

        `within` is the operation's own time in seconds: no answer `hang_limit` seconds after that is trouble too.
        """
        operation = OPERATIONS[name]
        process = self._begin()
        cancellation: CancelToken | None = None
        sent: Message = {}
        for key, kind in operation.arguments.items():
            if kind is CancelToken:
                cancellation = arguments[key]
            elif kind is Snapshot:
                sent[key] = self._sent.send(arguments[key])
            else:
                sent[key] = to_plain(arguments[key])
        patience = None if within is None else within + self._settings.hang_limit
        try:
            answer = process.call({"call": name, "arguments": sent}, cancellation=cancellation, seconds=patience)
        except NoProcessError as ended:
            raise _trouble_of(ended) from None
        if "result" in answer:
            return None if operation.result is None else from_plain(answer["result"], operation.result)
        if answer["trouble"] is None:
            raise RuntimeError(f"there was {answer['error']} in the model's process")
        trouble: Trouble = answer["trouble"]
        raise TroubleError(trouble, _CLAUSES[trouble])

    def _begin(self) -> ModelProcess:
        if self._process is None:
            self._sent.clear()
            self._loaded = None
            self._process = ModelProcess(self._command, self._is_lost)
        return self._process

    def _is_lost(self) -> None:
        self.lost()  # as it is set by then

    def _end(self) -> None:
        if self._process is not None:
            self._process.end()
        self._process = self.model = None

    def _meet(self, trouble: TroubleError) -> None:
        """Take note of a trouble in the middle of the work, and have the model loaded again."""
        if trouble.trouble != "ended":
            self._take_note(trouble)
        # Whoever ended it on purpose has it loaded anew or ends the session, and then this asks for nothing more.
        self.lost()

    def _take_note(self, trouble: TroubleError, *, loading: bool = False) -> None:
        """Decide how to go on after a trouble: with a new process, whatever it was, unless the model was given up."""
        self._end()
        if self._fallback is None:
            return
        now = time.monotonic()
        while self._troubles and self._troubles[0][0] < now - _LATELY:
            self._troubles.popleft()
        self._troubles.append((now, trouble.trouble))
        before = self._fallback
        name = "The embedded model" if self._settings.model is None else f"The model {self._settings.model}"
        self._fallback = fallback_after(
            trouble.trouble,
            before,
            self._settings.fallbacks,
            window=None if loading else self._window,
            count=sum(kind == trouble.trouble for _, kind in self._troubles),
            named=self._settings.model is not None,
        )
        if self._fallback is None:
            self.notice = f"{name} cannot go on ({trouble}): {_REMEDY}."
        elif self._fallback == Fallback():
            stopped = trouble.trouble == "lost"
            self.notice = (
                "The model process stopped and was restarted." if stopped else f"{name} was restarted: {trouble}."
            )
        else:
            self.notice = f"{name} failed ({trouble}), so {self._fallback.clause}; {_REMEDY}."


def _trouble_of(ended: NoProcessError) -> TroubleError:
    return TroubleError(ended.how, str(ended))
