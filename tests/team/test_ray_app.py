"""The application on Ray Serve, as far as it needs no cluster; `make team-ray` tries the whole."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from dovetail.team.routing import preferred
from dovetail.team.team import Sender

pytest.importorskip("ray", reason="Ray has an environment of its own")


def test_the_router_keeps_documents() -> None:
    """Replicas come in the document's order, whatever order Ray names them in, and each is tried."""
    from dovetail.team.ray_app import DocumentRouter

    names = ["a", "b", "c"]
    sender = Sender("key", "document")
    request = SimpleNamespace(args=[None, sender], routing_context=SimpleNamespace(should_backoff=False))
    replicas = [SimpleNamespace(replica_id=SimpleNamespace(unique_id=name)) for name in names]
    router: Any = DocumentRouter  # Ray makes one with a handle to its controller; the choice needs none
    orders: list[list[Any]] = [
        asyncio.run(router.choose_replicas(None, each, request)) for each in (replicas, replicas[::-1])
    ]

    for order in orders:
        assert [[each.replica_id.unique_id for each in rank] for rank in order] == [
            [name] for name in preferred("document", names)
        ]
