"""The language server: registers a handler for each method."""

from __future__ import annotations

from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from dovetail.lsp.methods.did_change import did_change
from dovetail.lsp.methods.did_change_configuration import did_change_configuration
from dovetail.lsp.methods.did_change_watched_files import did_change_watched_files
from dovetail.lsp.methods.did_change_workspace_folders import did_change_workspace_folders
from dovetail.lsp.methods.did_close import did_close
from dovetail.lsp.methods.did_open import did_open
from dovetail.lsp.methods.did_partially_accept_completion import did_partially_accept_completion
from dovetail.lsp.methods.did_save import did_save
from dovetail.lsp.methods.did_show_completion import did_show_completion
from dovetail.lsp.methods.execute_command import register_commands
from dovetail.lsp.methods.initialize import initialize
from dovetail.lsp.methods.initialized import initialized
from dovetail.lsp.methods.inline_completion import inline_completion
from dovetail.lsp.methods.shutdown import shutdown
from dovetail.lsp.protocol import DID_PARTIALLY_ACCEPT, DID_SHOW, Protocol
from dovetail.lsp.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from dovetail.completer.operations import Completer
    from dovetail.lsp.meter import Meter

_HANDLERS: dict[str, Callable[[Session, Any], None]] = {
    types.INITIALIZE: initialize,
    types.INITIALIZED: initialized,
    types.SHUTDOWN: shutdown,
    types.TEXT_DOCUMENT_DID_OPEN: did_open,
    types.TEXT_DOCUMENT_DID_CHANGE: did_change,
    types.TEXT_DOCUMENT_DID_SAVE: did_save,
    types.TEXT_DOCUMENT_DID_CLOSE: did_close,
    types.WORKSPACE_DID_CHANGE_CONFIGURATION: did_change_configuration,
    types.WORKSPACE_DID_CHANGE_WATCHED_FILES: did_change_watched_files,
    types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: did_change_workspace_folders,
    DID_SHOW: did_show_completion,
    DID_PARTIALLY_ACCEPT: did_partially_accept_completion,
}
"""Method → handler. `textDocument/completion` is added while the server runs, if the user turns it on."""


class Server(LanguageServer):
    """The server of one session with one client."""

    protocol: Protocol

    def __init__(self, completer: Completer, overrides: Mapping[str, object], meter: Meter | None = None) -> None:
        """Make a server whose session has not begun; `overrides` are settings from the command line."""
        super().__init__("dovetail", version("dovetail"), protocol_cls=Protocol)
        self.session = session = Session(completer, self, overrides, meter)
        self.protocol.session = session
        for method, handler in _HANDLERS.items():
            self.feature(method)(partial(handler, session))
        register_commands(session)
        # Without options pygls does not advertise the capability.
        self.feature(types.TEXT_DOCUMENT_INLINE_COMPLETION, types.InlineCompletionOptions())(
            partial(inline_completion, session)
        )

    def report_server_error(self, error: Exception, source: object) -> None:
        """Show nothing: pygls has logged the error, and a defect of the server needs no message to the user."""
