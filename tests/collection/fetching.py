"""One package from where it is published, unpacked: by pip, npm and apt, whose own settings say where that is."""

from __future__ import annotations

import email
import json
import os
import subprocess
import tarfile
import zipfile
from fnmatch import fnmatch
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from dovetail.model.collection import SUFFIXES
from dovetail.model.licences import debian_licence, npm_licence, permissive_licence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

NOT_THEIRS = frozenset({
    "..", "__pycache__", "_vendor", "_vendored", "vendor", "vendored", "vendored_packages", "third_party", "thirdparty",
    "3rdparty", "node_modules", "bower_components", "externals", "extern", "site-packages",
})  # fmt: skip
"""Folders of what a package carries of others, which may be under another licence."""

LARGEST = 2_000_000
"""Bytes of a file."""
MOST_BYTES = 60_000_000
"""Of one package's sources together: the largest are read but in part anyway."""
SECONDS = 240


class Wanted(NamedTuple):
    """A row of the list."""

    language: str
    source: str
    name: str
    version: str


class Fetched(NamedTuple):
    """The facts about a package that was asked for."""

    language: str
    name: str
    version: str
    licence: str | None
    """None where it is not permissive, not known, or where the package was not to be had."""
    reason: str
    folder: str


File = tuple[str, int, "Callable[[], bytes]"]
"""Its path in the package, its bytes, and what reads it."""

Package = tuple[str, str, "str | None", list[File]]
"""Name, version, licence and files."""


class RefusedError(Exception):
    """A package that cannot be had or may not be learnt from."""


def fetch(one: Wanted, scratch: Path, place: Path) -> Fetched:
    """Download a package to `scratch`, and unpack its sources to `place` if its licence is permissive."""
    name, version = one.name, ""
    try:
        name, version, licence, files = FETCHERS[one.source](one, scratch)
        if licence is None:
            raise RefusedError("its licence is not permissive or not known")
        if not unpack(files, one.language, place):
            raise RefusedError("it has no sources")
    except (RefusedError, subprocess.TimeoutExpired, OSError, KeyError, ValueError, tarfile.TarError) as error:
        return Fetched(one.language, name, version, None, str(error).strip()[-300:] or type(error).__name__, "")
    return Fetched(one.language, name, version, licence, "", f"{one.language}/{place.name}")


def unpack(files: Iterable[File], language: str, place: Path) -> int:
    """Write the files of a language, (path, bytes, reading), below a folder; return how many."""
    count = total = 0
    for path, size, read in sorted(files, key=lambda file: file[0]):
        parts = path.split("/")
        if not path.endswith(SUFFIXES[language]) or NOT_THEIRS.intersection(parts) or path.startswith("/"):
            continue
        if size > LARGEST or total + size > MOST_BYTES:
            continue
        target = place / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(read())
        count, total = count + 1, total + size
    return count


def _run(*command: str, folder: Path) -> str:
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False,
        env={**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"},
    )  # fmt: skip
    if done.returncode:
        raise RefusedError(done.stderr)
    return done.stdout


def _only(folder: Path, pattern: str) -> Path:
    for path in folder.glob(pattern):
        return path
    raise RefusedError("nothing was downloaded")


def _wheel(one: Wanted, scratch: Path) -> Package:
    # Wheels only: to unpack an sdist's metadata its own code would have to run.
    wanted = f"{one.name}=={one.version}" if one.version else one.name
    _run("pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--dest", ".", wanted, folder=scratch)
    archive = zipfile.ZipFile(_only(scratch, "*.whl"))
    about = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
    metadata = email.message_from_bytes(archive.read(about))
    files: list[File] = [
        (info.filename, info.file_size, partial(archive.read, info))
        for info in archive.infolist()
        if ".dist-info/" not in info.filename
    ]
    return metadata["Name"], metadata["Version"], permissive_licence(metadata), files


def _npm(one: Wanted, scratch: Path) -> Package:
    wanted = f"{one.name}@{one.version}" if one.version else one.name
    _run("npm", "pack", "--silent", "--ignore-scripts", wanted, folder=scratch)
    archive = tarfile.TarFile.open(_only(scratch, "*.tgz"))
    members = [member for member in archive.getmembers() if member.isfile()]

    def read(member: tarfile.TarInfo) -> bytes:
        file = archive.extractfile(member)
        assert file is not None, "a file that is no file"
        return file.read()

    about = min((m for m in members if m.name.endswith("/package.json")), key=lambda m: m.name.count("/"))
    metadata = json.loads(read(about))
    files: list[File] = [(member.name.partition("/")[2], member.size, partial(read, member)) for member in members]
    return metadata["name"], metadata["version"], npm_licence(metadata), files


def _debian(one: Wanted, scratch: Path) -> Package:
    wanted = f"{one.name}={one.version}" if one.version else one.name
    _run("apt-get", "download", wanted, folder=scratch)
    package = _only(scratch, "*.deb")
    _run("dpkg", "-x", package.name, "root", folder=scratch)
    root = scratch / "root"
    version = _run("dpkg-deb", "--field", package.name, "Version", folder=scratch).strip()
    copyrights = [path for path in root.glob("usr/share/doc/*/copyright") if path.is_file()]
    if not copyrights:
        raise RefusedError("it has no copyright file")
    licence, left_out = debian_licence(copyrights[0].read_text(encoding="utf-8", errors="replace"))
    paths = [path for path in root.rglob("*") if path.is_file() and not path.is_symlink()]
    files: list[File] = [
        (_inside(path.relative_to(root).as_posix()), path.stat().st_size, path.read_bytes) for path in paths
    ]
    # The patterns are those of the source package, whose folders are the last ones of the installed paths.
    kept = [file for file in files if not any(fnmatch("/" + file[0], "*/" + pattern) for pattern in left_out)]
    return one.name, version, licence, kept


_PREFIXES = ("usr/share/gocode/src/", "usr/share/lua/", "usr/share/", "usr/lib/")


def _inside(path: str) -> str:
    """Return a path without the system's folders."""
    return next((path.removeprefix(prefix) for prefix in _PREFIXES if path.startswith(prefix)), path)


FETCHERS = {"pypi": _wheel, "npm": _npm, "debian": _debian}
