"""The verdict of a language's real parser on a text."""

from __future__ import annotations

import importlib
import re
import warnings
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from dovetail.grammar.collector import collector_paused

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail.grammar.facts import Oracle


class Verdict(NamedTuple):
    """The answer of a parser to a text."""

    accepted: bool | None
    """None where the parser gave up for another reason than the text's syntax."""
    error: str = ""
    """The parser's message, empty if it accepted."""


def missing(oracle: Oracle) -> str | None:
    """Return the first `module:function` of an oracle that cannot be called here, or None.

    >>> from dovetail.grammar.facts import Oracle
    >>> missing(Oracle("json:loads")), missing(Oracle("no_such_module:parse"))
    (None, 'no_such_module:parse')
    """
    for call in (oracle.call, *oracle.callbacks.values()):
        try:
            _function(call)
        except (ImportError, AttributeError):
            return call
    return None


def verdict(oracle: Oracle, text: str) -> Verdict:
    """Return the verdict of a parser that is called in this process; what only warns is accepted.

    A parser that is not there (`missing`) decides nothing.

    >>> from dovetail.grammar.facts import Oracle
    >>> verdict(Oracle("json:loads"), "[1, 2]").accepted
    True
    """
    if missing(oracle) is not None:
        return Verdict(None, f"{oracle.call} is not installed")
    parse = _function(oracle.call)
    callbacks = {name: _function(call) for name, call in oracle.callbacks.items()}
    try:
        # A parser makes many objects, which are all thrown away together: no cycles are worth a search among them.
        with warnings.catch_warnings(), collector_paused():
            warnings.simplefilter("ignore")
            parse(text, **callbacks)
    except (RecursionError, MemoryError) as error:
        return Verdict(None, str(error) or "nested too deeply")
    except (SyntaxError, ValueError) as error:
        limited = any(words in str(error) for words in oracle.limits)
        place = f"line {error.lineno}: {error.msg}" if isinstance(error, SyntaxError) else str(error)
        return Verdict(None if limited else False, place)
    if oracle.undecided is not None and re.search(oracle.undecided, text):
        return Verdict(None)
    return Verdict(True)


def late_error(oracle: Oracle, text: str, *, cell: bool) -> Exception | None:
    """Return what the language's compiler raises for a text, warnings apart; None if it has nothing to say.

    `cell`: the text is a cell of a notebook. An error that is no SyntaxError is one of the compiler's own limits.
    """
    assert oracle.compiler is not None, "the language has a compiler"
    try:
        with warnings.catch_warnings(), collector_paused():
            warnings.simplefilter("ignore")
            _function(oracle.compiler)(text, cell=cell)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return error
    return None


@cache
def _function(call: str) -> Callable[..., object]:
    module, _, name = call.partition(":")
    function: Callable[..., object] = getattr(importlib.import_module(module), name)
    return function
