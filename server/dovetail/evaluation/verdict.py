"""The running interpreter's verdict on a text: what every experiment is judged by."""

from __future__ import annotations

import ast
import warnings

from dovetail.grammar import oracle
from dovetail.grammar.library import running_language

LANGUAGE = running_language()
"""The language of the experiments: its parser and its tokenizer are the interpreter's own."""

TARGET = LANGUAGE.default_target or LANGUAGE.versions[-1]
"""The version that gives the verdicts, and that completions are written for."""


def parse(text: str) -> ast.Module:
    """Return the tree of a text; raises what `ast.parse` raises, and what only warns, parses."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def verdict(text: str) -> bool | None:
    """Return whether the parser accepts a text; None where it gives up for another reason than its syntax."""
    assert LANGUAGE.oracle is not None
    return oracle.verdict(LANGUAGE.oracle, text).accepted
