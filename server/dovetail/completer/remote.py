"""The server's completer: another process completes, and is started again after it fails.

The process is one that all windows share (`host/`) or one of this window alone; `links.py` chooses.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dovetail.completer.answer import Answer, nothing
from dovetail.completer.cancel_token import CancelToken
from dovetail.completer.connection import NoProcessError
from dovetail.completer.fallback import CLAUSES, Fallback
from dovetail.completer.links import Link, Links
from dovetail.completer.local import LocalCompleter
from dovetail.completer.operations import OPERATIONS
from dovetail.completer.process import COMMAND
from dovetail.completer.snapshot import Snapshot
from dovetail.completer.supervisor import REMEDY, Supervisor, TroubleError, trouble_of
from dovetail.completer.wire import from_plain, to_plain

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from dovetail.completer.explainer import Explanation
    from dovetail.completer.fallback import Trouble
    from dovetail.completer.host.finder import HostFinder
    from dovetail.completer.operations import Loaded
    from dovetail.completer.wire import Message
    from dovetail.decoding.repository import ProjectContext
    from dovetail.settings import Settings


class RemoteCompleter:
    """Completes in another process. All methods but `abandon` and `explain` belong to the worker's thread."""

    def __init__(self, command: Sequence[str] = COMMAND, hosts: HostFinder | None = None) -> None:
        """Make a completer; `command` starts a process of its own, which has not started yet.

        `hosts` finds the process that windows share, if the settings allow that.
        """
        self.model: str | None = None
        self.languages: tuple[str, ...] | None = None
        self.remark: str | None = None
        self.lost: Callable[[], None] = lambda: None
        self._supervisor = Supervisor()
        self._links = Links(command, hosts, self._is_lost)
        self._link: Link | None = None
        self._window: int | None = None
        self._explaining = LocalCompleter()  # here, without a model, so that it waits for nothing
        self._targets: Mapping[str, str] = {}  # language → the version that the process reads

    @property
    def notice(self) -> str | None:
        """A sentence for the user about the last failure of the model; None if there is nothing to say."""
        return self._supervisor.notice

    @property
    def process(self) -> int | None:
        """The system's number of the process; None while there is none."""
        return None if self._link is None else self._link.connection.identity

    @property
    def shares(self) -> bool:
        """True if the process is one that other windows use too."""
        return self._link is not None and self._link.identity is not None

    def load(self, settings: Settings, cancellation: CancelToken, *, anew: bool = False) -> str | None:
        """Take settings and load their model; return a sentence that says what is wrong and what to do, or None.

        `anew` starts a new process. After a failure the model is loaded with the fallbacks that the settings allow. A
        cancellation ends the process while it loads a model; taking settings alone is not cancelled.
        """
        ended = None if self._link is None else self._link.connection.ended
        if anew or (ended is not None and ended.how == "ended"):
            self._end()
        elif ended is not None:
            self._fail(trouble_of(ended))  # it failed between two calls
        if anew or settings != self._supervisor.settings:
            self._links.renew(anew=anew)
        self._supervisor.take(settings, anew=anew)
        alone = False  # other models may hold memory
        while (fallback := self._supervisor.fallback) is not None:
            try:
                loaded = self._load(fallback, cancellation)
            except TroubleError as trouble:
                if trouble.trouble == "ended":
                    return f"The loading of the model was given up: {REMEDY}."
                if trouble.trouble == "memory" and not alone:
                    alone = True
                    if self._make_room():
                        continue
                self._fail(trouble, loading=True)
                continue
            self.model, self._window, self._targets = loaded.model, loaded.window, loaded.targets
            self.languages = loaded.languages
            self.remark = loaded.remark
            return loaded.complaint
        return self.notice

    def prepare(self, document: Snapshot) -> None:
        """Read the tables of a document's language, or build them and keep them on disk, without a time limit."""
        if self._supervisor.fallback is None:
            return
        try:
            self._call("prepare", document=document)
        except TroubleError as trouble:
            self._meet(trouble)

    def recall(self, document: Snapshot, offset: int) -> Answer:
        """Return the rest of a completion whose beginning the user has typed."""
        return self._answer("recall", 0.0, document=document, offset=offset)

    def complete(
        self,
        document: Snapshot,
        offset: int,
        cancellation: CancelToken,
        *,
        item: bool = False,
        project: ProjectContext | None = None,
    ) -> Answer:
        """Return the texts that fit at an offset; see `DocumentOperations`."""
        settings = self._supervisor.settings
        limit = settings.completion_time_limit if item else settings.time_limit
        return self._answer(
            "complete",
            limit,
            document=document,
            offset=offset,
            cancellation=cancellation,
            item=item,
            project=project,
        )

    def candidates(
        self,
        document: Snapshot,
        offset: int,
        cancellation: CancelToken,
        *,
        first: bool = False,
        project: ProjectContext | None = None,
    ) -> Answer:
        """Return several texts that fit at an offset, or only the first; see `DocumentOperations`."""
        limit = self._supervisor.settings.time_limit * self._supervisor.settings.candidates
        return self._answer(
            "candidates",
            limit,
            document=document,
            offset=offset,
            cancellation=cancellation,
            first=first,
            project=project,
        )

    def read_on(self, document: Snapshot, offset: int) -> bool:
        """Read more of a long document; return whether an answer at an offset leaves nothing unread."""
        if self._supervisor.fallback is None:
            return True
        try:
            done: bool = self._call("read_on", 0.0, document=document, offset=offset)
        except TroubleError as trouble:
            self._meet(trouble)
            return True
        return done

    def forget(self, uri: str) -> None:
        """Forget a document that was closed."""
        if self._link is None or not self._link.sent.forget(uri):
            return  # the process never had it
        try:
            self._call("forget", 0.0, uri=uri)
        except TroubleError as trouble:
            self._meet(trouble)

    def explain(self, document: Snapshot, offset: int) -> Explanation:
        """Return the explanation of an offset: the texts that may come, and the faults that prevent more."""
        self._explaining.aim(self._targets)
        self._explaining.take_commands(self._supervisor.settings)
        return self._explaining.explain(document, offset)

    def abandon(self) -> None:
        """End the process at once, or leave it to other windows; any thread may call this."""
        link = self._link
        if link is not None:
            link.connection.end()

    def _load(self, fallback: Fallback, cancellation: CancelToken) -> Loaded:
        """Load the model of the settings with a fallback, and return the answer of the process.

        The model before stays if there is a complaint, or a defect. A cancellation ends a process that loads a model.
        """
        before, settings = self._link, self._supervisor.settings
        if before is not None and before.identity == self._links.identity(settings, fallback):
            return self._load_there(before, settings, fallback, cancellation)
        self._link = None
        cancellation.tell(self.abandon)
        try:
            link = self._begin()
            loaded = self._load_there(link, settings, fallback, cancellation)
        except TroubleError:
            if before is not None:
                before.connection.leave()  # every failure gets a new process
            raise
        except BaseException:
            self._return_to(before)
            raise
        finally:
            cancellation.tell(lambda: None)
        if before is None or before.loaded is None:
            return loaded
        if loaded.complaint is None:
            before.connection.leave()
            return loaded
        self._return_to(before)
        model, kept = before.loaded
        there = self._load_there(before, replace(settings, model=model), kept, cancellation)
        return replace(there, complaint=loaded.complaint)

    def _load_there(self, link: Link, settings: Settings, fallback: Fallback, cancellation: CancelToken) -> Loaded:
        """Load a model in one process."""
        if link.identity is not None:
            settings = replace(settings, model=link.identity.model)  # it runs in another folder
        wanted = None if fallback.embedded else settings.model, fallback
        if wanted != link.loaded:
            cancellation.tell(link.connection.end)
        try:
            loaded: Loaded = self._call("load", settings=settings, anew=False, fallback=fallback)
        finally:
            # Also after a defect: the process still holds the model before.
            cancellation.tell(lambda: None)
        if loaded.complaint is None:
            link.loaded = wanted
        return loaded

    def _answer(self, name: str, within: float, **arguments: Any) -> Answer:
        """Return the answer of an operation that takes about `within` seconds; it has no texts if the model failed."""
        if self._supervisor.fallback is None:
            assert self.notice is not None, "a model that was given up has a notice"
            return nothing(self.notice.rstrip("."))  # a process would have no model
        try:
            answer: Answer = self._call(name, within, **arguments)
        except TroubleError as trouble:
            self._meet(trouble)
            return nothing(f"the model {'failed' if trouble.trouble == 'engine' else 'was lost'}: {trouble}")
        if answer.texts and name != "recall":
            self._supervisor.succeed()
        return answer

    def _call(self, name: str, within: float | None = None, **arguments: Any) -> Any:
        """Return the result of an operation.

        `within` is the operation's own time in seconds; None for no limit. Raises TroubleError if the model fails or
        answers later than `hang_limit` seconds after that time, and RuntimeError for a defect.
        """
        operation = OPERATIONS[name]
        link = self._begin()
        cancellation: CancelToken | None = None
        sent: Message = {}
        for key, kind in operation.arguments.items():
            if kind is CancelToken:
                cancellation = arguments[key]
            elif kind is Snapshot:
                sent[key] = link.sent.send(arguments[key])
            else:
                sent[key] = to_plain(arguments[key])
        patience = None if within is None else within + self._supervisor.settings.hang_limit
        try:
            answer = link.connection.call(
                {"call": name, "arguments": sent}, cancellation=cancellation, seconds=patience
            )
        except NoProcessError as ended:
            # While this window loads, a host dies of another window's request, or of the model, which is everybody's.
            if ended.how in ("lost", "hung") and name != "load":
                self._links.strike(link)
            raise trouble_of(ended) from None
        if "result" in answer:
            return None if operation.result is None else from_plain(answer["result"], operation.result)
        if answer["trouble"] is None:
            raise RuntimeError(f"there was {answer['error']} in the model's process")
        trouble: Trouble = answer["trouble"]
        raise TroubleError(trouble, answer.get("clause") or CLAUSES[trouble])

    def _begin(self) -> Link:
        """Return the link to the process, which is started if there is none."""
        return self._link or self._links.open(
            self._supervisor.settings, self._supervisor.fallback or Fallback(), self._take
        )

    def _take(self, link: Link) -> None:
        self._link = link

    def _is_lost(self) -> None:
        self.lost()  # read now: the server sets it after it made the completer

    def _return_to(self, link: Link | None) -> None:
        """Leave the present process for the one before."""
        if self._link is not None and self._link is not link:
            self._link.connection.leave()
        self._link = link

    def _make_room(self) -> bool:
        """Give up the model before, and models that nobody uses; return whether there may have been any."""
        had_one = self.model is not None
        self._end()
        return self._links.make_room() or had_one

    def _end(self) -> None:
        if self._link is not None:
            self._link.connection.leave()
        self._link = self.model = None

    def _meet(self, trouble: TroubleError) -> None:
        """Note a failure in the middle of the work, and ask for another loading."""
        if trouble.trouble == "engine":
            # Nothing is lost here, and the next request asks the engine again.
            self._supervisor.note(trouble)
            return
        if trouble.trouble != "ended":
            self._fail(trouble)
        # A process that was ended on purpose is loaded anew by its caller, or the session ends: this asks for no more.
        self.lost()

    def _fail(self, trouble: TroubleError, *, loading: bool = False) -> None:
        """End the process and choose how to go on. Every failure gets a new process."""
        self._end()
        self._supervisor.fail(trouble, window=None if loading else self._window)
