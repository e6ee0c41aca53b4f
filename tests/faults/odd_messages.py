"""The codes of errors, and a check that a session still serves, for tests with odd messages."""

from __future__ import annotations

import asyncio

from tests.lsp.client import Client, items

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
NOT_INITIALIZED, CANCELLED = -32002, -32800

PATIENCE = 120


async def assert_serves(client: Client, number: int = 999) -> None:
    """Assert that a request is answered as ever, in a document that is opened for it."""
    client.open("y = ")
    assert len(items(await asyncio.wait_for(client.complete(number, 0, 4), PATIENCE))) == 1
