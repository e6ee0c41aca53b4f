"""The disk cache of compiled languages: one file for each grammar, target and version of the code."""

from __future__ import annotations

import hashlib
import marshal
import re
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

from dovetail.automata.unicode_properties import library_version
from dovetail.grammar.compiled import from_plain, to_plain
from dovetail.grammar.disk_cache import code_digest, read_cached, write_cached
from dovetail.grammar.errors import GrammarError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dovetail.grammar.compiled import Compiled

CODE = ("automata", "grammar", "lexing")
"""The folders whose code decides what a compiled language holds, or whether it passes the checks."""

_FORMAT = 2  # of marshal: plain values and nothing else, the same bytes for the same values

_PROPERTY = re.compile(rb"\\[pP]\{(?!XID_(?:Start|Continue)\})")
_PYTHON_PROPERTY = re.compile(rb"\\[pP]\{")
_ON_OTHERS = re.compile(rb"^(?:\s*base\s*=|%import\b)", re.MULTILINE)
"""The part of a grammar or a description that takes from further files."""


def cache_file(grammar: Path, target: str | None) -> Path:
    """Return the cache file of a language; its name changes with the grammar's files, the target and the code.

    Raises GrammarError for a grammar that cannot be read.
    """
    digest = hashlib.sha256(code_digest(*CODE))
    for source in (grammar, grammar.with_suffix(".toml")):
        try:
            text = source.read_bytes()
        except FileNotFoundError:
            text = b""
        except OSError as error:
            raise GrammarError(f"{source}: the grammar cannot be read: {error.strerror}.") from None
        digest.update(_digest(text).encode())
        if _ON_OTHERS.search(text) is not None:
            # The same text beside other files is another language. Their texts are compared when it is read.
            digest.update(str(grammar.parent.resolve()).encode())
    digest.update(repr(target).encode())
    return platformdirs.user_cache_path("dovetail") / "languages" / f"{grammar.stem}-{digest.hexdigest()[:32]}.tables"


def read_language(path: Path) -> Compiled | None:
    """Return the language of a cache file, or None if there is none or if a file that it is built upon has changed."""
    data = read_cached(path)
    if data is None:
        return None
    try:
        kept = marshal.loads(data)
        if kept["imported"] != _digests(kept["imported"]):
            return None
        return from_plain(kept["language"])
    except (OSError, ValueError, KeyError, TypeError, EOFError):
        return None


def write_language(path: Path, compiled: Compiled, imported: Iterable[str]) -> None:
    """Write a language to its cache file; `imported` are further files that it is made from."""
    try:
        kept = {"imported": _digests(imported), "language": to_plain(compiled)}
    except OSError:
        return  # A file cannot be read any more: the next load says so.
    write_cached(path, (marshal.dumps(kept, _FORMAT),))


def _digests(paths: Iterable[str]) -> dict[str, str]:
    """Return path → digest of the file's text, or "" for a file that is not there; raise OSError for other failures."""
    return {path: _digest(Path(path).read_bytes()) if Path(path).exists() else "" for path in paths}


def _digest(text: bytes) -> str:
    """Return the digest of a text, which changes also with the tables of Unicode where the text uses them."""
    digest = hashlib.sha256(text)
    if _PROPERTY.search(text) is not None:
        digest.update(library_version().encode())  # takes milliseconds, so it is asked only where it matters
    if _PYTHON_PROPERTY.search(text) is not None:
        digest.update(unicodedata.unidata_version.encode())
    return digest.hexdigest()
