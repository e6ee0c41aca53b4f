"""Languages are found by name, file and path; what is kept on disk is never trusted blindly."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import platformdirs
import pytest

import dovetail
from dovetail.grammar import library
from dovetail.grammar.compiled import from_json, to_json
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
    (path,) = cache.rglob("*.json")
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
    """Whether it is empty, other text, a pickle or cut off in the middle, the language works."""
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
    assert list(tmp_path.rglob("*.json")) == []


def test_a_changed_grammar_is_compiled_anew(cache: Path, grammar: Path) -> None:
    """The text of the grammar is part of the name of what is kept."""
    assert works(grammar)
    grammar.write_text(GRAMMAR.replace("0-9", "a-z"), encoding="utf-8")

    assert dovetail.load_language(grammar).accepts("[a]")


@pytest.mark.parametrize("name", ["json", "python"])
def test_json_keeps_everything(name: str) -> None:
    """A language that went through JSON is the same language."""
    compiled = library.load_compiled(name, None, check_language)

    assert from_json(json.loads(json.dumps(to_json(compiled)))) == compiled
