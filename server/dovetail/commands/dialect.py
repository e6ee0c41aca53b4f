"""The language of a file, in the version that a command asks for."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import dovetail
from dovetail.commands.error import CommandError
from dovetail.grammar.library import language_of, languages

if TYPE_CHECKING:
    from dovetail import Language

TARGET_HELP = (
    "the language's version (default: for Python that of the Python that runs Dovetail, for others the newest known)"
)
"""The help of the option that chooses the version of one file's language."""


def name_dialect(path: str) -> str:
    """Return the name of a file's language; raise CommandError if it is unknown."""
    name = language_of(path)
    if name is None:
        raise CommandError(f"{path}: no language is known for this file name; known are {known_extensions()}.")
    return name


def version_for(path: str, target: str | None) -> str | None:
    """Return the version to read a file in: the one asked for if its language has it, else that of its name.

    A name that tells its version needs none of another language, so a folder may hold files of several.
    """
    facts = languages()[name_dialect(path)]
    named = facts.version_of(path)
    return target if named is None or target in facts.versions else named


def known_extensions() -> str:
    """Return the file name extensions of all languages, for people to read."""
    return ", ".join(extension for facts in languages().values() for extension in facts.extensions)


@cache
def load_newest(name: str, target: str | None) -> Language:
    """Return a language for judging files: the default target is its newest version, as in the editors.

    Raises GrammarError for a target that the grammar does not know.
    """
    facts = languages()[name]
    return dovetail.load_language(name, target=target if facts.versions else None)


@cache
def load_dialect(name: str, target: str | None) -> Language:
    """Return a language; the default target is the version that runs here if it is known, else the newest.

    Raises GrammarError for a target that the grammar does not know. A language without versions takes every target,
    so that one command may be given files of several languages.
    """
    facts = languages()[name]
    return dovetail.load_language(name, target=(target or facts.default_target) if facts.versions else None)
