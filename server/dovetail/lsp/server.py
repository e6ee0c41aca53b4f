"""The language server: what it keeps, and which method is answered where."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from dovetail.completer.worker import Worker
from dovetail.lsp.acceptance import (
    DID_PARTIALLY_ACCEPT,
    DID_SHOW,
    did_partially_accept_completion,
    did_show_completion,
)
from dovetail.lsp.documents import Documents
from dovetail.lsp.meter import Unmetered
from dovetail.lsp.methods.did_change import did_change
from dovetail.lsp.methods.did_change_configuration import did_change_configuration
from dovetail.lsp.methods.did_close import did_close
from dovetail.lsp.methods.did_open import did_open
from dovetail.lsp.methods.execute_command import register_commands
from dovetail.lsp.methods.initialize import initialize
from dovetail.lsp.methods.initialized import initialized
from dovetail.lsp.methods.inline_completion import inline_completion
from dovetail.lsp.methods.shutdown import shutdown
from dovetail.lsp.offers import Offers
from dovetail.lsp.protocol import Protocol
from dovetail.lsp.status import DID_CHANGE_STATUS, Status, status
from dovetail.lsp.switches import Switches
from dovetail.settings import Settings

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Mapping

    from dovetail.completer.gc_pauses import Collector
    from dovetail.completer.operations import Completer
    from dovetail.lsp.asking import Asked
    from dovetail.lsp.meter import Meter


class Server(LanguageServer):
    """One session with one client."""

    protocol: Protocol

    def __init__(self, completer: Completer, overrides: Mapping[str, object], meter: Meter | None = None) -> None:
        """Make a server that has not begun; `overrides` are the settings that the command line fixes."""
        super().__init__("dovetail", version("dovetail"), protocol_cls=Protocol)
        self.completer = completer
        self.documents = Documents()
        self.worker = Worker("model")
        """Owns the model, and all that completes."""
        self.explainer = Worker("explanations")
        """Answers what takes no model, so that it waits for none."""
        self.meter = Unmetered() if meter is None else meter
        self.offers = Offers(self.meter)
        self.overrides = overrides
        self.options: Mapping[str, object] = {}
        """The client's settings as it wrote them."""
        self.choice: Mapping[str, object] = {}
        """What the user chose by hand, which goes before all settings."""
        self.settings = Settings.from_mapping(overrides)
        self.switches = Switches(self.settings)
        self.loading: asyncio.Task[None] | None = None
        """Waits for the model; None when it is there or cannot be had."""
        self.wanted: str | None = None
        """The model that was loaded last, or is being loaded, as the settings name it."""
        self.fetching: asyncio.Task[None] | None = None
        """Waits for the client's settings; kept, because the event loop alone would let it be collected."""
        self.registering: asyncio.Task[None] | None = None
        """Tells the client of what is offered since it changed its settings."""
        self.reading: asyncio.Task[None] | None = None
        """Reads on behind the last answer."""
        self.prepared: set[str] = set()
        """The languages that are ready, or will be before the next request."""
        self.preparing: set[asyncio.Task[None]] = set()
        """What makes them so."""
        self.forgetting: set[asyncio.Task[None]] = set()
        """What lets go of documents that were closed."""
        self.complaint: str | None = None
        """Why the model that the user wants is not there."""
        self.in_work = 0
        """Requests that wait for the model or for a pause in the typing."""
        self.asked: dict[str, Asked] = {}
        """Address of a document → what was answered there last."""
        self.collector: Collector | None = None
        """Chooses the time of full collections of garbage; None where the interpreter does."""
        self.pulls_settings = False
        """Whether the client has settings and waits to be asked for them."""
        self.follows_status = False
        """Whether the client wants to be told of changes of the status."""
        self._told: Status | None = None
        self.following: asyncio.Task[None] | None = None
        """Waits for the end of the client's process."""
        self.left: Callable[[], None] = lambda: None
        """Ends the session, now that there is no client; set by the transport."""
        self.shut_down = False
        """Whether the client ended the session in order."""
        self.feature(types.INITIALIZE)(partial(initialize, self))
        self.feature(types.INITIALIZED)(partial(initialized, self))
        self.feature(types.SHUTDOWN)(partial(shutdown, self))
        self.feature(types.TEXT_DOCUMENT_DID_OPEN)(partial(did_open, self))
        self.feature(types.TEXT_DOCUMENT_DID_CHANGE)(partial(did_change, self))
        self.feature(types.TEXT_DOCUMENT_DID_CLOSE)(partial(did_close, self))
        self.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)(partial(did_change_configuration, self))
        self.feature(DID_SHOW)(partial(did_show_completion, self))
        self.feature(DID_PARTIALLY_ACCEPT)(partial(did_partially_accept_completion, self))
        register_commands(self)
        # Without options pygls does not advertise the capability.
        self.feature(types.TEXT_DOCUMENT_INLINE_COMPLETION, types.InlineCompletionOptions())(
            partial(inline_completion, self)
        )

    def postpone_collection(self) -> None:
        """Let a full collection of garbage wait, because something is going on."""
        if self.collector is not None:
            self.collector.postpone()

    def end_work(self, patience: float) -> bool:
        """Let nothing be worked on any more, wait some seconds, and return whether all of it has ended."""
        self.explainer.stop(0)  # it ends by itself; nothing of it is unsafe to leave behind
        return self.worker.stop(patience)

    def tell_status(self) -> None:
        """Tell the client the status if it changed and the client wants to know."""
        now = status(self)
        if self.follows_status and now != self._told:
            self._told = now
            self.protocol.notify(DID_CHANGE_STATUS, asdict(now))

    def show(self, kind: types.MessageType, sentence: str) -> None:
        """Show the user one sentence."""
        self.window_show_message(types.ShowMessageParams(kind, sentence))

    def report_server_error(self, error: Exception, source: object) -> None:
        """Leave it at the log: pygls has written it there, and a defect of ours is no message to a user."""
