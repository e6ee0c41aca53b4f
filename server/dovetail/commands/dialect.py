"""The language of a file, in the version that a command asks for."""

from __future__ import annotations

import sys
from functools import cache
from threading import Timer
from typing import TYPE_CHECKING

from rich.console import Console

import dovetail
from dovetail.commands.error import CommandError
from dovetail.grammar.library import language_of, languages

if TYPE_CHECKING:
    from dovetail import Language

_SOON = 1.0
"""Seconds after which is said that a language is being prepared."""
TARGET_HELP = "the language's version (default: what pyproject.toml says, else the newest that is known)"
"""The help of the option that chooses the version of one file's language."""


def name_dialect(path: str) -> str:
    """Return the name of a file's language; raise CommandError if it is unknown."""
    name = language_of(path)
    if name is None:
        raise CommandError(f"{path}: no language is known for this file name; known are {known_extensions()}.")
    return name


def known_extensions() -> str:
    """Return the file name extensions of all languages, for people to read."""
    return ", ".join(extension for facts in languages().values() for extension in facts.extensions)


@cache
def load_newest(name: str, target: str | None) -> Language:
    """Return a language; the default target is its newest version, as in the editors.

    Raises GrammarError for a target that the grammar does not know.
    """
    facts = languages()[name]
    # Only a person waits for it in sight: the first time it takes seconds.
    said = Timer(_SOON, Console(stderr=True).print, [f"Preparing {facts.title}, once …"])
    if sys.stderr.isatty():
        said.start()
    try:
        return dovetail.load_language(name, target=target if facts.versions else None)
    finally:
        said.cancel()
