"""Source files to train on: found, checked, and each text kept once.

What teaches nothing is left out (see `screening`), and so is a near-duplicate of another file.

A folder of plain Python files is read as it is; a collection of packages (see `collection`) by its index, in all of
its languages, and the standard library of the running interpreter with it.

Whole packages are held out, not files: a file tells much about its neighbours. Held-out packages are read first,
so a copy of theirs elsewhere (pip carries some) is the one that is dropped.
"""

from __future__ import annotations

import hashlib
import math
import re
import sysconfig
from dataclasses import dataclass, replace
from importlib.metadata import distributions
from pathlib import Path
from typing import TYPE_CHECKING

from dovetail.model.collection import is_collection, language_of, read_collection
from dovetail.model.duplicates import Seen
from dovetail.model.error import ModelError
from dovetail.model.licences import permissive_licence
from dovetail.model.screening import screened, worth

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    File = tuple["Package", str, Path]

_LEFT_OUT = frozenset({"site-packages", "dist-packages", "__pycache__", "pydoc_data", "lib2to3"})
_NOT_THEIRS = frozenset({"..", "__pycache__", "_vendor"})
"""Below these an installed package has nothing of its own: what it carries of others may be under another licence."""
_STANDARD_LICENCE = "PSF-2.0"
_UNSTATED = "not stated"

_BEHIND = 2.5
"""The most text of an origin that is looked at, even where much of it is left out."""

_HELD_OUT_IN = 16
"""One package in so many is kept from training, to measure on."""

_SALT = "held out 107 "
"""Before a name that is hashed; another would hold out other packages."""


@dataclass(frozen=True, slots=True)
class Package:
    """Files that are kept or held out together."""

    name: str
    origin: str
    """Its origin: the standard library, a distribution, or a folder of sources."""
    licence: str
    files: tuple[tuple[str, Path], ...]
    """Names, with forward slashes, and where they lie."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One source file."""

    name: str
    """Its path below the folder of sources, with forward slashes."""
    package: str
    text: str
    weight: float
    """Its weight in training, in characters: those of tests weigh a third, those of large packages less."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """The documents to learn from and the ones to measure on."""

    training: tuple[SourceFile, ...]
    held_out: tuple[SourceFile, ...]
    licences: dict[str, str]
    """Origin → licence, as far as something of it was kept."""
    left_out: tuple[str, ...]
    """Installed packages whose licence is not permissive or not known."""
    digest: str
    """Changes when any text changes."""

    @property
    def is_licensed(self) -> bool:
        """True if the licences of all kept files are known; known ones are permissive."""
        return _UNSTATED not in self.licences.values()

    @property
    def held_out_packages(self) -> list[str]:
        """The names of the packages that were kept from training."""
        return sorted({document.package for document in self.held_out})


def standard_library() -> Path:
    """Return the folder of the running interpreter's standard library."""
    return Path(sysconfig.get_path("stdlib"))


def read_corpus(
    folders: Sequence[Path] | None = None,
    most: int | None = None,
    *,
    balance: float = 0.5,
    shares: Mapping[str, float] | None = None,
    kept_out: Iterable[str] = (),
) -> Corpus:
    """Read the source files below the folders; raise `ModelError` where there is nothing to learn from.

    `folders`: None means the running interpreter's standard library, and the packages installed beside it whose
    licence is permissive.
    `most`: characters to read of one distribution or folder at most, of tests counted by a third.
    `balance`: what an origin counts grows with this power of its size.
    `shares`: language → how much of all that is seen it is to be; None where each counts as it comes.
    `kept_out`: packages that are held out beside those that are by their names, however their names are spelt.
    """
    apart = {_spelt(name) for name in kept_out}
    left_out: list[str] = []
    if folders is None:
        packages = [*_modules(standard_library(), "Python", _STANDARD_LICENCE), *_installed(left_out)]
    else:
        packages = []
        for folder in folders:
            if not folder.is_dir():
                raise ModelError(f"There is no folder {folder} to read sources from: name one that exists.")
            if not is_collection(folder):
                packages += _modules(folder, folder.resolve().name, _UNSTATED)
                continue
            collected, refused = read_collection(folder)
            left_out += refused
            packages += _modules(standard_library(), "Python", _STANDARD_LICENCE)
            packages += [
                Package(one.name, f"{one.name} {one.version}", one.licence, one.files) for one in collected if one.files
            ]
    found, digest = _read(packages, most, apart)
    if not found[True]:
        # No package that should be held out is usable: hold out another one.
        kept = {package.name for _, package in found[False]}
        packages = [package for package in packages if package.name in kept]
        if len(packages) == 1:
            names = {document.name for document, _ in found[False]}
            packages = [
                Package(name, only.origin, only.licence, ((name, path),))
                for only in packages for name, path in only.files if name in names
            ]  # fmt: skip
        found, digest = _read(packages, most, apart)
    if not found[False]:
        raise ModelError("The folders of sources hold no Python file to learn from: name others with --sources.")
    return Corpus(
        _shared(_balanced(found[False], balance), shares),
        _shared(_balanced(found[True], balance), shares),
        {package.origin: package.licence for _, package in (*found[False], *found[True])},
        tuple(sorted(left_out)),
        digest,
    )


def _read(
    packages: Sequence[Package], most: int | None, apart: Collection[str]
) -> tuple[dict[bool, list[tuple[SourceFile, Package]]], str]:
    """Return the documents of packages, by whether they are held out, and a digest of their texts."""
    held_out = _held_out([package.name for package in packages])
    held_out.update(package.name for package in packages if _spelt(package.name) in apart)
    found: dict[bool, list[tuple[SourceFile, Package]]] = {True: [], False: []}
    digest = hashlib.sha256()
    seen = Seen()
    sizes: dict[str, float] = {}  # origin -> characters read to learn from
    files = [(package, name, path) for package in packages for name, path in package.files]
    files.sort(key=lambda file: (file[0].name not in held_out, _rank(file[1]), file[0].name))
    # The order is that of the names' hashes: what is read of a large package is drawn from all of it.
    wanted = list(_behind(files, math.inf if most is None else most, held_out))
    for (package, name, _), judged in zip(files, screened(wanted), strict=True):
        learnt = package.name not in held_out
        if most is not None and learnt and sizes.get(package.origin, 0) >= most:
            continue
        if judged is None or not seen.add(judged[1]):
            continue
        text = judged[0]
        digest.update(f"{learnt} {len(text)} ".encode() + text.encode())
        weight = len(text) * worth(name)
        found[not learnt].append((SourceFile(name, package.name, text, weight), package))
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


def _spelt(name: str) -> str:
    """Return a package's name in the one spelling that indexes compare."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _rank(name: str) -> int:
    """Return a number below 2³² that says nothing about the name and is the same everywhere."""
    return int.from_bytes(hashlib.sha256((_SALT + name).encode()).digest()[:4])


def _behind(files: Sequence[File], most: float, held_out: set[str]) -> Iterator[tuple[str, Path] | None]:
    """Yield name and place of each file, None for one that lies far beyond what is read of its origin."""
    # By the bytes on disk, so that which files these are depends on nothing that is worked out at the same time.
    sizes: dict[str, float] = {}  # origin -> bytes, counted like characters
    for package, name, path in files:
        size = sizes.get(package.origin, 0.0)
        if package.name not in held_out and size > _BEHIND * most:
            yield None
            continue
        if path.exists():
            sizes[package.origin] = size + path.stat().st_size * worth(name)
        yield name, path


def _shared(documents: Sequence[SourceFile], shares: Mapping[str, float] | None) -> tuple[SourceFile, ...]:
    """Return documents weighted so that each language has its share; a language without one is left out."""
    if not shares:
        return tuple(documents)
    totals: dict[str, float] = {}  # language -> weight
    for document in documents:
        language = language_of(document.name)
        totals[language] = totals.get(language, 0.0) + document.weight
    scale = {language: shares.get(language, 0.0) / total for language, total in totals.items() if total}
    if not any(scale.values()):
        return tuple(documents)
    weighted = (replace(document, weight=document.weight * scale[language_of(document.name)]) for document in documents)
    return tuple(document for document in weighted if document.weight > 0)


def _balanced(found: Iterable[tuple[SourceFile, Package]], power: float) -> tuple[SourceFile, ...]:
    """Return documents weighted so that what an origin counts grows with a power of its size."""
    found = list(found)
    sizes: dict[str, float] = {}  # origin -> characters
    for document, package in found:
        sizes[package.origin] = sizes.get(package.origin, 0.0) + document.weight
    return tuple(
        SourceFile(
            document.name, document.package, document.text, document.weight * sizes[package.origin] ** (power - 1)
        )
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
