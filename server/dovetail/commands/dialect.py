"""The language of a file, in the version that a command asks for."""

from __future__ import annotations

import sys
from functools import cache
from typing import TYPE_CHECKING

import dovetail
from dovetail.commands.error import CommandError
from dovetail.grammar.errors import GrammarError
from dovetail.grammar.library import language_of, languages

if TYPE_CHECKING:
    from dovetail import Language


def name_dialect(path: str) -> str:
    """Return the name of a file's language; raise CommandError where none is known."""
    name = language_of(path)
    if name is None:
        raise CommandError(f"{path}: no language is known for this file name; known are {known_extensions()}.")
    return name


def known_extensions() -> str:
    """Return the file name extensions of all languages, for people to read."""
    return ", ".join(extension for extensions in languages().values() for extension in extensions)


@cache
def load_dialect(name: str, target: str | None) -> Language:
    """Return a language; Python without a target as the interpreter that runs this.

    A target is meant for Python only. Raises GrammarError for one that the grammar does not know.
    """
    if name != "python":
        return dovetail.load_language(name)
    if target is not None:
        return dovetail.load_language(name, target=target)
    try:
        return dovetail.load_language(name, target=f"{sys.version_info.major}.{sys.version_info.minor}")
    except GrammarError:
        # An interpreter older or newer than all that the grammar knows; the newest is the best guess.
        return dovetail.load_language(name)
