"""The languages that come with Dovetail, for tests: each is loaded once in a process, and keeps what it has found.

A test that counts work, or that is about loading, loads its own.
"""

from __future__ import annotations

from functools import cache

import dovetail


@cache
def shared_language(name: str, target: str | None = None) -> dovetail.Language:
    """Return a language at a version; None for the newest."""
    return dovetail.load_language(name, target=target)
