"""The files that the paths of a command line stand for."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from dovetail.commands.dialect import beginning_of, known_extensions, name_dialect
from dovetail.commands.error import CommandError
from dovetail.commands.notebook import is_notebook
from dovetail.grammar.library import language_of
from dovetail.project.ignored import Ignored

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from dovetail.commands.project_file import ProjectFile, ProjectFiles


@dataclass(frozen=True, slots=True)
class _Reasons:
    """The reasons to leave a file in a folder out, but for those that hold everywhere."""

    excluded: Sequence[str]
    """Patterns of the command line."""
    project: ProjectFile | None
    gitignore: bool

    def ignored(self, folder: Path) -> Ignored:
        """Return what a search of a folder passes over; raise CommandError for a pattern that means nothing."""
        above = None if self.project is None else (self.project.path.parent, self.project.exclude)
        try:
            Ignored(folder, self.excluded)
        except ValueError as error:
            raise CommandError(f"--exclude: {error}; write a pattern as in .gitignore.") from None
        try:
            return Ignored(folder, self.excluded, gitignore=self.gitignore, above=above)
        except ValueError as error:
            place = None if self.project is None else self.project.path
            raise CommandError(f"{place}: `exclude`: {error}; write a pattern as in .gitignore.") from None

    def weaker(self) -> Iterator[tuple[_Reasons, str]]:
        """Yield the reasons without one of them, and the words for that one with what to do."""
        if self.gitignore:
            yield replace(self, gitignore=False), ".gitignore leaves out {files}; --no-gitignore checks {them}"
        if self.excluded:
            yield replace(self, excluded=()), "--exclude leaves out {files}"
        if self.project is not None and self.project.exclude:
            place = str(self.project.path).replace("{", "{{").replace("}", "}}")
            yield replace(self, project=None), f"`exclude` in {place} leaves out {{files}}"


@dataclass(slots=True)
class Files:
    """The files, and the mistakes of the command line."""

    paths: list[Path] = field(default_factory=list)
    """The files, each of a known language or a notebook, and each once."""
    mistakes: list[str] = field(default_factory=list)
    """One sentence for each place that cannot be read."""


def find_files(
    written: Iterable[str],
    excluded: Sequence[str] = (),
    *,
    gitignore: bool = True,
    projects: ProjectFiles | None = None,
) -> Files:
    """Return the named files, and all files of known languages and notebooks in the named folders.

    In folders, what is hidden or ignored is left out (`Ignored`), and what the nearest project file excludes. A file of
    no known language and a folder without one of any are mistakes. Only a named file's first line may tell a language.
    """
    found = Files()
    for path in map(Path, written):
        try:
            is_folder = _is_folder(path)
        except OSError as error:
            found.mistakes.append(_sentence(path, error))
            continue
        if is_folder:
            project = None if projects is None else projects.of_named(path)
            _search(path, _Reasons(excluded, project, gitignore), found)
        elif not os.path.lexists(path):
            found.mistakes.append(f"{path}: there is no such file or folder.")
        else:
            try:
                if not is_notebook(path):
                    name_dialect(str(path), beginning_of(path))
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


def _search(folder: Path, reasons: _Reasons, found: Files) -> None:
    mistakes: list[str] = []
    files = _files_in(folder, reasons, mistakes)
    if not files and not mistakes:
        mistakes.append(f"{folder}: {_why_none(folder, reasons)}.")
    found.paths += files
    found.mistakes += mistakes


def _files_in(folder: Path, reasons: _Reasons, mistakes: list[str]) -> list[Path]:
    return sorted(
        path
        for path in _walk(folder, reasons.ignored(folder), mistakes)
        if (language_of(str(path)) is not None or is_notebook(path)) and _is_file(path)
    )


def _why_none(folder: Path, reasons: _Reasons) -> str:
    """Return why a search of a folder found nothing: what is left out, or that there is nothing."""
    for weaker, words in reasons.weaker():
        count = len(_files_in(folder, weaker, []))
        if count:
            several = count > 1
            files = f"all {count} files here" if several else "the only file here"
            return words.format(files=files, them="them" if several else "it")
    return f"this folder holds no file of a known language; known are {known_extensions()}"


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
