"""A session with a server that has a scripted completer."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from tests.lsp.client import Client, session
from tests.lsp.scripted_completer import ScriptedCompleter

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator


@pytest.fixture(name="completer")
def _completer() -> Iterator[ScriptedCompleter]:
    completer = ScriptedCompleter()
    yield completer
    completer.held = False
    completer.loading.set()
    completer.preparing.set()
    completer.others.set()


@pytest.fixture(name="client")
async def _client(completer: ScriptedCompleter) -> AsyncIterator[Client]:
    client = session(completer)
    yield client
    assert await asyncio.to_thread(client.server.session.end_work, 10)
