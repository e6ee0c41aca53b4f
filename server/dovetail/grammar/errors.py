"""The exception and the warning that the author of a grammar meets."""

from __future__ import annotations


class GrammarError(ValueError):
    """A grammar or lexical description is wrong; the message names the file, the place and the remedy."""


class GrammarWarning(UserWarning):
    """A grammar probably does not mean what it says; the message names the file, the place and the remedy."""
