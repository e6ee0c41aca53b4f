"""The models that `dovetail models` offers, by the names under which settings may give them."""

from __future__ import annotations

import difflib
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_FILE = Path(__file__).with_name("catalogue.toml")

_GIGABYTE = 10**9


@dataclass(frozen=True, slots=True)
class OfferedModel:
    """A model that can be fetched."""

    name: str
    """The name in commands and settings."""
    title: str
    """The name that its authors gave it."""
    repository: str
    """The place on the hub: `owner/name`."""
    file: str
    gigabytes: float
    """The size of the file, rounded; 10⁹ bytes each."""
    licence: str
    languages: str
    reason: str
    """The reason to choose it."""

    @property
    def size(self) -> int:
        """The size of the file in bytes, rounded."""
        return round(self.gigabytes * _GIGABYTE)


@cache
def catalogue() -> Mapping[str, OfferedModel]:
    """Return all models that are offered, by name, in the order of the file."""
    entries = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return MappingProxyType({name: OfferedModel(name, **entry) for name, entry in entries.items()})


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that was probably meant: one that begins with what was written, else the likest, else None.

    >>> nearest("qwen", ["embedded", "qwen2.5"]), nearest("embeded", ["embedded"]), nearest("gpt", ["embedded"])
    ('qwen2.5', 'embedded', None)
    """
    names = list(known)
    begun = [each for each in names if each.startswith(name.lower())]
    return next(iter(begun or difflib.get_close_matches(name, names, n=1)), None)
