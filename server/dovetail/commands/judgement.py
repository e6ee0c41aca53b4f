"""What a language's own parser, the one that its users run, says about a text."""

from __future__ import annotations

import ast
import json
import platform
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether a parser accepts a text."""

    parser: str
    """The parser's name, for people to read."""
    accepted: bool
    error: str = ""
    """What the parser did not like; empty if it accepted."""


def judge(language: str, text: str, accepts: Callable[[str], bool]) -> Judgement:
    """Return what a language's own parser says, or Dovetail's, `accepts`, where there is none at hand."""
    if language == "python":
        return _python(text)
    if language == "json":
        return _json(text)
    return Judgement(f"Dovetail's own parser for {language}", accepts(text))


def _python(text: str) -> Judgement:
    parser = f"ast.parse of Python {platform.python_version()}"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what only warns, parses
            ast.parse(text)
    except SyntaxError as error:
        return Judgement(parser, False, f"line {error.lineno}: {error.msg}")
    except (MemoryError, RecursionError, ValueError) as error:
        return Judgement(parser, False, str(error) or "nested too deeply")
    return Judgement(parser, True)


def _json(text: str) -> Judgement:
    def refuse(constant: str) -> object:
        raise ValueError(f"{constant} is not JSON")

    try:
        json.loads(text, parse_constant=refuse)
    except (RecursionError, ValueError) as error:
        return Judgement("json.loads", False, str(error))
    return Judgement("json.loads", True)
