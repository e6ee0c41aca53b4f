"""Source files to train on: found, checked, and each text kept once.

Only Python is read. A file that the running interpreter cannot parse (deliberately broken tests, old syntax),
that is more table than program, or that names a licence of its own that asks for more, is left out. So is a
near-duplicate of another file.

Whole packages are held out, not files: a file tells much about its neighbours. Held-out packages are read first,
so a copy of theirs elsewhere (pip carries some) is the one that is dropped.
"""

from __future__ import annotations

import ast
import hashlib
import re
import sysconfig
import tokenize
import warnings
import zlib
from dataclasses import dataclass
from importlib.metadata import distributions
from pathlib import Path
from typing import TYPE_CHECKING

from dovetail.model.duplicates import Seen
from dovetail.model.error import ModelError
from dovetail.model.licences import permissive_licence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_LEFT_OUT = frozenset({"site-packages", "dist-packages", "__pycache__", "pydoc_data", "lib2to3"})
_NOT_THEIRS = frozenset({"..", "__pycache__", "_vendor"})
"""Below these an installed package has nothing of its own: what it carries of others may be under another licence."""
_TEST_FOLDERS = frozenset({"test", "tests", "idle_test"})
_STANDARD_LICENCE = "PSF-2.0"
_UNSTATED = "not stated"

_LEAST_CHARACTERS = 200
_MOST_CHARACTERS = 1_000_000
_LEAST_RATIO = 0.12
"""A file that zlib brings below this part of its size repeats itself too much to teach anything."""

_MOST_ESCAPES = 1 / 80
"""A file with more escapes and hexadecimal numbers a character is a table of characters."""

_OTHER_LICENCE = re.compile(
    r"GNU (Lesser |Library |Affero )?General Public|Mozilla Public License|Eclipse Public License"
    r"|SPDX-License-Identifier: \S*(GPL|MPL|EPL|CDDL|EUPL|SSPL|BUSL)"
)
_MARGIN = re.compile(r"[\s#*;]+")
"""What may stand between two words of a licence."""
_HEAD = 3000
"""Characters at a file's beginning where it names its licence."""

_HELD_OUT_IN = 16
"""One package in so many is kept from training, to measure on."""

_SALT = "held out 107 "
"""Before a name that is hashed; another would hold out other packages."""


@dataclass(frozen=True, slots=True)
class Package:
    """Files that are kept or held out together."""

    name: str
    origin: str
    """What it is a part of: the standard library, a distribution, a folder of sources."""
    licence: str
    files: tuple[tuple[str, Path], ...]
    """Names, with forward slashes, and where they lie."""


@dataclass(frozen=True, slots=True)
class Document:
    """One source file."""

    name: str
    """Its path below the folder of sources, with forward slashes."""
    package: str
    text: str
    weight: float
    """How often to see it, in characters: those of tests count a third, those of large packages less."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """The documents to learn from and the ones to measure on."""

    training: tuple[Document, ...]
    held_out: tuple[Document, ...]
    licences: dict[str, str]
    """Origin → licence, as far as something of it was kept."""
    left_out: tuple[str, ...]
    """Installed packages whose licence is not permissive or not known."""
    digest: str
    """Changes when any text changes."""

    @property
    def held_out_packages(self) -> list[str]:
        """The names of the packages that were kept from training."""
        return sorted({document.package for document in self.held_out})


def standard_library() -> Path:
    """Return the folder of the running interpreter's standard library."""
    return Path(sysconfig.get_path("stdlib"))


def read_corpus(folders: Sequence[Path] | None = None, most: int | None = None) -> Corpus:
    """Read the Python files below the folders; raise `ModelError` where there is nothing to learn from.

    `folders`: None means the running interpreter's standard library, and the packages installed beside it whose
    licence is permissive.
    `most`: characters to read of one distribution or folder at most, of tests counted by a third.
    """
    left_out: list[str] = []
    if folders is None:
        packages = [*_modules(standard_library(), "Python", _STANDARD_LICENCE), *_installed(left_out)]
    else:
        packages = []
        for folder in folders:
            if not folder.is_dir():
                raise ModelError(f"There is no folder {folder} to read sources from: name one that exists.")
            packages += _modules(folder, folder.resolve().name, _UNSTATED)
    found, digest = _read(packages, most)
    if not found[True]:
        # Of what was to be held out nothing is of use: then something is that is.
        kept = {package.name for _, package in found[False]}
        packages = [package for package in packages if package.name in kept]
        if len(packages) == 1:
            names = {document.name for document, _ in found[False]}
            packages = [
                Package(name, only.origin, only.licence, ((name, path),))
                for only in packages for name, path in only.files if name in names
            ]  # fmt: skip
        found, digest = _read(packages, most)
    if not found[False]:
        raise ModelError("The folders of sources hold no Python file to learn from: name others with --sources.")
    return Corpus(
        _balanced(found[False]),
        _balanced(found[True]),
        {package.origin: package.licence for _, package in (*found[False], *found[True])},
        tuple(sorted(left_out)),
        digest,
    )


def _read(packages: Sequence[Package], most: int | None) -> tuple[dict[bool, list[tuple[Document, Package]]], str]:
    """Return the documents of packages, by whether they are held out, and a digest of their texts."""
    held_out = _held_out([package.name for package in packages])
    found: dict[bool, list[tuple[Document, Package]]] = {True: [], False: []}
    digest = hashlib.sha256()
    seen = Seen()
    sizes: dict[str, float] = {}  # origin -> characters read to learn from
    files = [(package, name, path) for package in packages for name, path in package.files]
    for package, name, path in sorted(files, key=lambda file: (file[0].name not in held_out, _rank(file[1]))):
        learnt = package.name not in held_out
        if most is not None and learnt and sizes.get(package.origin, 0) >= most:
            continue
        text = _text(path)
        if text is None or not _may_teach(text) or not seen.is_new(text) or not _parses(text):
            continue
        digest.update(f"{learnt} {len(text)} ".encode() + text.encode())
        weight = len(text) * (1 / 3 if _TEST_FOLDERS.intersection(name.split("/")) else 1.0)
        found[not learnt].append((Document(name, package.name, text, weight), package))
        if learnt:
            sizes[package.origin] = sizes.get(package.origin, 0) + weight
    if not found[False]:  # all the rest was left out
        found = {False: found[True], True: []}
    return found, digest.hexdigest()


def _held_out(names: Iterable[str]) -> set[str]:
    """Return the packages to hold out: by their names alone, and at least one where there are two."""
    ranks = {name: _rank(name) for name in names}
    chosen = {name for name, rank in ranks.items() if rank % _HELD_OUT_IN == 0}
    if not chosen and len(ranks) > 1:
        chosen = {min(ranks, key=lambda name: ranks[name])}
    return chosen


def _rank(name: str) -> int:
    """Return a number below 2³² that says nothing about the name and is the same everywhere."""
    return int.from_bytes(hashlib.sha256((_SALT + name).encode()).digest()[:4])


def _balanced(found: Iterable[tuple[Document, Package]]) -> tuple[Document, ...]:
    """Return documents weighted so that what an origin counts grows with the root of its size."""
    found = list(found)
    sizes: dict[str, float] = {}  # origin -> characters
    for document, package in found:
        sizes[package.origin] = sizes.get(package.origin, 0.0) + document.weight
    return tuple(
        Document(document.name, document.package, document.text, document.weight * sizes[package.origin] ** -0.5)
        for document, package in found
    )


def _modules(folder: Path, origin: str, licence: str) -> list[Package]:
    """Return what lies directly below a folder, modules and packages alike."""
    files: dict[str, list[tuple[str, Path]]] = {}  # top-level name -> files
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder).parts
        if not _LEFT_OUT.intersection(parts):
            files.setdefault(parts[0].removesuffix(".py"), []).append(("/".join(parts), path))
    return [Package(name, origin, licence, tuple(members)) for name, members in sorted(files.items())]


def _installed(left_out: list[str]) -> Iterator[Package]:
    """Yield the permissively licensed packages beside the running interpreter, and note the others."""
    folder = sysconfig.get_path("purelib")
    for distribution in sorted(distributions(path=[folder]), key=lambda found: found.metadata["Name"].lower()):
        name = distribution.metadata["Name"]
        files = tuple(
            (str(file), Path(str(distribution.locate_file(file))))
            for file in sorted(distribution.files or ())
            if file.suffix == ".py" and not _NOT_THEIRS.intersection(file.parts)
        )
        licence = permissive_licence(distribution.metadata)
        if licence is None:
            left_out.append(name)
        elif files:
            yield Package(name, f"{name} {distribution.version}", licence, files)


def _text(path: Path) -> str | None:
    """Return a file's text with its newlines made plain, or None if it cannot be read."""
    try:
        with tokenize.open(path) as file:
            return file.read()
    except (OSError, SyntaxError, UnicodeDecodeError):
        return None


def _may_teach(text: str) -> bool:
    """Return whether a text is of a size, and of a kind, to learn from."""
    if not _LEAST_CHARACTERS <= len(text) <= _MOST_CHARACTERS:
        return False
    data = text.encode()
    if len(zlib.compress(data, 1)) < _LEAST_RATIO * len(data):
        return False
    if text.count("\\x") + text.count("\\u") + text.count("0x") > _MOST_ESCAPES * len(text):
        return False
    return _OTHER_LICENCE.search(_MARGIN.sub(" ", text[:_HEAD])) is None


def _parses(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
