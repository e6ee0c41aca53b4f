"""The limits of the sessions of one replica."""

from __future__ import annotations

from typing import NamedTuple

_MINUTE = 60.0


class SessionLimits(NamedTuple):
    """The share of a replica that its sessions may take; beyond that the one that was used longest ago is dropped.

    Its client then sends its documents again, so a limit costs time and no answer.
    """

    sessions: int = 256
    of_key: int = 16
    """Sessions of one key; a window of an editor has one."""
    characters: int = 64_000_000
    """Characters of the documents of all sessions."""
    characters_of_key: int = 16_000_000
    """Characters of the documents of one key's sessions."""
    idle: float = 30 * _MINUTE
    """Seconds after the last request."""
    documents: int = 64
    """Documents whose readings are kept, for all sessions; others are read anew."""
    candidates: int = 8
    """Texts for one request by hand."""
