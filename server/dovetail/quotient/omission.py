"""A part of a text that a quotient leaves out."""

from __future__ import annotations

from typing import NamedTuple


class Omission(NamedTuple):
    """Text that was left out, by offsets in characters."""

    start: int
    end: int
    instead: str = ""
    """The text read in its place."""
    unread: bool = False
    """It may fit: it is left out until it has been read."""
