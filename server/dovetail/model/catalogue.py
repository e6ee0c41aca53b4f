"""The models that `dovetail models` offers, by the names under which settings may give them."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

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
