"""The real server in a process of its own, with one more method: what it holds, for whoever checks it."""

from __future__ import annotations

import hashlib
import logging
from functools import partial
from typing import Any

from dovetail.completer.host.finder import HostFinder
from dovetail.completer.remote import RemoteCompleter
from dovetail.lsp.server import Server
from dovetail.lsp.transport import serve_streams

OBSERVE = "soak/observe"


def observe(server: Server, completer: RemoteCompleter, _params: object) -> dict[str, Any]:
    """Return the digests of all texts as the server has them, and the process that holds the model."""
    texts = {
        document.uri: hashlib.sha256(document.text.encode("utf-8", "surrogatepass")).hexdigest()
        for document in server.session.documents.all()
    }
    return {"texts": texts, "process": completer.process}


def main() -> None:
    """Serve one session over the standard streams."""
    logging.getLogger("pygls").setLevel(logging.ERROR)  # it does not know that documents are saved
    completer = RemoteCompleter(hosts=HostFinder())
    server = Server(completer, {})
    server.feature(OBSERVE)(partial(observe, server, completer))
    serve_streams(server.protocol)
    completer.abandon()
    server.session.end_work(1.0)


if __name__ == "__main__":
    main()
