"""What a user of the command line did wrong."""

from __future__ import annotations


class CommandError(Exception):
    """A command that cannot be carried out; the message is one sentence with the place and the remedy."""
