"""The files that the paths of a command line stand for."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from dovetail.commands.dialect import known_extensions, name_dialect
from dovetail.commands.error import CommandError
from dovetail.grammar.library import language_of
from dovetail.project.ignored import Ignored

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


@dataclass(slots=True)
class Files:
    """The files, and the mistakes of the command line."""

    paths: list[Path] = field(default_factory=list)
    """The files, each of a known language, and each once."""
    mistakes: list[str] = field(default_factory=list)
    """One sentence for each place that cannot be read."""


def find_files(written: Iterable[str], excluded: Sequence[str] = (), *, gitignore: bool = True) -> Files:
    """Return the named files, and all files of known languages in the named folders.

    In folders, what is hidden or ignored is left out (`Ignored`). A file of no known language and a folder without one
    of any are mistakes.
    """
    found = Files()
    for path in map(Path, written):
        try:
            is_folder = _is_folder(path)
        except OSError as error:
            found.mistakes.append(_sentence(path, error))
            continue
        if is_folder:
            try:
                ignored = Ignored(path, excluded, gitignore=gitignore)
            except ValueError as error:
                raise CommandError(f"--exclude: {error}; write a pattern as in .gitignore.") from None
            _search(path, ignored, found)
        else:
            try:
                name_dialect(str(path))
            except CommandError as error:
                found.mistakes.append(str(error))
                continue
            found.paths.append(path)
    found.paths = list(dict.fromkeys(found.paths))
    return found


def _is_folder(path: Path) -> bool:
    """Return whether there is a folder; raise OSError if the system does not allow the question."""
    try:
        return stat.S_ISDIR(path.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return False


def _search(folder: Path, ignored: Ignored, found: Files) -> None:
    mistakes: list[str] = []
    files = sorted(
        path for path in _walk(folder, ignored, mistakes) if language_of(str(path)) is not None and _is_file(path)
    )
    if not files and not mistakes:
        mistakes.append(f"{folder}: this folder holds no file of a known language; known are {known_extensions()}.")
    found.paths += files
    found.mistakes += mistakes


def _walk(folder: Path, ignored: Ignored, mistakes: list[str]) -> Iterator[Path]:
    """Yield the files in a folder and below it, except those that are ignored."""

    def refuse(error: OSError) -> None:
        mistakes.append(_sentence(error.filename, error))

    for place, folders, names in os.walk(folder, onerror=refuse):
        folders[:] = [name for name in folders if not ignored.skips_folder(Path(place, name))]
        yield from (path for name in names if not ignored.skips_file(path := Path(place, name)))


def _is_file(path: Path) -> bool:
    """Return whether a path is a file, or cannot be examined: reading it then gives the reason."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except FileNotFoundError:
        return False  # a link to what is gone
    except OSError:
        return True


def _sentence(place: str | Path, error: OSError) -> str:
    return f"{place}: it cannot be read: {error.strerror or error}."
