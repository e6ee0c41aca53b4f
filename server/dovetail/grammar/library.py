"""The library of languages: from a name or a grammar file to the compiled language."""

from __future__ import annotations

import sys
import time
from functools import cache, lru_cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from dovetail.grammar.compiled import Compiled, compile_language
from dovetail.grammar.disk_cache import is_made_elsewhere, making
from dovetail.grammar.errors import GrammarError
from dovetail.grammar.facts import Facts, NarrowerTexts, read_facts
from dovetail.grammar.language_cache import cache_file, read_language, write_language
from dovetail.grammar.layers import grammar_folder, read_header, read_layers
from dovetail.grammar.specialisation import specialised

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable

    from dovetail.grammar.reading import GrammarText


@cache
def languages() -> dict[str, Facts]:
    """Return the facts of the languages that come with Dovetail, by name; narrower ones are not among them.

    Raises GrammarError for a description that is wrong.
    """
    return {name: facts for name, facts in _described().items() if facts.is_asked_for}


def facts_of(name: str) -> Facts:
    """Return the facts of a language that comes with Dovetail, or of a narrower one that texts of it are read in.

    >>> facts_of("javascriptmodule").title
    'JavaScript'
    """
    return _described()[name]


@cache
def _described() -> dict[str, Facts]:
    found = {}
    for path in sorted(grammar_folder().glob("*.lark")):
        beside = path.with_suffix(".toml")
        found[path.stem] = read_facts(beside, read_header(beside))
    return found


@lru_cache(maxsize=1024)
def language_of(path: str) -> str | None:
    """Return the name of a file's language by the file's name, or None. A whole name goes before an ending.

    >>> language_of("src/example.pyi")
    'python'
    >>> language_of("src/package.json"), language_of("src/tsconfig.json")
    ('json', 'jsonc')
    """
    named = next((name for name, facts in languages().items() if facts.version_of(path) is not None), None)
    if named is not None:
        return named
    extension = Path(path).suffix.lower()
    return next((name for name, facts in languages().items() if extension in facts.extensions), None)


@lru_cache(maxsize=1024)
def language_run(first_line: str) -> tuple[str, str | None] | None:
    """Return the name of the language that a script's first line names a program of, and the version; or None.

    The version is None for a program that runs any.

    >>> language_run("#!/usr/bin/env python3"), language_run("#!/usr/bin/lua5.1 -W")
    (('python', None), ('lua', '5.1'))
    """
    program = _program(first_line)
    if program is not None:
        for name, facts in languages().items():
            version = facts.version_run(program)
            if version is not None:
                return name, version or None
    return None


def _program(first_line: str) -> str | None:
    """Return the name of the program that a first line names, or None; that of `env` is its first word that is one.

    >>> _program("#!/usr/bin/env -S LEVEL=2 node --test"), _program("#! /opt/bin/python3.12 -I")
    ('node', 'python3.12')
    """
    if not first_line.startswith("#!"):
        return None
    words = first_line[2:].split()
    if words and PurePosixPath(words[0]).name == "env":
        words = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
    return PurePosixPath(words[0]).name if words else None


def language_called(identifier: str) -> str | None:
    """Return the name of the language that editors call by an identifier, or None."""
    return next((name for name, facts in languages().items() if identifier in facts.identifiers), None)


def reading_of(name: str, text: str) -> str:
    """Return the name of the language that a text of a language is read in, by its signs.

    That is a wider one, as with JSX, and then a narrower one, as modules are.

    >>> reading_of("javascript", "const a = 1;"), reading_of("javascript", "const a = <b>1</b>;")
    ('javascript', 'javascriptreact')
    >>> reading_of("javascript", "export default 1;")
    'javascriptmodule'
    """
    return narrower_reading(wider_reading(name, text), text)


def wider_reading(name: str, text: str) -> str:
    """Return the name of a language, or of the wider one that has its texts with some signs: one that people know."""
    for wider in _wider(name):
        assert wider.also_reads is not None, "these read others too"
        if wider.also_reads.has(text):
            return wider.name
    return name


def readings_after(name: str, text: str) -> tuple[str, ...]:
    """Return the language that a text of a language is read in, and the one for the text with a sign more or less.

    >>> readings_after("javascript", "const a = 1;"), readings_after("json", "[]")
    (('javascript', 'javascriptmodule'), ('json',))
    """
    wider = wider_reading(name, text)
    narrower = narrower_texts(wider)
    return tuple(dict.fromkeys((reading_of(name, text), wider, *([] if narrower is None else [narrower.language]))))


def narrower_reading(name: str, text: str) -> str:
    """Return the name of the narrower language that a text of a language is in by its signs, or the language's own."""
    narrower = narrower_texts(name)
    return narrower.language if narrower is not None and narrower.has(text) else name


def narrower_texts(name: str) -> NarrowerTexts | None:
    """Return what tells the texts of a language that are read in a narrower one; None for most languages."""
    facts = _described().get(name)
    return None if facts is None else facts.narrower


@cache
def wider_of(name: str) -> str | None:
    """Return the name of the language of which a narrower one reads some texts; None for all others.

    >>> wider_of("javascriptmodule"), wider_of("javascript")
    ('javascript', None)
    """
    found = (facts.name for facts in languages().values() if facts.narrower and facts.narrower.language == name)
    return next(found, None)


@cache
def _wider(name: str) -> tuple[Facts, ...]:
    """Return the facts of the languages that read texts of a language."""
    found = (facts for facts in languages().values() if facts.also_reads is not None)
    return tuple(facts for facts in found if facts.also_reads is not None and facts.also_reads.language == name)


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
        f"There is no language `{name_or_path}`; known are {', '.join(languages())}, or the path of a .lark file."
    )


def load_compiled(
    name_or_path: str | os.PathLike[str], target: str | None, check: Callable[[Compiled, GrammarText], None]
) -> Compiled:
    """Return a compiled language, from the disk cache if its files have not changed.

    A language that is not in the cache is compiled and checked (`check`). Raises GrammarError for an unknown language
    or target, and for a grammar that is wrong.
    """
    path = find_grammar(name_or_path)
    kept = cache_file(path, target)
    compiled = read_language(kept)
    if compiled is not None:
        return compiled
    with making(kept):
        compiled = read_language(kept)  # Another process may have made it meanwhile.
        if compiled is None:
            began = time.time_ns()
            compiled, imported = _compile(path, target, check)
            if not _were_changed((str(path), str(path.with_suffix(".toml")), *imported), began):
                write_language(kept, compiled, imported)
    return compiled


def is_prepared_elsewhere(name_or_path: str | os.PathLike[str], target: str | None) -> bool:
    """Return whether another process compiles a language now."""
    return is_made_elsewhere(cache_file(find_grammar(name_or_path), target))


def _were_changed(files: Iterable[str], began: int) -> bool:
    """Return whether a file was written since a time in nanoseconds: it may be another text than the one compiled."""
    times = [Path(file).stat().st_mtime_ns for file in files if Path(file).exists()]
    return any(began <= written <= time.time_ns() for written in times)


def _compile(
    path: Path, target: str | None, check: Callable[[Compiled, GrammarText], None]
) -> tuple[Compiled, tuple[str, ...]]:
    """Compile a language from its files and check it; return it with the files that it is built upon or imports."""
    # Imported only here: importing Lark takes longer than reading a language from the cache.
    from dovetail.grammar.description import resolve
    from dovetail.grammar.reading import read_grammar

    beside = path.with_suffix(".toml")
    layers = read_layers(beside)
    header = layers.header
    versions = tuple(header.get("versions", ()))
    if target is not None and target not in versions:
        known = ", ".join(versions) or "none"
        title = header.get("title", path.name)
        raise GrammarError(f"There is no version {target} of {title}; known are {known}.")
    if target is None and versions:
        target = versions[-1]
    grammar = read_grammar(path, header.get("start", "start"), layers)
    try:
        description = resolve(beside, header, grammar)
    except (TypeError, AttributeError) as error:
        remedy = "write it as grammars/README.md says"
        raise GrammarError(f"{beside}: a value has the wrong form ({error}): {remedy}.") from None
    compiled = compile_language(path.stem, grammar, description, target)
    check(compiled, grammar)
    return specialised(compiled), (*grammar.imported, *layers.bases)
