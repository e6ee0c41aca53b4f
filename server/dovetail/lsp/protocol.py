"""The transport: pygls's protocol, without its own documents and with an answer for every request."""

from __future__ import annotations

from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol
from pygls.protocol.json_rpc import JsonRPCNotification

from dovetail.lsp.accepting import DID_PARTIALLY_ACCEPT, DID_SHOW

_DOCUMENT_METHODS = (
    types.TEXT_DOCUMENT_DID_OPEN,
    types.TEXT_DOCUMENT_DID_CHANGE,
    types.TEXT_DOCUMENT_DID_CLOSE,
)

_REFUSED = "$/dovetail/refused"
"""Stands for a request that was answered while it was read; pygls passes over unknown `$/` methods."""


class Protocol(LanguageServerProtocol):
    """Carries messages; the documents are ours (`documents.py`)."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        # A handler of pygls's own runs before one that is registered; without it, ours is the only one.
        for method in _DOCUMENT_METHODS:
            del self.fm.builtin_features[method]

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Return a message as a value; a request that cannot be read is answered with an error here.

        pygls would drop it without an answer, and the client would wait for ever. So would whoever asked the client
        something and cannot read what it answers.
        """
        if "jsonrpc" in data and "id" not in data and data.get("method") in (DID_SHOW, DID_PARTIALLY_ACCEPT):
            # What the protocol does not know pygls would make attributes of.
            return JsonRPCNotification(data["method"], data["jsonrpc"], data.get("params"))
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "id" not in data:
                raise
            if "method" in data:
                complaint = f"The parameters of {data['method']} do not have its form."
                self._send_response(data["id"], error=types.ResponseError(error.code, complaint))
            else:
                complaint = "The answer does not have the form of its question."
                self._handle_response(data["id"], None, types.ResponseError(error.code, complaint))
            return JsonRPCNotification(method=_REFUSED, jsonrpc=self.VERSION, params=None)
