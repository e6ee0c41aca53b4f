"""Cases in files: the folder says whether they are programs, a first line for which versions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_FOLDER = Path(__file__).resolve().parents[1] / "cases"
_VERSION = r"[a-z]+|\d+\.\d+"
_HEADER = re.compile(rf"(?:#|--|//) versions: (?P<first>{_VERSION})(?P<dash>-)?(?P<last>{_VERSION})?\n")


@dataclass(frozen=True)
class Case:
    """A text, and for which versions of its language the verdict holds."""

    name: str
    text: str
    valid: bool
    first: str | None
    """The oldest version; None: every version up to `last`."""
    last: str | None
    """The newest version; None: every version from `first` on."""

    def among(self, versions: Sequence[str]) -> list[str]:
        """Return those of the versions, oldest first, for which the case holds."""
        start = 0 if self.first is None else versions.index(self.first)
        end = len(versions) if self.last is None else versions.index(self.last) + 1
        return list(versions[start:end])


def read_cases(language: str) -> list[Case]:
    """Return all cases of a language, in order of their names."""
    paths = sorted((_FOLDER / language).glob("*valid/*"))
    assert paths, f"no cases of {language}"
    return [_read(path) for path in paths]


def _read(path: Path) -> Case:
    text = path.read_bytes().decode()
    header = _HEADER.match(text)
    first, last = (header["first"], header["last"]) if header else (None, None)
    if header and not header["dash"]:
        last = first
    return Case(f"{path.parent.name}-{path.stem}", text, path.parent.name == "valid", first, last)
