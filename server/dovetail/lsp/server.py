"""The language server: what it keeps, and which method is answered where."""

from __future__ import annotations

from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from dovetail.lsp.did_change import did_change
from dovetail.lsp.did_close import did_close
from dovetail.lsp.did_open import did_open
from dovetail.lsp.documents import Documents
from dovetail.lsp.initialize import initialize
from dovetail.lsp.initialized import initialized
from dovetail.lsp.inline_completion import inline_completion
from dovetail.lsp.protocol import Protocol
from dovetail.lsp.shutdown import shutdown
from dovetail.lsp.worker import Worker

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Mapping

    from dovetail.lsp.completer import Completer
    from dovetail.settings import Settings


class Server(LanguageServer):
    """One session with one client."""

    def __init__(
        self, make_completer: Callable[[Settings], Completer], overrides: Mapping[str, object]
    ) -> None:
        """Make a server that has not begun; `overrides` are the settings that the command line fixes."""
        super().__init__("dovetail", version("dovetail"), protocol_cls=Protocol)
        self.documents = Documents()
        self.worker = Worker()
        self.make_completer = make_completer
        self.overrides = overrides
        self.completer: Completer | None = None
        """Makes the completions; there from `initialize` on."""
        self.loading: asyncio.Task[None] | None = None
        """Waits for the model; kept, because the event loop alone would let it be collected."""
        self.shut_down = False
        """Whether the client ended the session in order."""
        self.feature(types.INITIALIZE)(partial(initialize, self))
        self.feature(types.INITIALIZED)(partial(initialized, self))
        self.feature(types.SHUTDOWN)(partial(shutdown, self))
        self.feature(types.TEXT_DOCUMENT_DID_OPEN)(partial(did_open, self))
        self.feature(types.TEXT_DOCUMENT_DID_CHANGE)(partial(did_change, self))
        self.feature(types.TEXT_DOCUMENT_DID_CLOSE)(partial(did_close, self))
        # Without options pygls does not advertise the capability.
        self.feature(types.TEXT_DOCUMENT_INLINE_COMPLETION, types.InlineCompletionOptions())(
            partial(inline_completion, self)
        )

    def show(self, kind: types.MessageType, sentence: str) -> None:
        """Show the user one sentence."""
        self.window_show_message(types.ShowMessageParams(kind, sentence))

    def report_server_error(self, error: Exception, source: object) -> None:
        """Leave it at the log: pygls has written it there, and a defect of ours is no message to a user."""
