"""Mistakes on the command line."""

from __future__ import annotations


class CommandError(Exception):
    """A command that cannot be carried out; the message is one sentence with the place and the remedy."""
