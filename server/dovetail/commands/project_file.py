"""Project file: what `pyproject.toml` says to `dovetail check`, in its table `[tool.dovetail]` and of versions."""

from __future__ import annotations

import os
import re
import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dovetail.commands.error import CommandError
from dovetail.grammar.library import languages
from dovetail.project.ignored import whole_path

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from dovetail.grammar.facts import Facts

NAME = "pyproject.toml"

_CLAUSE = re.compile(r"(~=|===?|!=|<=|>=|<|>)\s*v?(\d+)(?:\.(\d+)(\.(?:\d\S*|\*))?)?(?:\.\*)?")
"""A clause of a version specifier (PEP 440): its sign, and two numbers of a version, with whether more follow."""


@dataclass(frozen=True, slots=True)
class ProjectFile:
    """The settings of a project file."""

    path: Path
    exclude: tuple[str, ...] = ()
    """Patterns as `.gitignore` has them, for paths below the file's folder."""
    targets: Mapping[str, str] = field(default_factory=dict)
    """Language → version."""


class ProjectFiles:
    """The project files above the files that are checked, each read once."""

    def __init__(self) -> None:
        self._near: dict[tuple[str, Path], Path | None] = {}
        self._read: dict[Path, dict[str, Any] | str] = {}

    def of_named(self, path: Path) -> ProjectFile | None:
        """Return the settings nearest to a path of the command line, in it or above it; None without any.

        Raises CommandError for a file that cannot be read or used.
        """
        near = self._nearest(NAME, whole_path(path))
        if near is None:
            return None
        content = self._content(near)
        if isinstance(content, str):
            raise CommandError(f"{near}: {content}; mend it, or move it away.")
        return _settings(near, content)

    def target_of(self, path: Path, facts: Facts) -> tuple[str, Path] | None:
        """Return the version of a file that a project file names, and that file; None if none does.

        A file that cannot be read names none. Raises CommandError for settings that cannot be used.
        """
        folder = whole_path(path).parent
        near = self._nearest(NAME, folder)
        if near is not None and isinstance(content := self._content(near), dict):
            version = _settings(near, content).targets.get(facts.name)
            if version is not None:
                return version, near
        if facts.requirement is None:
            return None
        near = self._nearest(facts.requirement.file, folder)
        content = {} if near is None else self._content(near)
        for key in facts.requirement.key.split("."):
            content = content.get(key, "") if isinstance(content, dict) else ""
        version = lowest_version(facts.versions, content) if isinstance(content, str) else None
        return None if version is None or near is None else (version, near)

    def _nearest(self, name: str, folder: Path) -> Path | None:
        """Return the nearest file of a name in a folder or above it."""
        passed = []
        found = None
        for parent in (folder, *folder.parents):
            if (name, parent) in self._near:
                found = self._near[name, parent]
                break
            passed.append(parent)
            if os.path.isfile(parent / name):  # a folder that is closed to the user holds none
                found = parent / name
                break
        self._near.update(((name, parent), found) for parent in passed)
        return found

    def _content(self, path: Path) -> dict[str, Any] | str:
        """Return what is in a file, or a clause that says why it cannot be read."""
        if path not in self._read:
            try:
                self._read[path] = tomllib.loads(path.read_text(encoding="utf-8"))
            except (OSError, ValueError) as error:
                self._read[path] = f"it cannot be read: {error}"
        return self._read[path]


def lowest_version(versions: Sequence[str], specifier: str) -> str | None:
    """Return the oldest version that a specifier allows, as in PEP 440; None if it names no oldest, or none is known.

    >>> lowest_version(["3.8", "3.9", "3.10"], ">=3.9.2, !=3.9.7, <4")
    '3.9'
    """
    clauses = []
    for written in specifier.split(","):
        match = _CLAUSE.fullmatch(written.strip())
        if match is None:
            return None
        sign, major, minor, more = match.groups()
        clauses.append((sign, (int(major), int(minor or 0)), more is not None and more != ".*"))
    if not any(sign in {">=", ">", "~=", "==", "==="} for sign, _, _ in clauses):
        return None
    return next((version for version in versions if all(_allows(version, *clause) for clause in clauses)), None)


def _allows(version: str, sign: str, bound: tuple[int, int], exact: bool) -> bool:
    """Return whether a clause allows some release of a version. `exact`: the clause names one release of its bound."""
    major, minor = map(int, version.split("."))
    here = (major, minor)
    match sign:
        case ">=" | ">":
            return here >= bound
        case "<=":
            return here <= bound
        case "<":
            return here < bound or (exact and here == bound)
        case "!=":
            return here != bound or exact
        case "~=":
            return here == bound if exact else here >= bound and here[0] == bound[0]
        case _:
            return here == bound


def _settings(path: Path, content: Mapping[str, Any]) -> ProjectFile:
    """Return the settings of a project file; raise CommandError for what cannot be used."""
    tool = content.get("tool")
    table = tool.get("dovetail", {}) if isinstance(tool, dict) else {}
    place = f"{path}: [tool.dovetail]"
    if not isinstance(table, dict):
        raise CommandError(f"{place} has to be a table with `exclude` and `target`.")
    for key in table:
        if key not in {"exclude", "target"}:
            raise CommandError(f"{place} has a key `{key}`, which is unknown; known are `exclude` and `target`.")
    exclude, targets = table.get("exclude", []), table.get("target", {})
    if not isinstance(exclude, list) or not all(isinstance(pattern, str) for pattern in exclude):
        raise CommandError(f'{place}: `exclude` has to be a list of patterns like ["generated/"].')
    if not isinstance(targets, dict):
        raise CommandError(f"{place}: `target` has to be a table of languages and versions.")
    for name, version in targets.items():
        facts = languages().get(name)
        if facts is None or not facts.versions:
            known = ", ".join(each.name for each in languages().values() if each.versions)
            raise CommandError(f"{place}: `target` names `{name}`, which has no versions; known are {known}.")
        if version not in facts.versions:
            known = ", ".join(facts.versions)
            raise CommandError(f"{place}: there is no version {version!r} of {facts.title}; known are {known}.")
    return ProjectFile(path, tuple(exclude), targets)
