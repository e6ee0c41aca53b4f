"""The language of a file, in the version that a command asks for."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import dovetail
from dovetail.commands.error import CommandError
from dovetail.grammar.library import language_of, languages

if TYPE_CHECKING:
    from dovetail import Language

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
    return dovetail.load_language(name, target=target if facts.versions else None)
