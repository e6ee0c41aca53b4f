"""Bounds on the contents of a release's files, and on their size."""

from __future__ import annotations

import datetime
import re
import tarfile
import zipfile
from typing import TYPE_CHECKING

from tests.release.versions import ReleaseError

if TYPE_CHECKING:
    from pathlib import Path

_MEGABYTE = 1_000_000

LARGEST = {".whl": 30 * _MEGABYTE, ".gz": 30 * _MEGABYTE, ".vsix": 35 * _MEGABYTE}
"""The most bytes of a file, by its suffix; nearly all are the embedded model's."""

LARGE = _MEGABYTE // 4
"""Files with more bytes than this have to be listed in `KNOWN_LARGE`."""

KNOWN_LARGE = ("model.safetensors", "tokenizer.json", ".whl", ".gguf", "extension.js", "page.js")
"""The endings that the names of large files may have."""

_WHEEL = re.compile(
    r"dovetail/[\w/]+\.(py|lark|toml|css|js|html|json|md|svg|safetensors|gguf)|dovetail/(py\.typed|play/page/NOTICES\.txt)"
    r"|dovetail-[\d.]+\.dist-info/(METADATA|RECORD|WHEEL|entry_points\.txt|licenses/LICENSE)"
)
_SOURCE = re.compile(
    r"dovetail-[\d.]+/(\.gitignore|(CHANGELOG|README)\.md|LICENSE|PKG-INFO|pyproject\.toml|(server|grammars)/[\w./-]+)"
)
_EXTENSION = re.compile(
    r"\[Content_Types\]\.xml|extension\.vsixmanifest"
    r"|extension/(package\.json|readme\.md|changelog\.md|LICENSE\.txt|dist/extension\.js|dist/NOTICES\.txt"
    r"|media/[\w/-]+\.(png|md)|server/(dovetail-[\d.]+-py3-none-any\.whl|constraints\.txt))"
)
_ALLOWED = {".whl": _WHEEL, ".gz": _SOURCE, ".vsix": _EXTENSION}

_NEEDED = {
    ".whl": (
        "dovetail/__init__.py",
        "dovetail/py.typed",
        "dovetail/grammars/python.lark",
        "/model.safetensors",
        "/page.js",
    ),
    ".gz": ("/pyproject.toml", "/server/dovetail/__init__.py", "/grammars/python.lark", "/LICENSE"),
    ".vsix": ("/dist/extension.js", "/dist/NOTICES.txt", "/LICENSE.txt", "-py3-none-any.whl"),
}
"""The endings of the names of files that have to be there."""


def files_of(path: Path) -> dict[str, int]:
    """Return the files of a wheel, a source distribution or an extension: name → its size in bytes."""
    if path.suffix == ".gz":
        with tarfile.open(path) as archive:
            return {member.name: member.size for member in archive if not member.isdir()}
    with zipfile.ZipFile(path) as archive:
        return {member.filename: member.file_size for member in archive.infolist() if not member.is_dir()}


def check_contents(path: Path) -> None:
    """Raise ReleaseError if a file of a release lacks something, is too large, or holds what does not belong there."""
    files = files_of(path)
    for name, size in files.items():
        if _ALLOWED[path.suffix].fullmatch(name) is None or re.search(r"(^|/)(tests?|__pycache__)/", name):
            raise ReleaseError(f"{path.name} holds {name}, which does not belong there: leave it out.")
        if size > LARGE and not name.endswith(KNOWN_LARGE):
            raise ReleaseError(f"{path.name} holds {name} of {size:,} bytes: make it smaller, or list it as large.")
    for end in _NEEDED[path.suffix]:
        if not any(name.endswith(end) for name in files):
            raise ReleaseError(f"{path.name} lacks {end}: include it.")
    if path.stat().st_size > LARGEST[path.suffix]:
        raise ReleaseError(f"{path.name} has {path.stat().st_size:,} bytes, more than {LARGEST[path.suffix]:,}.")


def wheel_inside(extension: Path) -> bytes:
    """Return the bytes of the wheel in an extension."""
    with zipfile.ZipFile(extension) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".whl")]
        return archive.read(name)


def dates_of(path: Path) -> set[datetime.date]:
    """Return the dates of the files in an archive."""
    if path.suffix == ".gz":
        with tarfile.open(path) as archive:
            return {datetime.datetime.fromtimestamp(member.mtime, datetime.UTC).date() for member in archive}
    with zipfile.ZipFile(path) as archive:
        return {datetime.date(*member.date_time[:3]) for member in archive.infolist()}
