"""The version of a release and its date: every file that names them has to name the same."""

from __future__ import annotations

import datetime
import json
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]

_SECTION = re.compile(r"^## (\d+\.\d+\.\d+) – (\d{4}-\d{2}-\d{2})$", re.MULTILINE)


class ReleaseError(Exception):
    """Something that a release may not have; the message is one sentence with the place and the remedy."""


@dataclass(frozen=True, slots=True)
class Version:
    """The version that the files of a checkout agree upon."""

    number: str
    date: datetime.date

    @property
    def epoch(self) -> int:
        """The date as seconds since 1970, in UTC: the time of all that is built (`SOURCE_DATE_EPOCH`)."""
        return int(datetime.datetime.combine(self.date, datetime.time(), datetime.UTC).timestamp())


def agreed_version(root: Path = ROOT) -> Version:
    """Return the version of a checkout; raise ReleaseError where a file names another."""
    number = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    sections = {path: _newest(root / path) for path in ("CHANGELOG.md", "client-vscode/CHANGELOG.md")}
    locked = json.loads((root / "package-lock.json").read_text("utf-8"))["packages"]["client-vscode"]["version"]
    named = {
        "client-vscode/package.json": json.loads((root / "client-vscode/package.json").read_text("utf-8"))["version"],
        "package-lock.json": locked,
        **{path: section[0] for path, section in sections.items()},
    }
    for path, other in named.items():
        if other != number:
            raise ReleaseError(f"{path} has the version {other}, and pyproject.toml {number}: write the same in both.")
    dates = {section[1] for section in sections.values()}
    if len(dates) > 1:
        raise ReleaseError(f"The two CHANGELOG.md give {number} different dates: write the same in both.")
    return Version(number, dates.pop())


def _newest(path: Path) -> tuple[str, datetime.date]:
    """Return version and date of the first dated section of a list of changes."""
    found = _SECTION.search(path.read_text("utf-8"))
    if found is None:
        raise ReleaseError(f"{path} has no dated section: write one, as in `## 1.2.3 – 2026-01-31`.")
    return found[1], datetime.date.fromisoformat(found[2])
