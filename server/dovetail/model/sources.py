"""Source files to train on: found, checked, and each text kept once.

Only Python is read. A file that the running interpreter cannot parse (deliberately broken tests, old syntax)
or that is more table than program is left out.
"""

from __future__ import annotations

import ast
import hashlib
import sysconfig
import tokenize
import warnings
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from dovetail.model.error import ModelError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_LEFT_OUT = frozenset({"site-packages", "dist-packages", "__pycache__", "pydoc_data", "lib2to3"})
_TEST_FOLDERS = frozenset({"test", "tests", "idle_test"})

_LEAST_CHARACTERS = 200
_MOST_CHARACTERS = 1_000_000
_LEAST_RATIO = 0.12
"""A file that zlib brings below this part of its size repeats itself too much to teach anything."""

_MOST_ESCAPES = 1 / 80
"""A file with more escapes and hexadecimal numbers a character is a table of characters."""

_HELD_OUT_IN = 64
"""One text in so many is kept from training, to measure the loss on."""


@dataclass(frozen=True, slots=True)
class Document:
    """One source file."""

    name: str
    """Its path below the folder of sources, with forward slashes."""
    text: str
    weight: float
    """How much of it to see: its characters, those of tests counted by a third."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """The documents to learn from and the ones to measure on."""

    training: tuple[Document, ...]
    held_out: tuple[Document, ...]
    digest: str
    """Changes when any text changes."""


def standard_library() -> Path:
    """Return the folder of the running interpreter's standard library."""
    return Path(sysconfig.get_path("stdlib"))


def read_corpus(folders: Iterable[Path]) -> Corpus:
    """Read all Python files below the folders; raise `ModelError` where there is nothing to learn from."""
    training: list[Document] = []
    held_out: list[Document] = []
    digest = hashlib.sha256()
    seen: set[bytes] = set()
    for folder in folders:
        if not folder.is_dir():
            raise ModelError(f"There is no folder {folder} to read sources from: name one that exists.")
        for document in _documents(folder):
            mark = hashlib.sha256(document.text.encode()).digest()
            if mark in seen:
                continue
            seen.add(mark)
            digest.update(mark)
            # By content, so that the same text is held out wherever and whenever it is read.
            (held_out if mark[0] % _HELD_OUT_IN == 0 else training).append(document)
    if not training:
        raise ModelError(
            "The folders of sources hold no Python file that parses: name others with --sources."
        )
    return Corpus(tuple(training), tuple(held_out), digest.hexdigest())


def _documents(folder: Path) -> Iterator[Document]:
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder).parts
        if _LEFT_OUT.intersection(parts):
            continue
        text = _text(path)
        if text is not None and _LEAST_CHARACTERS <= len(text) <= _MOST_CHARACTERS and _is_program(text):
            weight = len(text) * (1 / 3 if _TEST_FOLDERS.intersection(parts) else 1.0)
            yield Document("/".join(parts), text, weight)


def _text(path: Path) -> str | None:
    """Return a file's text with its newlines made plain, or None if it cannot be read."""
    try:
        with tokenize.open(path) as file:
            return file.read()
    except (OSError, SyntaxError, UnicodeDecodeError):
        return None


def _is_program(text: str) -> bool:
    data = text.encode()
    if len(zlib.compress(data, 1)) < _LEAST_RATIO * len(data):
        return False
    if text.count("\\x") + text.count("\\u") + text.count("0x") > _MOST_ESCAPES * len(text):
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
