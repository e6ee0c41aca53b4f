"""The languages that come with Dovetail, for tests: each is loaded once in a process, and keeps what it has found.

A test that counts work, or that is about loading, loads its own.
"""

from __future__ import annotations

from functools import cache

import dovetail
from dovetail.grammar.library import facts_of


def shared_language(name: str, target: str | None = None) -> dovetail.Language:
    """Return a language at a version; None for the newest, which is the same under its name."""
    return _loaded(name, None if facts_of(name).versions[-1:] == (target,) else target)


@cache
def _loaded(name: str, target: str | None) -> dovetail.Language:
    return dovetail.load_language(name, target=target)
