"""Languages built upon others: the files of all layers, and one lexical description made of theirs.

A description names its base by `base`. The layers of a language are its bases, each after its own bases, and then the
language itself. A base that several layers have stands once, where it is first needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from dovetail.grammar.errors import GrammarError

_HERE = Path(__file__).resolve()
# An installed package holds the grammars; a checkout has them at its top level.
_PLACES = (_HERE.parents[1] / "grammars", _HERE.parents[3] / "grammars")

_OWN = frozenset(
    {"base", "title", "identifiers", "extensions", "files", "interpreters", "folders_are_packages", "implementations"}
    | {"oracle", "notebook", "also_reads", "narrower"}
)
"""Keys that say something about one language, and nothing about those that are built upon it."""
_LISTS = ("forbidden", "errors", "blocks", "labels", "header_ends", "brace_ends", "modes", "quotes")
"""Keys whose values are those of all layers together."""
_TABLES = ("since", "before", "phrases", "brackets", "mistakes")
"""Keys whose tables hold the entries of all layers; the last layer that has an entry decides it."""


@dataclass(frozen=True, slots=True)
class Layers:
    """The layers of one language, put together."""

    header: dict[str, Any]
    """The description, as TOML would hold it."""
    grammars: tuple[Path, ...]
    """The grammar files, each after those that it is built upon; the language's own is the last."""
    settled: frozenset[str] = frozenset()
    """Versions of the bases that are no versions of this language, which is built upon the newest ones."""

    @property
    def bases(self) -> tuple[str, ...]:
        """The files of the layers below the language itself."""
        return tuple(str(file) for path in self.grammars[:-1] for file in (path, path.with_suffix(".toml")))


def grammar_folder() -> Path:
    """Return the folder of the grammars that come with Dovetail."""
    for place in _PLACES:
        if place.is_dir():
            return place
    raise AssertionError("the package was installed without its grammars")


def read_header(path: Path) -> dict[str, Any]:
    """Return a lexical description as TOML holds it, with what it has from its bases.

    It is empty if there is no such file. Raises GrammarError for a file or a base that cannot be read.
    """
    return read_layers(path).header


def read_layers(path: Path) -> Layers:
    """Return the layers of the language whose description is `path`.

    Raises GrammarError for a file that cannot be read, an unknown base, and a language that is built upon itself.
    """
    return _read(path, ())


def _read(path: Path, above: tuple[Path, ...]) -> Layers:
    own = _read_one(path)
    named = own.get("base", [])
    names = [named] if isinstance(named, str) else named
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise GrammarError(f'{path}: `base` is {named!r}; write the name of a language, or a list of names: `["x"]`.')
    grammar = path.with_suffix(".lark")
    if not names:
        return Layers(own, (grammar,))
    chain = (*above, path.resolve())
    order: dict[Path, dict[str, Any]] = {}
    for name in names:
        beside = _find_base(path, name)
        if beside.resolve() in chain:
            raise GrammarError(f"{path}: `{name}` is built upon this language; take one of the two out of `base`.")
        for layer in _read(beside, chain).grammars:
            order.setdefault(layer, _read_one(layer.with_suffix(".toml")))
    order[grammar] = own
    header: dict[str, Any] = {}
    for layer, entries in order.items():
        header = _merged(layer.with_suffix(".toml"), header, entries)
    header |= {key: own[key] for key in _OWN if key in own}
    known = {version for entries in order.values() for version in entries.get("versions", ())}
    settled = frozenset(known.difference(header.get("versions", ())))
    return Layers(_settle(header, settled), tuple(order), settled)


def _find_base(path: Path, name: str) -> Path:
    """Return the description of a base: one beside the language, or one that comes with Dovetail."""
    for folder in (path.parent, grammar_folder()):
        if (folder / f"{name}.lark").is_file():
            return folder / f"{name}.toml"
    raise GrammarError(
        f"{path}: the base `{name}` is unknown; name a language of Dovetail, or put {name}.lark beside this file."
    )


def _read_one(path: Path) -> dict[str, Any]:
    try:
        return dict(_parsed(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:  # Text that is no UTF-8, or no TOML, is a ValueError.
        raise GrammarError(f"{path}: the lexical description cannot be read: {error}.") from None


@lru_cache(maxsize=32)
def _parsed(text: str) -> dict[str, Any]:
    """Return what a text of TOML holds, which nobody changes: each language built upon a base asks for that anew."""
    import tomllib  # Only here: a language that is in the cache is loaded without it.

    return tomllib.loads(text)


def _merged(path: Path, below: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """Return the description of some layers with one more upon them; `path` is its file, for messages."""
    for key in (*_LISTS, *_TABLES, "groups"):
        wanted, form = (list, "a list") if key in _LISTS else (dict, "a table")
        if not isinstance(own.get(key, wanted()), wanted):
            raise GrammarError(f"{path}: `{key}` is {own[key]!r}; write {form}.")
    merged = {**below, **{key: value for key, value in own.items() if key not in _OWN}}
    for key in _LISTS:
        if key in merged:
            merged[key] = [*below.get(key, []), *own.get(key, [])]
    for key in _TABLES:
        if key in merged:
            merged[key] = {**below.get(key, {}), **own.get(key, {})}
    if "groups" in merged:
        merged["groups"] = _groups(below.get("groups", {}), own.get("groups", {}))
    return merged


def _groups(below: dict[str, list[str]], own: dict[str, list[str]]) -> dict[str, list[str]]:
    """Return the groups of all layers. In a group that has its own name, the name stands for what it held below."""
    merged = dict(below)
    for name, members in own.items():
        if name in below and isinstance(members, list):
            held = below[name]
            merged[name] = [part for member in members for part in (held if member == name else [member])]
        else:
            merged[name] = members
    return merged


def _settle(header: dict[str, Any], settled: frozenset[str]) -> dict[str, Any]:
    """Return the description without the versions of its bases: what the newest ones have, it has in all versions."""
    since, before = header.get("since", {}), header.get("before", {})
    since = {name: version for name, version in since.items() if version not in settled}
    # A terminal that its base dropped exists in no version. Without versions the base's stays, and says the same.
    versions = header.get("versions")
    before = {name: versions[0] if versions and version in settled else version for name, version in before.items()}
    mistakes = header.get("mistakes", {})
    if isinstance(mistakes.get("newer"), list):
        mistakes = {**mistakes, "newer": [form for form in mistakes["newer"] if form.get("version") not in settled]}
    own = (("since", since), ("before", before), ("mistakes", mistakes))
    return {**header, **{key: table for key, table in own if key in header}}
