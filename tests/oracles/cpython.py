"""The running interpreter's own verdict on a text."""

from __future__ import annotations

import ast
import sys
import warnings

TARGET = f"{sys.version_info.major}.{sys.version_info.minor}"
"""The version of the language that the running interpreter reads."""

LIMITS = (
    "too many nested",
    "too many levels of indentation",
    "parser stack overflow",
    "Exceeds the limit",
    "unknown Unicode character name",
    "null bytes",
    "too complex",
    "keyword argument repeated",
    "__debug__",
)
"""Words of errors that speak of the interpreter's own limits and tables, or (3.8) of what its compiler says later."""


def parses(text: str) -> bool | None:
    """Return whether `ast.parse` accepts the text; None where it gives up for another reason than syntax."""
    if text.endswith("\\\r\n"):
        # Where the text ends in `\r\n` the interpreter adds a line end, which hides the open continuation.
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except SyntaxError as error:
        return None if any(words in str(error) for words in LIMITS) else False
    except (ValueError, RecursionError, MemoryError):
        return None
    return True
