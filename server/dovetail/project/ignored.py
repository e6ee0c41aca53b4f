"""The files that a search passes over: dependencies, those of `.gitignore`, and those that the user excludes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from pathspec import GitIgnoreSpec

if TYPE_CHECKING:
    from collections.abc import Iterable

_DEPENDENCIES = frozenset({"node_modules", "__pycache__", "site-packages"})
"""Folders that hold what a project uses, not what it is."""

_ENVIRONMENT = "pyvenv.cfg"
"""The file that every virtual environment has at its top (PEP 405)."""


RULES = ".gitignore"
"""The name of the files with rules."""


class Ignored:
    """The files that a search from one folder passes over."""

    def __init__(
        self,
        folder: Path,
        excluded: Iterable[str] = (),
        *,
        gitignore: bool = True,
        above: tuple[Path, Iterable[str]] | None = None,
    ) -> None:
        """Begin a search in a folder.

        `excluded`: patterns as `.gitignore` has them, for paths below the folder. `above`: the whole path of a folder
        above the first, or of the first itself, and patterns for paths below it. `gitignore`: whether the files of that
        name count, those of the folders above up to the repository's top included. Raises ValueError for a pattern that
        means nothing.
        """
        self._gitignore = gitignore
        self._excluded = _patterns(excluded)
        self._folder = folder
        self._above = None if above is None else (above[0], _patterns(above[1]))
        self._specs: dict[Path, GitIgnoreSpec | None] = {}
        self._repository = _repository(whole_path(folder))

    def skips_folder(self, path: Path) -> bool:
        """Return whether a folder below the first is passed over with all that is in it."""
        name = path.name
        if name.startswith(".") or name in _DEPENDENCIES or (path / _ENVIRONMENT).exists():
            return True
        return self._is_named(path, "/")

    def skips_file(self, path: Path) -> bool:
        """Return whether a file below the first folder is passed over."""
        return path.name.startswith(".") or self._is_named(path, "")

    def _is_named(self, path: Path, ending: str) -> bool:
        if self._excluded.match_file(path.relative_to(self._folder).as_posix() + ending):
            return True
        absolute = whole_path(path)
        if self._above is not None:
            folder, patterns = self._above
            if patterns.match_file(absolute.relative_to(folder).as_posix() + ending):
                return True
        if not self._gitignore:
            return False
        # The nearest file with an opinion decides, as in git.
        for parent in absolute.parents:
            spec = self._spec(parent)
            if spec is not None:
                verdict = spec.check_file(absolute.relative_to(parent).as_posix() + ending).include
                if verdict is not None:
                    return verdict
            if parent == self._repository:
                break
        return False

    def _spec(self, folder: Path) -> GitIgnoreSpec | None:
        if folder not in self._specs:
            try:
                lines = (folder / RULES).read_text(encoding="utf-8", errors="replace").splitlines()
                self._specs[folder] = _patterns(lines)
            except (OSError, ValueError):
                self._specs[folder] = None  # None there, or none that git would read either.
        return self._specs[folder]


def whole_path(path: Path) -> Path:
    """Return the path from the root, without `..`, so that what is above it can be told."""
    return Path(os.path.normpath(path.absolute()))


def _repository(folder: Path) -> Path:
    """Return the top folder of the repository that a folder is in, or the folder itself."""
    return next((parent for parent in (folder, *folder.parents) if (parent / ".git").exists()), folder)


def _patterns(lines: Iterable[str]) -> GitIgnoreSpec:
    """Return patterns to match; raises ValueError for one that means nothing."""
    # All that is in a folder, but not the folder: the library takes the folder's own slash for something in it.
    return GitIgnoreSpec.from_lines(f"{line}/*" if line.endswith("/**") else line for line in lines)
