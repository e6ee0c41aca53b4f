"""The protocol: pygls's, without its documents, and with exactly one answer for every request, even a wrong one."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any, NoReturn

from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidRequest,
    JsonRpcMethodNotFound,
    JsonRpcParseError,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol
from pygls.protocol.json_rpc import JsonRPCNotification

if TYPE_CHECKING:
    from dovetail.lsp.session import Session

logger = logging.getLogger(__name__)

DID_SHOW = "textDocument/didShowCompletion"
DID_PARTIALLY_ACCEPT = "textDocument/didPartiallyAcceptCompletion"
"""Methods beyond the Language Server Protocol; names and forms are those of Copilot's language server."""

_DOCUMENT_METHODS = (
    types.TEXT_DOCUMENT_DID_OPEN,
    types.TEXT_DOCUMENT_DID_CHANGE,
    types.TEXT_DOCUMENT_DID_CLOSE,
)


class PendingRequests(dict[Any, Any]):
    """The requests that are being answered, by their ids; one may be answered while all are gone through.

    At `shutdown` pygls cancels them in a loop over `items`, and the answer to each that is cancelled takes it out.
    """

    def items(self) -> Any:
        """Return the ids and their requests as they are now."""
        return tuple(super().items())


class Protocol(LanguageServerProtocol):
    """Carries messages; the documents are ours (`documents.py`)."""

    session: Session
    """Set before the first message."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._request_futures = PendingRequests()
        # The built-in handlers of pygls run before registered ones; after this, ours are the only ones.
        for method in _DOCUMENT_METHODS:
            del self.fm.builtin_features[method]

    def receive(self, body: bytes) -> None:
        """Handle one message of any content: a request gets exactly one answer, and nothing is raised."""
        try:
            message = json.loads(body.decode(), parse_constant=_refuse_constant)
        except (ValueError, RecursionError):
            self.lose("a message is not JSON in UTF-8", JsonRpcParseError.CODE)
            return
        if not isinstance(message, dict) or message.get("jsonrpc") != self.VERSION:
            # This refuses batches too, which the Language Server Protocol does not have.
            self.lose("a message is not an object of JSON-RPC 2.0")
            return
        method, number = message.get("method"), message.get("id")
        if number is not None and (isinstance(number, bool) or not isinstance(number, int | str)):
            self.lose("the id of a message is neither a number nor a text")
        elif "method" not in message:
            self._take_answer(message)
        elif not isinstance(method, str):
            self._refuse(number, JsonRpcInvalidRequest.CODE, "The method of a message is not a text.")
        elif method == types.EXIT:
            self.session.left()
        elif "id" in message:
            self._take_request(message, method, number)
        else:
            self._take_notification(message, method)

    def lose(self, reason: str, code: int = JsonRpcInvalidRequest.CODE) -> None:
        """Answer a message that cannot be read with an error; `reason` is a clause.

        The message may have been a change of any document, so all documents are doubtful until they are sent again.
        """
        logger.warning("A message was lost: %s.", reason)
        self.session.documents.doubt()
        self._refuse(None, code, f"A message was lost: {reason}.")

    def _take_request(self, message: dict[str, Any], method: str, number: int | str | None) -> None:
        if self._shutdown:
            self._refuse(number, JsonRpcInvalidRequest.CODE, "The server was shut down: only `exit` may follow.")
        elif method == types.INITIALIZE and self._workspace is not None:
            self._refuse(number, JsonRpcInvalidRequest.CODE, "The session has begun already: send `initialize` once.")
        elif method != types.INITIALIZE and self._workspace is None:
            self._refuse(
                number, JsonRpcServerNotInitialized.CODE, "The session has not begun: send `initialize` first."
            )
        elif not self._is_known(method) or self._is_notification(method):
            self._refuse(number, JsonRpcMethodNotFound.CODE, f"There is no method {method}.")
        else:
            try:
                value = self.structure_message(message)
            except JsonRpcException as error:
                self._refuse(number, error.code, f"The parameters of {method} do not have its form.")
            else:
                self.handle_message(value)

    def _take_notification(self, message: dict[str, Any], method: str) -> None:
        if self._shutdown or self._workspace is None or not self._is_known(method):
            return  # as the protocol says
        if method in (DID_SHOW, DID_PARTIALLY_ACCEPT):
            # pygls would turn the parameters of unknown methods into objects with attributes.
            self.handle_message(JsonRPCNotification(method, self.VERSION, message.get("params")))
            return
        try:
            value = self.structure_message(message)
        except JsonRpcException:
            logger.warning("A notification %s was lost: its parameters do not have its form.", method)
            if method in _DOCUMENT_METHODS:
                self.session.documents.doubt(_address(message))
            return
        self.handle_message(value)

    def _take_answer(self, message: dict[str, Any]) -> None:
        """Handle the answer to a request of the server; ignore an answer to no request."""
        number = message.get("id")
        if number not in self._result_types:
            logger.warning("An answer was ignored, because no request has its id.")
            return
        try:
            value = self.structure_message(message)
        except JsonRpcException:
            # The waiting caller gets this error.
            lost = types.ResponseError(JsonRpcParseError.CODE, "The answer does not have the form of its question.")
            self._handle_response(number, None, lost)
        else:
            self.handle_message(value)
        self._result_types.pop(number, None)

    def _is_known(self, method: str) -> bool:
        """Return whether a method has a handler."""
        return method in self.fm.builtin_features or method in self.fm.features or method == types.CANCEL_REQUEST

    def _is_notification(self, method: str) -> bool:
        """Return whether a method is a notification in the protocol, so that pygls would not answer a request of it."""
        kind = self.get_message_type(method)
        return kind is not None and not hasattr(kind, "id")

    def _refuse(self, number: int | str | None, code: int, sentence: str) -> None:
        # Sent as a plain mapping, because pygls leaves out an id that is null.
        self._send_data({"jsonrpc": self.VERSION, "id": number, "error": {"code": code, "message": sentence}})


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _address(message: dict[str, Any]) -> str | None:
    """Return the address of the document in a message, or None if it has none."""
    found: Any = message
    for key in ("params", "textDocument", "uri"):
        found = found.get(key) if isinstance(found, dict) else None
    return found if isinstance(found, str) else None
