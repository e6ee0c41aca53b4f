"""The one exception that a grammar's author meets."""

from __future__ import annotations


class GrammarError(ValueError):
    """A grammar or lexical description is wrong; the message names the file, the place and the remedy."""
