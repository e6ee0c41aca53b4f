"""The language of a file, in the version that a command asks for."""

from __future__ import annotations

import codecs
import re
import stat
from functools import cache
from threading import Timer
from typing import TYPE_CHECKING

from rich.console import Console

import dovetail
from dovetail.commands.error import CommandError
from dovetail.commands.notebook import is_notebook
from dovetail.grammar.library import facts_of, is_prepared_elsewhere, language_of, language_run, languages

if TYPE_CHECKING:
    from pathlib import Path

    from dovetail import Language

_SOON = 1.0
"""Seconds after which is said that a language is being prepared."""
_said: set[str] = set()
"""The titles of the languages of which it was said."""
_LONGEST = 256
"""The most characters of a first line that are looked at, as systems do that start scripts."""
TARGET_HELP = "the language's version (default: what pyproject.toml says, else the newest that is known)"
"""The help of the option that chooses the version of one file's language."""


def name_dialect(path: str, beginning: str = "") -> str:
    """Return the name of a file's language, by the file's name or else by the program that its first line names.

    `beginning`: as much of its text as is known. Raises CommandError if the language is unknown.
    """
    name = language_of(path)
    if name is not None:
        return name
    run = language_run(_first_line(beginning))
    if run is not None:
        return run[0]
    if is_notebook(path):
        raise CommandError(f"{path}: only `dovetail check`, and editors, read notebooks; name a file of code.")
    raise CommandError(f"{path}: no language is known for this file name; known are {known_extensions()}.")


def version_named(path: str, beginning: str) -> str | None:
    """Return the version that a file's name tells, or else the program that its first line names; or None."""
    name = language_of(path)
    if name is not None:
        return languages()[name].version_of(path)
    run = language_run(_first_line(beginning))
    return None if run is None else run[1]


def beginning_of(path: Path) -> str:
    """Return the beginning of a file if its name tells no language, as far as it can be read; else an empty text."""
    if language_of(str(path)) is not None:
        return ""
    try:
        # Reading would take what is in a pipe from those who read it after this.
        if not stat.S_ISREG(path.stat().st_mode):
            return ""
        with path.open("rb") as file:
            return file.read(_LONGEST).removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace")
    except (OSError, ValueError):
        return ""


def _first_line(beginning: str) -> str:
    return re.split("[\r\n]", beginning[:_LONGEST], maxsplit=1)[0]


def known_extensions() -> str:
    """Return the file name extensions of all languages, for people to read."""
    return ", ".join(extension for facts in languages().values() for extension in facts.extensions)


@cache
def load_newest(name: str, target: str | None) -> Language:
    """Return a language; the default target is its newest version, as in the editors.

    Raises GrammarError for a target that the grammar does not know.
    """
    facts = facts_of(name)
    target = target if facts.versions else None

    def say() -> None:
        # It is said once, by the process that does it, and modules of a language are no other one for its users.
        if facts.title not in _said and not is_prepared_elsewhere(name, target):
            _said.add(facts.title)
            Console(stderr=True).print(f"Preparing {facts.title}, once …")

    # The first time it takes seconds: who waits for it is told, also through a pipe, as what is read stands on stdout.
    said = Timer(_SOON, say)
    said.start()
    try:
        return dovetail.load_language(name, target=target)
    finally:
        said.cancel()
        said.join()  # Other processes may be copies of this one only while it has no other thread (`checking.py`).
