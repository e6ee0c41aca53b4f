"""Facts about a language that people, editors and other programs go by; its parser needs few of them.

They stand at the top of `NAME.toml`, beside the lexical description, and are read without compiling the language.
"""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from dovetail.grammar.errors import GrammarError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

KEYS = frozenset(
    {
        "title",
        "identifiers",
        "extensions",
        "files",
        "versions",
        "comment",
        "documentation",
        "imports",
        "declarations",
        "encoding",
    }
    | {"implementations", "oracle", "notebook", "sample", "requirement", "interpreters", "folders_are_packages"}
    | {"also_reads", "narrower"}
)
"""The keys of a description that are facts."""


@dataclass(frozen=True, slots=True)
class Oracle:
    """The language's real parser, where a Python program can call it."""

    call: str
    """`module:function`; the function takes the text and raises an exception for one that it refuses."""
    limits: tuple[str, ...] = ()
    """Words of errors that speak of the parser's own limits, not of the language."""
    undecided: str | None = None
    """A regular expression of texts about which the parser is known to be wrong."""
    callbacks: Mapping[str, str] = field(default_factory=dict)
    """Keyword arguments of the function that are functions themselves, as `module:function`."""
    compiler: str | None = None
    """`module:function`, or None; the function takes a text, and with `cell` whether it is a cell of a notebook, and
    raises SyntaxError also for what the parser leaves to a later stage."""


@dataclass(frozen=True, slots=True)
class VersionPlace:
    """The place where projects say which versions of the language they support, as in PEP 440."""

    file: str
    """The name of a TOML file in a folder above the project's files."""
    key: str
    """The key in it, with dots between tables."""


@dataclass(frozen=True, slots=True)
class Notebook:
    """The form of the commands in the language's notebooks that are not part of the language."""

    command: str
    """A regular expression for the beginning of a line that is a command, after its blanks."""
    statement: str
    """The text that replaces a command's beginning so that the line means nothing: as long as what it replaces."""
    cell: str
    """A regular expression for the beginning of a cell that is one command; its group `name` is the command."""
    transparent: frozenset[str] = frozenset()
    """Commands for a whole cell whose text is the language nevertheless."""


@dataclass(frozen=True, slots=True)
class SignedTexts:
    """The texts of another language that are read in this one, which is wider."""

    language: str
    """The name of the other language."""
    signs: tuple[str, ...]
    """A text that holds one of these is read in this language."""

    def has(self, text: str) -> bool:
        """Return whether a text holds a sign.

        >>> SignedTexts("plain", ("</", "'react'")).has("import { useState } from 'react'")
        True
        """
        return any(sign in text for sign in self.signs)


@dataclass(frozen=True, slots=True)
class NarrowerTexts:
    """The texts of a language that are read in a narrower one, as modules are, without what scripts alone may hold.

    A text is one of them if a sign stands in it outside of comments and texts. From where that cannot be told any more,
    no sign counts: a text that is read in the wider language loses nothing.
    """

    language: str
    """The name of the narrower language, which nobody asks for."""
    sign: str
    """A regular expression for a sign."""
    passed: str
    """One for what is passed at a time on the way to it, as a comment; where it fits nowhere, the search ends."""
    rules: tuple[str, ...] = ()
    """Rules of the wider grammar that only texts of the narrower language hold. Where the parse of a whole text tells
    them, it is known even without a sign."""
    hint: str = ""
    """A regular expression that all texts with these rules hold, so that the others are not read for them."""

    def has(self, text: str) -> bool:
        r"""Return whether a text holds a sign.

        >>> modules = NarrowerTexts("module", r"(?m)^import\b", r"[^'/]|'[^']*'")
        >>> modules.has("f()\nimport a"), modules.has("'\nimport'"), modules.has("/import")
        (True, False, False)
        """
        sign, passed, at = re.compile(self.sign), re.compile(self.passed), 0
        if sign.search(text) is None:  # As in most texts, which then are not read here.
            return False
        while sign.match(text, at) is None:
            found = passed.match(text, at)
            if found is None or found.end() == at:
                return False
            at = found.end()
        return True


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts of a language besides its syntax."""

    name: str
    """The stem of its files; what `load_language` takes."""
    title: str
    """The name that people use."""
    identifiers: tuple[str, ...] = ()
    """The names that editors give it (`languageId` in the Language Server Protocol, `filetype` in Neovim)."""
    extensions: tuple[str, ...] = ()
    """Endings of file names, each with its dot."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Pattern of file names that belong to the language whatever their ending → the version that such files are in.

    A pattern is a name with `*` for any characters, or the ends of a path with `/`; it is in small letters.
    """
    interpreters: Mapping[str, str] = field(default_factory=dict)
    """Pattern of the programs that run the language's files → the version that they run, empty for any.

    A pattern is a name with `*` for any characters. The first line of a script names such a program.
    """
    versions: tuple[str, ...] = ()
    """Targets, oldest first."""
    comment: str | None = None
    """The sign that begins a comment that goes to the end of its line, or None."""
    documentation: str | None = None
    """A regular expression for the beginning of a line, after its blanks, that opens a documentation text; or None."""
    imports: str | None = None
    """A regular expression for a whole import, after its blanks; or None.

    Its group `names` holds the names, its group `source` where they come from, if the language has the two apart.
    """
    declarations: str | None = None
    """A regular expression for the beginning of a line, after its blanks, that declares a function or a type, as far as
    two equal ones in one block are a mistake, with the name as its group `name`; or None."""
    folders_are_packages: bool = False
    """True if the files of one folder see each other's names without an import."""
    implementations: tuple[str, ...] = ()
    """Values of `sys.implementation.name` for interpreters that run this language as well as Dovetail."""
    oracle: Oracle | None = None
    notebook: Notebook | None = None
    requirement: VersionPlace | None = None
    encoding: str | None = None
    """A regular expression for one of a file's first two lines that names the file's encoding, as its group 1."""
    sample: tuple[str, str] | None = None
    """A left and a right text that a short completion fits between, to try a model with."""
    also_reads: SignedTexts | None = None
    narrower: NarrowerTexts | None = None

    @property
    def is_asked_for(self) -> bool:
        """True if files have names of this language, or editors name it. For a narrower one their texts decide."""
        return bool(self.identifiers or self.extensions or self.files)

    def version_of(self, path: str) -> str | None:
        """Return the version that files of this name are in, or None for a name that `files` does not tell.

        >>> Facts("mine", "Mine", files={"settings.json": "2"}).version_of("project/Settings.json")
        '2'
        """
        name = f"/{path.lower().replace(os.sep, '/')}"
        return next((version for pattern, version in self.files.items() if _ends_like(pattern).search(name)), None)

    def version_run(self, program: str) -> str | None:
        """Return the version that a program runs, empty for any, or None for one that does not run the language.

        >>> Facts("mine", "Mine", interpreters={"mine2": "2", "mine*": ""}).version_run("mine2")
        '2'
        """
        name = f"/{program}"
        return next((version for known, version in self.interpreters.items() if _ends_like(known).search(name)), None)

    @property
    def is_running(self) -> bool:
        """True if the interpreter that runs Dovetail runs this language."""
        return sys.implementation.name in self.implementations

    @property
    def default_target(self) -> str | None:
        """The version of a program of which nothing else is known: the one that runs here, or None for the newest."""
        running = f"{sys.version_info.major}.{sys.version_info.minor}"
        return running if self.is_running and running in self.versions else None


@cache
def _ends_like(pattern: str) -> re.Pattern[str]:
    """Return the regular expression of paths that end like a pattern, in which `*` stands for any part of a name."""
    return re.compile("/" + "[^/]*".join(map(re.escape, pattern.split("*"))) + r"\Z")


def read_facts(path: Path, header: Mapping[str, Any]) -> Facts:
    """Return the facts of a description as TOML has it; `path` is its file, for messages.

    Raises GrammarError for a value of the wrong form.
    """
    name = path.stem
    notebook, oracle, requirement = header.get("notebook"), header.get("oracle"), header.get("requirement")
    try:
        facts = Facts(
            name=name,
            title=header.get("title", name),
            identifiers=tuple(header.get("identifiers", (name,))),
            extensions=tuple(header.get("extensions", ())),
            files=dict(header.get("files", {})),
            interpreters=dict(header.get("interpreters", {})),
            versions=tuple(header.get("versions", ())),
            comment=header.get("comment"),
            documentation=header.get("documentation"),
            imports=header.get("imports"),
            declarations=header.get("declarations"),
            folders_are_packages=bool(header.get("folders_are_packages", False)),
            implementations=tuple(header.get("implementations", ())),
            oracle=None if oracle is None else Oracle(**{**oracle, "limits": tuple(oracle.get("limits", ()))}),
            notebook=None
            if notebook is None
            else Notebook(**{**notebook, "transparent": frozenset(notebook.get("transparent", ()))}),
            requirement=None if requirement is None else VersionPlace(**requirement),
            encoding=header.get("encoding"),
            sample=None if "sample" not in header else (header["sample"]["left"], header["sample"]["right"]),
            also_reads=_signed_texts(header.get("also_reads")),
            narrower=None if "narrower" not in header else _narrower_texts(header["narrower"]),
        )
    except KeyError as missing:
        raise GrammarError(f"{path}: [sample] lacks `{missing.args[0]}`; add it.") from None
    except (TypeError, AttributeError) as error:
        raise GrammarError(f"{path}: a fact about the language has the wrong form: {error}.") from None
    _check(path, facts)
    return facts


def _narrower_texts(header: Mapping[str, Any]) -> NarrowerTexts:
    return NarrowerTexts(**{**header, "rules": tuple(header.get("rules", ()))})


def _signed_texts(written: Mapping[str, Any] | None) -> SignedTexts | None:
    return None if written is None else SignedTexts(**{**written, "signs": tuple(written.get("signs", ()))})


def _check(path: Path, facts: Facts) -> None:
    """Raise GrammarError for a fact that cannot be used."""
    for pattern, version in facts.files.items():
        if version not in facts.versions:
            raise GrammarError(f"{path}: [files] gives {pattern!r} the version {version!r}; name one of `versions`.")
    for pattern, version in facts.interpreters.items():
        if version not in ("", *facts.versions):
            message = f'gives {pattern!r} the version {version!r}; name one of `versions`, or none with ""'
            raise GrammarError(f"{path}: [interpreters] {message}.")
    if facts.requirement is not None and not all(re.fullmatch(r"\d+\.\d+", version) for version in facts.versions):
        raise GrammarError(f"{path}: with [requirement], `versions` have to be two numbers each, as `1.2`.")
    oracle = facts.oracle
    compilers = [] if oracle is None or oracle.compiler is None else [oracle.compiler]
    for call in () if oracle is None else (oracle.call, *compilers, *oracle.callbacks.values()):
        if not re.fullmatch(r"[\w.]+:\w+", call):
            raise GrammarError(f"{path}: [oracle] names the function {call!r}; write it as `module:function`.")
    patterns = [("undecided", facts.oracle.undecided)] if facts.oracle and facts.oracle.undecided else []
    if facts.encoding is not None:
        patterns.append(("encoding", facts.encoding))
    patterns += [("documentation", facts.documentation)] if facts.documentation is not None else []
    patterns += [("imports", facts.imports)] if facts.imports is not None else []
    patterns += [("declarations", facts.declarations)] if facts.declarations is not None else []
    if facts.narrower is not None:
        patterns += [(key, getattr(facts.narrower, key)) for key in ("sign", "passed", "hint")]
    if facts.notebook is not None:
        patterns += [("command", facts.notebook.command), ("cell", facts.notebook.cell)]
    for key, pattern in patterns:
        try:
            re.compile(pattern)
        except re.error as error:
            raise GrammarError(f"{path}: `{key}` is no regular expression: {error}.") from None
    if facts.imports is not None and "names" not in re.compile(facts.imports).groupindex:
        raise GrammarError(f"{path}: `imports` lacks a group `names`: write `(?P<names>…)` around the imported names.")
    if facts.declarations is not None and "name" not in re.compile(facts.declarations).groupindex:
        raise GrammarError(
            f"{path}: `declarations` lacks a group `name`: write `(?P<name>…)` around the declared name."
        )
