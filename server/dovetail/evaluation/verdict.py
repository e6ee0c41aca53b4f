"""The running interpreter's verdict on a text: what every experiment is judged by."""

from __future__ import annotations

import ast
import sys
import warnings

TARGET = f"{sys.version_info.major}.{sys.version_info.minor}"
"""The version of Python that gives the verdicts, and that completions are written for."""

_LIMITS = (
    "too many nested",
    "too many levels of indentation",
    "parser stack overflow",
    "Exceeds the limit",
    "unknown Unicode character name",
    "null bytes",
    "too complex",
)
"""Words of errors that speak of the interpreter's own limits and tables, not of its language."""


def parse(text: str) -> ast.Module:
    """Return the tree of a text; raises what `ast.parse` raises, and what only warns, parses."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def verdict(text: str) -> bool | None:
    """Return whether `ast.parse` accepts a text; None where it gives up for another reason than its syntax."""
    try:
        parse(text)
    except SyntaxError as error:
        return None if any(words in str(error) for words in _LIMITS) else False
    except (ValueError, RecursionError, MemoryError):
        return None
    # Where a text ends in `\r\n` the interpreter adds a line end, which hides an open continuation.
    return None if text.endswith("\\\r\n") else True
