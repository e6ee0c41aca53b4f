"""The verdict on a whole text, from its language's own parser where one is at hand."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dovetail.grammar.library import languages
from dovetail.grammar.oracle import missing, verdict

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail.engine.language import Language


@dataclass(frozen=True, slots=True)
class Judgement:
    """A parser's verdict on a text."""

    parser: str
    """The parser's name, for people to read."""
    accepted: bool
    error: str = ""
    """The parser's objection; empty if it accepted."""
    broken_before: bool = False
    """True if the file has a part that fits nothing, whatever is inserted."""


def objection(language: Language, text: str) -> str | None:
    """Return where a text stops being a program of a language, and why; None for a program."""
    return None if language.accepts(text) else str(language.errors(text, 1)[0])


def judge(name: str, text: str, objection: Callable[[str], str | None], version: str | None = None) -> Judgement:
    """Return the verdict of a language's own parser, or Dovetail's (`objection`) where none is at hand.

    A parser of another `version` than the text is written for may refuse what is right there: Dovetail decides then.
    """
    facts = languages().get(name)
    own = f"Dovetail's own parser for {name if facts is None else facts.title}"
    if facts is None or facts.oracle is None or missing(facts.oracle) is not None:
        said = objection(text)
        return Judgement(own, said is None, said or "")
    parser = facts.oracle.call.replace(":", ".")
    if facts.is_running:
        parser += f" of {facts.title} {platform.python_version()}"
    accepted, error = verdict(facts.oracle, text)
    if accepted is not True and version not in (None, facts.default_target) and objection(text) is None:
        return Judgement(f"{own} {version}", True)
    return Judgement(parser, accepted is True, error)
