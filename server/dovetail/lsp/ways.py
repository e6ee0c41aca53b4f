"""The ways to mend a model in the words of an editor, which take the place of the commands of a terminal.

A client names its own among its experimental capabilities, as `ways`: `models` where models are listed and chosen,
`packages` where the packages that some models need are installed, and `key` how the key of a team's host is set. Each
is put into a sentence as it stands.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.completer.team.address import TEAM_KEY_VARIABLE
from dovetail.model.remedies import LIST, installation

if TYPE_CHECKING:
    from collections.abc import Mapping

WAYS = "ways"
"""The name of the client's capability."""

_MODELS = re.compile(re.escape(LIST[:-1]) + r"(?: get [^`]*)?`")
_PACKAGES = re.compile(re.escape(installation()[:-1]) + "[^`]*`")
_KEY = re.compile(f"set {TEAM_KEY_VARIABLE} to (?:one that it knows|the address, a blank and the key)")


def read_ways(experimental: Mapping[str, object]) -> Mapping[str, str]:
    """Return the ways of a client, by name; none for a client that names none."""
    written = experimental.get(WAYS)
    return {name: way for name, way in written.items() if isinstance(way, str)} if isinstance(written, dict) else {}


def in_words_of(ways: Mapping[str, str], sentence: str) -> str:
    """Return a sentence with a client's ways in the place of commands.

    >>> in_words_of({"models": "*Choose a Model*"}, "There is no model x; `dovetail models` lists them.")
    'There is no model x; *Choose a Model* lists them.'
    >>> in_words_of({"key": "run *Set the Key*"}, "No key: set DOVETAIL_TEAM_KEY to one that it knows.")
    'No key: run *Set the Key*.'
    """
    for name, command in (("models", _MODELS), ("packages", _PACKAGES), ("key", _KEY)):
        if name in ways:
            sentence = command.sub(ways[name].replace("\\", r"\\"), sentence)
    return sentence
