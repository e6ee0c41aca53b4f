"""The status that a server tells, and a wait for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.lsp.client import Client


STATUS = "didChangeStatus"


async def last_status(client: Client, kind: str, *, busy: bool = False) -> dict[str, Any]:
    """Wait until the server tells a status of this kind, and return it."""
    count = 1
    while True:
        heard = await client.hear(STATUS, count)
        if (heard[-1]["kind"], heard[-1]["busy"]) == (kind, busy):
            found: dict[str, Any] = heard[-1]
            return found
        count = len(heard) + 1
