"""Omission: a part of a text that a quotient leaves out."""

from __future__ import annotations

from typing import NamedTuple


class Omission(NamedTuple):
    """A part of a text that was left out, by offsets in characters."""

    start: int
    end: int
    instead: str = ""
    """The placeholder that was read in its place; empty for none."""
    unread: bool = False
    """Whether the part was left out only because it has not been read yet."""


class OmittedHeader(Omission):
    """A part that was left out for the cursor's line, which is not deeper than the header right above it."""

    __slots__ = ()
