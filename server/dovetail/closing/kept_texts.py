"""KeptTexts: the shortest texts of a language's terminals and symbols, kept on disk.

They follow from the grammar alone. For a large one they take a second to find, which the first text that is closed in
a process would wait for, and some milliseconds to read.
"""

from __future__ import annotations

import hashlib
import marshal
from typing import TYPE_CHECKING, NamedTuple

import platformdirs

from dovetail.closing.yields import Yield
from dovetail.grammar.compiled import to_plain
from dovetail.grammar.disk_cache import code_digest, read_cached, write_cached

if TYPE_CHECKING:
    from pathlib import Path

    from dovetail.grammar.compiled import Compiled

CODE = ("automata", "closing", "grammar", "lexing")
"""The folders whose code decides which texts are the shortest."""

_DECIDING = ("productions", "automata", "modes", "layout", "errors", "literals", "deepest")
"""The parts of a language that decide which texts are the shortest."""

_FORMAT = 2  # of marshal: plain values and nothing else

_SMALL = 200
"""Productions of a grammar whose texts are found as fast as a file is read."""


class KeptTexts(NamedTuple):
    """The texts of one language that are kept."""

    words: list[dict[int, str]]
    """Automaton of a mode → terminal → its shortest spelling there."""
    yields: list[tuple[Yield, ...]]
    """Symbol → its yields, shortest first."""


def texts_file(compiled: Compiled) -> Path | None:
    """Return the file for the texts of a language, or None for a small one.

    Its name changes with all that decides these texts.
    """
    if len(compiled.productions.lefts) < _SMALL:
        return None
    plain = to_plain(compiled)
    digest = hashlib.sha256(code_digest(*CODE))
    digest.update(marshal.dumps([plain[part] for part in _DECIDING], _FORMAT))
    name = f"{compiled.name}-{digest.hexdigest()[:32]}.texts"
    return platformdirs.user_cache_path("dovetail") / "languages" / name


def read_texts(path: Path) -> KeptTexts | None:
    """Return the texts of a file, or None if there is none that is whole."""
    data = read_cached(path)
    if data is None:
        return None
    try:
        words, yields = marshal.loads(data)
        return KeptTexts(words, [tuple(Yield._make(way) for way in ways) for ways in yields])
    except (ValueError, TypeError, EOFError):
        return None


def write_texts(path: Path, texts: KeptTexts) -> None:
    """Write a file; a disk that refuses costs nothing but time."""
    plain = texts.words, [[tuple(way) for way in ways] for ways in texts.yields]
    write_cached(path, (marshal.dumps(plain, _FORMAT),))
