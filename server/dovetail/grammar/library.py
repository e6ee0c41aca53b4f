"""From the name of a language, or the path of a grammar, to its compiled form; kept on disk between runs."""

from __future__ import annotations

import hashlib
import json
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import platformdirs

from dovetail.grammar.compiled import Compiled, compile_language, from_json, to_json
from dovetail.grammar.description import read_header, resolve
from dovetail.grammar.errors import GrammarError
from dovetail.grammar.reading import GrammarText, read_grammar

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

_HERE = Path(__file__).resolve()
# An installed package holds the grammars; a checkout has them at its top level.
_PLACES = (_HERE.parents[1] / "grammars", _HERE.parents[3] / "grammars")


def grammar_folder() -> Path:
    """Return the folder of the grammars that come with Dovetail."""
    for place in _PLACES:
        if place.is_dir():
            return place
    raise AssertionError("the package was installed without its grammars")


@cache
def languages() -> dict[str, tuple[str, ...]]:
    """Return the languages that come with Dovetail and the file name extensions of each."""
    found = {}
    for path in sorted(grammar_folder().glob("*.lark")):
        found[path.stem] = tuple(read_header(path.with_suffix(".toml")).get("extensions", ()))
    return found


def language_of(path: str) -> str | None:
    """Return the language of a file by its name, or None."""
    extension = Path(path).suffix.lower()
    return next((name for name, extensions in languages().items() if extension in extensions), None)


def find_grammar(name_or_path: str | os.PathLike[str]) -> Path:
    """Return the grammar file of a language that comes with Dovetail, or the path itself if it is one."""
    if isinstance(name_or_path, str) and name_or_path in languages():
        return grammar_folder() / f"{name_or_path}.lark"
    path = Path(name_or_path)
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
    header = read_header(path.with_suffix(".toml"))
    versions = tuple(header.get("versions", ()))
    if target is not None and target not in versions:
        known = ", ".join(versions) or "none"
        raise GrammarError(f"{path}: there is no version {target} of this language; known are {known}.")
    if target is None and versions:
        target = versions[-1]
    try:
        text = path.read_bytes()
    except OSError as error:
        raise GrammarError(f"{path}: the grammar cannot be read: {error.strerror}.") from None
    kept = _cache_file(path.stem, text, header, target)
    compiled = _read_cache(kept)
    if compiled is None:
        grammar = read_grammar(path, header.get("start", "start"))
        try:
            description = resolve(path.with_suffix(".toml"), header, grammar)
        except (TypeError, AttributeError) as error:
            beside = path.with_suffix(".toml")
            raise GrammarError(f"{beside}: a value is not of the form that it should be: {error}.") from None
        compiled = compile_language(path.stem, grammar, description, target)
        check(compiled, grammar)
        _write_cache(kept, compiled)
    return compiled


@cache
def _code_digest() -> bytes:
    """Return a digest of the code that makes tables, so that a new version never reads old ones."""
    digest = hashlib.sha256()
    for folder in (_HERE.parent, _HERE.parents[1] / "automata", _HERE.parents[1] / "lexing"):
        for source in sorted(folder.glob("*.py")):
            digest.update(source.read_bytes())
    return digest.digest()


def _cache_file(name: str, text: bytes, header: dict[str, Any], target: str | None) -> Path:
    digest = hashlib.sha256(_code_digest())
    digest.update(text)
    digest.update(json.dumps([header, target], sort_keys=True).encode())
    return platformdirs.user_cache_path("dovetail") / "languages" / f"{name}-{digest.hexdigest()[:32]}.json"


def _read_cache(path: Path) -> Compiled | None:
    """Return what is kept, or None if there is nothing or it is not whole; what cannot be read is made again."""
    try:
        body = path.read_bytes()
        checksum, _, text = body.partition(b"\n")
        if hashlib.sha256(text).hexdigest().encode() != checksum:
            return None
        return from_json(json.loads(text))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _write_cache(path: Path, compiled: Compiled) -> None:
    """Keep a language; where the disk refuses, nothing is kept and nothing is lost."""
    text = json.dumps(to_json(compiled), separators=(",", ":")).encode()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as part:
            part.write(hashlib.sha256(text).hexdigest().encode() + b"\n" + text)
        Path(part.name).replace(path)     # whole or not at all, also for a process beside this one
    except OSError:
        return
