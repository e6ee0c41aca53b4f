"""Languages are found by name, file and path; what is kept on disk is never trusted blindly."""

from __future__ import annotations

import subprocess
import sys
import unicodedata
from typing import TYPE_CHECKING, Any

import platformdirs
import pytest

import dovetail
from dovetail.grammar import library
from dovetail.grammar.compiled import Compiled, compile_language
from dovetail.grammar.language_cache import cache_file, write_language
from dovetail.lexing.checking import check_language

if TYPE_CHECKING:
    from pathlib import Path

GRAMMAR = 'start: "[" (item ("," item)*)? "]"\nitem: start | /[0-9]+/\n%ignore " "\n'


@pytest.fixture(name="cache")
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda _: tmp_path / "cache")
    return tmp_path / "cache"


@pytest.fixture(name="grammar")
def _grammar(tmp_path: Path) -> Path:
    path = tmp_path / "lists.lark"
    path.write_text(GRAMMAR, encoding="utf-8")
    return path


def kept(cache: Path) -> Path:
    """Return the one file that is kept."""
    (path,) = cache.rglob("*.tables")
    return path


def works(grammar: Path) -> bool:
    """Return whether the language loads and reads as it should."""
    language = dovetail.load_language(grammar)
    return language.accepts("[1, [2]]") and not language.accepts("[1,]")


@pytest.mark.parametrize(
    ("path", "name"), [("a.py", "python"), ("x/stub.PYI", "python"), ("a.json", "json"), ("a.txt", None), ("py", None)]
)
def test_a_file_name_says_the_language(path: str, name: str | None) -> None:
    """The extension decides, in any case of letters."""
    assert library.language_of(path) == name


def test_a_language_is_compiled_once(cache: Path, grammar: Path) -> None:
    """The second load reads what the first one kept."""
    assert works(grammar)
    written = kept(cache).stat().st_mtime_ns

    assert works(grammar)
    assert kept(cache).stat().st_mtime_ns == written


@pytest.mark.parametrize("damage", [b"", b"{}", b"\x80\x04garbage", None])
def test_a_damaged_file_is_made_again(cache: Path, grammar: Path, damage: bytes | None) -> None:
    """The language works if the file is empty, other text, a pickle or cut off in the middle."""
    assert works(grammar)
    path = kept(cache)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2] if damage is None else damage)

    assert works(grammar)
    assert path.read_bytes() == whole


def test_a_folder_that_cannot_be_written_costs_nothing(tmp_path: Path, cache: Path, grammar: Path) -> None:
    """Without a place to keep anything the language still loads."""
    cache.write_text("a file where the folder should be", encoding="utf-8")

    assert works(grammar)
    assert list(tmp_path.rglob("*.tables")) == []


def test_a_changed_grammar_is_compiled_anew(cache: Path, grammar: Path) -> None:
    """The text of the grammar is part of the name of what is kept."""
    assert works(grammar)
    grammar.write_text(GRAMMAR.replace("0-9", "a-z"), encoding="utf-8")

    assert dovetail.load_language(grammar).accepts("[a]")


def test_a_changed_import_is_compiled_anew(cache: Path, grammar: Path) -> None:
    """The text of a file from which a grammar imports terminals counts as the grammar's own."""
    parts = grammar.with_name("parts.lark")
    grammar.write_text("start: A+\n%import .parts (A)\n", encoding="utf-8")
    parts.write_text("A: /a/\n", encoding="utf-8")
    assert dovetail.load_language(grammar).accepts("aa")
    parts.write_text("A: /b/\n", encoding="utf-8")

    assert dovetail.load_language(grammar).accepts("bb")
    assert len(list(cache.rglob("*.tables"))) == 1


def test_a_grammar_that_changes_while_it_is_compiled_is_not_kept(
    cache: Path, grammar: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The text that was compiled may be that of before; the next load reads the files again."""
    parts = grammar.with_name("parts.lark")
    grammar.write_text("start: A+\n%import .parts (A)\n", encoding="utf-8")
    parts.write_text("A: /a/\n", encoding="utf-8")

    def changed(*arguments: Any) -> Compiled:
        parts.write_text("A: /b/\n", encoding="utf-8")
        return compile_language(*arguments)

    monkeypatch.setattr("dovetail.grammar.library.compile_language", changed)
    assert dovetail.load_language(grammar).accepts("aa")
    assert list(cache.rglob("*.tables")) == []
    monkeypatch.undo()
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda _: cache)

    assert dovetail.load_language(grammar).accepts("bb")


def test_unicode_of_another_version_is_compiled_anew(
    cache: Path, grammar: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Interpreters of different versions of Unicode share the files of those grammars alone that name no property."""
    named = grammar.with_name("named.lark")
    named.write_text("start: NAME\nNAME: /\\p{XID_Start}+/\n", encoding="utf-8")
    before = [cache_file(path, None) for path in (grammar, named)]
    monkeypatch.setattr(unicodedata, "unidata_version", "99.0.0")
    after = [cache_file(path, None) for path in (grammar, named)]

    assert [one == other for one, other in zip(before, after, strict=True)] == [True, False]


@pytest.mark.parametrize("name", ["json", "python"])
def test_what_is_kept_is_everything(cache: Path, name: str) -> None:
    """A language that was kept and read again is the same language, and is kept in the same bytes."""
    made = library.load_compiled(name, None, check_language)
    written = kept(cache).read_bytes()
    read = library.load_compiled(name, None, check_language)
    assert read == made
    assert read is not made

    kept(cache).unlink()
    write_language(kept_as := cache_file(library.find_grammar(name), None), read, ())
    assert kept_as.read_bytes() == written


def test_a_kept_language_needs_no_lark(cache: Path, grammar: Path) -> None:
    """A language that is kept is read without Lark, whose import takes longer than the rest."""
    assert works(grammar)
    script = (
        "import sys, dovetail, platformdirs, pathlib\n"
        "platformdirs.user_cache_path = lambda _: pathlib.Path(sys.argv[1])\n"
        "assert dovetail.load_language(sys.argv[2]).accepts('[1]')\n"
        "print('lark' in sys.modules)"
    )
    printed = subprocess.run(
        [sys.executable, "-c", script, str(cache), str(grammar)], capture_output=True, text=True, check=True
    )

    assert printed.stdout.strip() == "False"
