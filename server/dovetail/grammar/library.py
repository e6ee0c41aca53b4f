"""From the name of a language, or the path of a grammar, to its compiled form; kept on disk between runs."""

from __future__ import annotations

import hashlib
import marshal
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

from dovetail.grammar.compiled import Compiled, compile_language, from_plain, to_plain
from dovetail.grammar.errors import GrammarError
from dovetail.grammar.facts import Facts, read_facts
from dovetail.grammar.keeping import open_kept, write_kept

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from dovetail.grammar.reading import GrammarText

_HERE = Path(__file__).resolve()
# An installed package holds the grammars; a checkout has them at its top level.
_FORMAT = 2  # of marshal: plain values and nothing else, the same bytes for the same values
_PLACES = (_HERE.parents[1] / "grammars", _HERE.parents[3] / "grammars")


def grammar_folder() -> Path:
    """Return the folder of the grammars that come with Dovetail."""
    for place in _PLACES:
        if place.is_dir():
            return place
    raise AssertionError("the package was installed without its grammars")


@cache
def languages() -> dict[str, Facts]:
    """Return the facts of the languages that come with Dovetail, by name.

    Raises GrammarError for a description that is wrong.
    """
    from dovetail.grammar.description import read_header

    found = {}
    for path in sorted(grammar_folder().glob("*.lark")):
        beside = path.with_suffix(".toml")
        found[path.stem] = read_facts(beside, read_header(beside))
    return found


def language_of(path: str) -> str | None:
    """Return the name of a file's language by the file's name, or None.

    >>> language_of("src/example.pyi")
    'python'
    """
    extension = Path(path).suffix.lower()
    return next((name for name, facts in languages().items() if extension in facts.extensions), None)


def language_called(identifier: str) -> str | None:
    """Return the name of the language that editors call by an identifier, or None."""
    return next((name for name, facts in languages().items() if identifier in facts.identifiers), None)


def running_language() -> Facts:
    """Return the facts of the language that runs Dovetail itself, whose parser is always at hand.

    Raises GrammarError under an interpreter that no description names.
    """
    for facts in languages().values():
        if facts.is_running:
            return facts
    raise GrammarError(f"No grammar names the interpreter {sys.implementation.name}; run Dovetail under CPython.")


def find_grammar(name_or_path: str | os.PathLike[str]) -> Path:
    """Return the grammar file of a language that comes with Dovetail, or the path itself if it is one."""
    path = Path(name_or_path)
    if isinstance(name_or_path, str) and path.name == name_or_path:
        known = grammar_folder() / f"{name_or_path}.lark"
        if known.is_file():
            return known
    if path.suffix == ".lark":
        return path
    raise GrammarError(
        f"unknown language `{name_or_path}`; known are {', '.join(languages())}, or the path of a .lark file."
    )


def load_compiled(
    name_or_path: str | os.PathLike[str], target: str | None, check: Callable[[Compiled, GrammarText], None]
) -> Compiled:
    """Return a language ready to run, from the disk cache if its files have not changed.

    One that is made anew is checked first. Raises GrammarError for an unknown language or target, and for a grammar
    that is wrong.
    """
    path = find_grammar(name_or_path)
    kept = _cache_file(path, target)
    compiled = _read_cache(kept)
    if compiled is None:
        compiled = _compile(path, target, check)
        _write_cache(kept, compiled)
    return compiled


def _compile(path: Path, target: str | None, check: Callable[[Compiled, GrammarText], None]) -> Compiled:
    """Make a language from its files and check it."""
    # Only here: to import Lark takes longer than to read a language that is kept.
    from dovetail.grammar.description import read_header, resolve
    from dovetail.grammar.reading import read_grammar

    beside = path.with_suffix(".toml")
    header = read_header(beside)
    versions = tuple(header.get("versions", ()))
    if target is not None and target not in versions:
        known = ", ".join(versions) or "none"
        raise GrammarError(f"{path}: there is no version {target} of this language; known are {known}.")
    if target is None and versions:
        target = versions[-1]
    grammar = read_grammar(path, header.get("start", "start"))
    try:
        description = resolve(beside, header, grammar)
    except (TypeError, AttributeError) as error:
        raise GrammarError(f"{beside}: a value is not of the form that it should be: {error}.") from None
    compiled = compile_language(path.stem, grammar, description, target)
    check(compiled, grammar)
    return compiled


@cache
def code_digest(*stages: str) -> bytes:
    """Return a digest of the code of some stages, so that what they keep on disk is read by no other version."""
    digest = hashlib.sha256()
    for stage in stages:
        for source in sorted((_HERE.parents[1] / stage).rglob("*.py")):
            digest.update(source.read_bytes())
    return digest.digest()


def _cache_file(path: Path, target: str | None) -> Path:
    """Return where a language is kept: the name changes with its files, the target and the code."""
    digest = hashlib.sha256(code_digest("grammar", "automata", "lexing"))
    for source in (path, path.with_suffix(".toml")):
        try:
            text = source.read_bytes()
        except FileNotFoundError:
            text = b""
        except OSError as error:
            raise GrammarError(f"{source}: the grammar cannot be read: {error.strerror}.") from None
        digest.update(hashlib.sha256(text).digest())
    digest.update(repr(target).encode())
    return platformdirs.user_cache_path("dovetail") / "languages" / f"{path.stem}-{digest.hexdigest()[:32]}.tables"


def _read_cache(path: Path) -> Compiled | None:
    """Return what is kept, or None if there is nothing or it is not whole; what cannot be read is made again."""
    try:
        with open_kept(path) as file:
            checksum, _, text = file.read().partition(b"\n")
        if _checksum(path, text) != checksum:
            return None
        return from_plain(marshal.loads(text))
    except (OSError, ValueError, KeyError, TypeError, EOFError):
        return None


def _write_cache(path: Path, compiled: Compiled) -> None:
    """Keep a language; where the disk refuses, nothing is kept and nothing is lost."""
    text = marshal.dumps(to_plain(compiled), _FORMAT)
    write_kept(path, (_checksum(path, text), b"\n", text))


def _checksum(path: Path, text: bytes) -> bytes:
    """Return a digest of what a file holds and of its name, which says what it is for."""
    return hashlib.sha256(path.name.encode() + b"\n" + text).hexdigest().encode()
