"""The state of one session with one client."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from lsprotocol import types

from dovetail.completer.worker import Worker
from dovetail.lsp.documents import Documents
from dovetail.lsp.meter import Unmetered
from dovetail.lsp.offers import Offers
from dovetail.lsp.reason_off import reason_off
from dovetail.lsp.statistics import Statistics
from dovetail.lsp.switches import Switches
from dovetail.lsp.unknown_language import unknown_language
from dovetail.project.reader import ProjectReader
from dovetail.settings import Settings

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Mapping

    from pygls.lsp.server import LanguageServer

    from dovetail.completer.answer import Answer
    from dovetail.completer.gc_pauses import Collector
    from dovetail.completer.operations import Completer
    from dovetail.completer.snapshot import Snapshot
    from dovetail.lsp.documents import OpenDocument
    from dovetail.lsp.meter import Meter


@dataclass(frozen=True, slots=True)
class Asked:
    """The last request for a completion in a document, and its answer."""

    begun: float
    """The time of the request, by `time.perf_counter`."""
    document: OpenDocument
    offset: int
    """In characters."""
    answer: Answer
    automatic: bool = True
    """True if the user did not ask by hand."""
    entry: str = ""
    """The entry of another list of completions that was selected, so that only a text that continues it is shown."""


class Others(NamedTuple):
    """All texts of a place whose first was answered."""

    document: OpenDocument
    offset: int
    """In characters."""
    answer: asyncio.Task[Answer | None]
    """The answer with all of them; None if something ended the work."""


class Session:
    """The state of a session. Handlers read and change it on the event loop; it knows none of them."""

    def __init__(
        self,
        completer: Completer,
        client: LanguageServer,
        overrides: Mapping[str, object],
        meter: Meter | None = None,
    ) -> None:
        """Make the state of a session that has not begun.

        `client` sends to the client. `overrides` are settings from the command line; the client cannot change them.
        """
        self.completer = completer
        self.client = client
        self.documents = Documents()
        self.worker = Worker("model")
        """The thread that calls the completer, for all operations but `explain`."""
        self.explainer = Worker("explanations")
        """The thread that explains: an explanation needs no model, so it does not wait for one."""
        self.project = ProjectReader()
        """The files around the documents; see `context.py`."""
        self.files = Worker("files")
        """The thread that reads them, beside requests."""
        self.changed_files: set[str] = set()
        """Paths of files that changed outside of the editor and have not been looked at since."""
        self.trusted = True
        """True if the user trusts the folders of the workspace, as far as the client says."""
        self.meter = Unmetered() if meter is None else meter
        self.statistics = Statistics(self.meter, self.documents, lambda: self.settings.statistics)
        self.offers = Offers(self.meter, self.statistics)

        self.overrides = overrides
        self.options: Mapping[str, object] = {}
        """The client's settings, as the client wrote them."""
        self.choice: Mapping[str, object] = {}
        """Settings that the user chose by a command; they come before all others."""
        self.settings = Settings.from_mapping(overrides)
        self.switches = Switches(self.settings)

        self.loading: asyncio.Task[None] | None = None
        """The task that waits for the model; None when the model is loaded or cannot be loaded."""
        self.wanted: str | None = None
        """The last model that was asked for, as the settings name it."""
        self.complaint: str | None = None
        """The sentence that says why the wanted model is not loaded."""
        self.settings_mistakes: tuple[str, ...] = ()
        """The sentences about settings of the client that could not be taken; none once they are mended."""
        self.retry: asyncio.TimerHandle | None = None
        """Another try to load an engine that could not be used; any other loading cancels it."""
        self.prepared: set[str] = set()
        """Languages that are ready, or will be before the next request."""
        self.awaited: set[str] = set()
        """Languages of which the tables are being built, if that takes long."""
        self.in_work = 0
        """Requests that wait for the model, or for a pause in the typing."""
        self.asked: dict[str, Asked] = {}
        """Address of a document → its last request."""
        self.others: dict[str, Others] = {}
        """Address of a document → the texts of the place that was asked about by hand last."""
        self.collector: Collector | None = None
        """Chooses the time of full garbage collections; None leaves it to the interpreter."""

        self.pulls_settings = False
        """True if the server asks the client for settings."""
        self.follows_status = False
        """True if the client wants `didChangeStatus`."""
        self.asks_again = False
        """True if the client asks by hand again when its user wants another text."""
        self.ways: Mapping[str, str] = {}
        """The client's own words for the ways to mend a model; see `ways.py`."""
        self.setting_names: Mapping[str, str] = {}
        """The client's own names of settings; see `setting_names.py`."""
        self.told_status: Mapping[str, object] | None = None
        """The last status that the client was told."""
        self.left: Callable[[], None] = lambda: None
        """Ends the session because the client is gone; the transport sets it."""
        self.shut_down = False
        """True if the client ended the session with `shutdown`."""
        self._is_over = False

        # Tasks are kept here because the event loop alone would let them be collected.
        self.fetching: asyncio.Task[None] | None = None
        self.registering: asyncio.Task[None] | None = None
        self.reading: asyncio.Task[None] | None = None
        self.watching: asyncio.Task[None] | None = None
        self.following: asyncio.Task[None] | None = None
        self.preparing: set[asyncio.Task[None]] = set()
        self.following_files: set[asyncio.Task[None]] = set()
        self.forgetting: set[asyncio.Task[None]] = set()

    def reason_off(self, document: Snapshot) -> str | None:
        """Return a clause that says why nothing is offered in a document, or None if completions are on."""
        return reason_off(document, self.settings, self.switches)

    def unknown_language(self, document: Snapshot) -> str | None:
        """Return a clause that says why nothing is offered in a document unless it is asked for by hand, or None."""
        return unknown_language(document, self.completer)

    def show(self, kind: types.MessageType, sentence: str) -> None:
        """Show the user one sentence."""
        self.client.window_show_message(types.ShowMessageParams(kind, sentence))

    def postpone_collection(self) -> None:
        """Postpone the next full garbage collection, because the user is active."""
        if self.collector is not None:
            self.collector.postpone()

    @property
    def ends(self) -> bool:
        """True from `shutdown` or the end of the work on: nothing is begun any more."""
        return self.shut_down or self._is_over

    def end_work(self, patience: float) -> bool:
        """Stop both workers, wait up to `patience` seconds for the completer's, return whether it has ended."""
        self._is_over = True
        self.explainer.stop(0)  # it ends by itself, and its work needs no clean-up
        self.files.stop(0)
        return self.worker.stop(patience)
