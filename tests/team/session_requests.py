"""Requests of sessions, as tests write them: the same document in few words."""

from __future__ import annotations

from typing import Any

from dovetail.completer.team.messages import DocumentChange, SessionRequest

LEFT, RIGHT = '{"sizes": [10, ', "]}\n"
URI = "file:///home/alice/sizes.json"
EAGER: dict[str, Any] = {"trigger": "eager", "min_characters": 1, "time_limit": 600.0}


def whole(number: int = 1, text: str = LEFT + RIGHT, uri: str = URI) -> DocumentChange:
    """Return a document that is sent whole."""
    return DocumentChange(uri, "json", number, None, number, ((0, 0, text),))


def edited(base: int, number: int, *edits: tuple[int, int, str], uri: str = URI) -> DocumentChange:
    """Return a document as edits of a text that the host has."""
    return DocumentChange(uri, "json", number, base, number, edits)


def completing(
    document: DocumentChange,
    *,
    session: str = "one",
    settings: dict[str, Any] | None = None,
    offset: int = len(LEFT),
) -> SessionRequest:
    """Return a request for a completion."""
    return SessionRequest(session, "complete", settings, document, offset)
