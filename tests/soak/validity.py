"""The check that a suggestion is what was promised, judged by the parsers of CPython."""

from __future__ import annotations

import ast
import json
import sys
import warnings
from functools import cache

from tests.fuzz.broken import kept

import dovetail

TARGET = f"{sys.version_info.major}.{sys.version_info.minor}"


@cache
def language(name: str) -> dovetail.Language:
    """Return a language, Python as the running interpreter reads it."""
    return dovetail.load_language(name, target=TARGET if name == "python" else None)


def parses(name: str, text: str) -> bool:
    """Return what the interpreter says of a whole text."""
    try:
        if name == "json":
            json.loads(text)
        else:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def fault_of(name: str, left: str, text: str, right: str) -> str | None:
    """Return what is wrong with a suggestion, or None.

    Where something fits both sides as they are, the whole has to parse. Where nothing does, what is left of them,
    read anew, has to parse with it.
    """
    if parses(name, left + text + right):
        return None
    if language(name).quotient(left, right, tolerant=False).viable:
        return "the document was intact, and with the suggestion it does not parse"
    quotient = language(name).quotient(left, right)
    state = quotient.start.advance(text)
    if state is None or not state.accepting:
        return "the suggestion does not fit what is kept of the document"
    before, after = kept(quotient, left, right)
    return None if parses(name, before + text + after) else "with what is kept of the document it does not parse"
