"""A folder of collected packages: each in a folder of its own, and an index that says what they are.

The index, `packages.json`, has two lists: `packages`, each with `folder`, `name`, `version`, `language` and `licence`,
and `refused`, names of packages whose licence is not permissive. Folders are relative to that of the index, with
forward slashes. `python -m tests.collection` writes it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dovetail.model.error import ModelError

if TYPE_CHECKING:
    from pathlib import Path

INDEX = "packages.json"

SUFFIXES = {
    "python": (".py",),
    "javascript": (".js", ".mjs", ".cjs", ".jsx"),
    "typescript": (".ts", ".mts", ".cts", ".tsx"),
    "go": (".go",),
    "lua": (".lua",),
}
"""Language → the ends of its files' names."""


@dataclass(frozen=True, slots=True)
class Collected:
    """One package of a collection."""

    name: str
    version: str
    language: str
    licence: str
    files: tuple[tuple[str, Path], ...]
    """Names below the package's folder, with forward slashes, and where they lie."""


def is_collection(folder: Path) -> bool:
    """Return whether a folder has an index of packages."""
    return (folder / INDEX).is_file()


def read_collection(folder: Path) -> tuple[list[Collected], list[str]]:
    """Return the packages of a collection and the names of refused ones; raise `ModelError` if it is damaged."""
    try:
        index = json.loads((folder / INDEX).read_text(encoding="utf-8"))
        packages = [
            Collected(
                entry["name"],
                entry["version"],
                entry["language"],
                entry["licence"],
                _files(folder / entry["folder"], SUFFIXES[entry["language"]]),
            )
            for entry in index["packages"]
        ]
        refused = [str(name) for name in index["refused"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError(f"{folder / INDEX} is no index of packages ({error!r}): collect them again.") from error
    return packages, refused


def language_of(name: str) -> str:
    """Return the language of a file by its name; Python where no other is known."""
    return next((language for language, suffixes in SUFFIXES.items() if name.endswith(suffixes)), "python")


def _files(folder: Path, suffixes: tuple[str, ...]) -> tuple[tuple[str, Path], ...]:
    paths = sorted(path for path in folder.rglob("*") if path.name.endswith(suffixes))
    return tuple((path.relative_to(folder).as_posix(), path) for path in paths)
