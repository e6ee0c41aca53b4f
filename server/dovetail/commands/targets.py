"""Targets: the versions in which commands read the files of each language."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from dovetail.commands.dialect import name_dialect, version_named
from dovetail.commands.error import CommandError
from dovetail.commands.project_file import ProjectFiles
from dovetail.grammar.errors import GrammarError
from dovetail.grammar.library import languages

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from dovetail.grammar.facts import Facts


@dataclass(frozen=True, slots=True)
class FileToCheck:
    """A file to check."""

    path: str
    language: str
    """The name of its language."""
    target: str | None
    """The version to read it in; None for the newest."""
    origin: str = ""
    """The project file that names the version; empty if none does."""

    @property
    def version(self) -> str | None:
        """The version that the file is read in; None for a language without versions."""
        known = languages()[self.language].versions
        return self.target or (known[-1] if known else None)

    @property
    def reading(self) -> str:
        """One sentence: the version, the project file that names it, and the option that takes another."""
        facts = languages()[self.language]
        asked = f"{facts.title} is read as {self.target}, as {self.origin} asks"
        return f"{asked}; --target {facts.name}=VERSION takes another."


def read_targets(written: Iterable[str], present: Iterable[str]) -> dict[str, str]:
    """Return language → version, as the command line asks for them.

    `written`: `LANGUAGE=VERSION`, or a version alone, which is meant for the language among those `present` that has
    it. Raises CommandError for an unknown language and for a version that several have, GrammarError for one that none
    has.
    """
    known = languages()
    here = [known[name] for name in sorted(set(present)) if known[name].versions]
    asked: dict[str, str] = {}
    for target in written:
        name, equals, version = target.partition("=")
        if equals:
            if name not in known:
                raise CommandError(f"--target {target}: there is no language {name}; known are {', '.join(known)}.")
            meant = [known[name]]
        else:
            if target in known and known[target].versions:
                newest = known[target].versions[-1]
                raise CommandError(f"--target {target}: say which version, as in --target {target}={newest}.")
            meant, version = [facts for facts in here if target in facts.versions], target
        if len(meant) > 1:
            ways = _either([f"--target {facts.name}={target}" for facts in meant])
            raise CommandError(f"--target {target}: several languages have such a version: write {ways}.")
        if here or equals:
            facts = _with_version(version, meant, here)
            asked[facts.name] = version
    return asked


def _with_version(version: str, meant: Sequence[Facts], here: Sequence[Facts]) -> Facts:
    """Return the one language that is meant, if it has a version; raise GrammarError if not."""
    asked = meant or here
    if meant and (version in meant[0].versions or not meant[0].versions):
        return meant[0]
    lists = [(facts.title if len(asked) > 1 else "", ", ".join(facts.versions)) for facts in asked]
    known = "; ".join(f"{title} {versions}".strip() for title, versions in lists)
    raise GrammarError(
        f"There is no version {version} of {_either([each.title for each in asked])}; known are {known}."
    )


def _either(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else words[0]


def task_of(
    path: Path | str, asked: Mapping[str, str], projects: ProjectFiles, beginning: str = "", language: str | None = None
) -> FileToCheck:
    """Return the task of a file: the version asked for, or its name's or first line's, or its project's, or the newest.

    `beginning`: of its text, where its name may tell no language. `language`: of a notebook, as it names it. Raises
    CommandError for a file of no known language.
    """
    written = str(path)
    facts = languages()[language or name_dialect(written, beginning)]
    target = asked.get(facts.name) or version_named(written, beginning)
    if target is not None or not facts.versions:
        return FileToCheck(written, facts.name, target)
    version, origin = projects.target_of(Path(path), facts) or (None, None)
    return FileToCheck(written, facts.name, version, "" if origin is None else _near(origin))


def target_at(path: Path, written: str | None, text: str = "") -> FileToCheck:
    """Return the task of the one file of a command, which `dovetail check` with the same `--target` would have.

    Raises CommandError and GrammarError for a target or a project file that cannot be used, and CommandError for a file
    of no known language.
    """
    asked = read_targets([] if written is None else [written], [name_dialect(str(path), text)])
    return task_of(path, asked, ProjectFiles(), text)


def _near(path: Path) -> str:
    """Return a path from the working folder on, if it is below it."""
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)
