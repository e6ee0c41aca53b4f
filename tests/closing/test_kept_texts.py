"""The shortest texts of a language are the same, whether they were found now or in another run."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

import dovetail
from dovetail.closing.kept_texts import KeptTexts, read_texts, texts_file, write_texts
from dovetail.closing.spelling import Spelling
from dovetail.grammar.library import languages
from dovetail.quotient.machine import Machine

if TYPE_CHECKING:
    from pathlib import Path

NAMES = sorted(languages())


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platformdirs.user_cache_path", lambda _name: tmp_path)


@pytest.mark.parametrize("name", NAMES)
def test_a_later_run_has_the_same_texts(name: str) -> None:
    """Spellings and yields are those that the first run found, and are read and not found again."""
    compiled = dovetail.load_language(name).machine.compiled
    first, later = Machine(compiled), Machine(compiled)
    found = first.yields.of

    file = texts_file(compiled)
    if file is not None:
        assert read_texts(file) == KeptTexts(first.spelling.words, found)
    assert later.yields.of == found
    assert later.spelling.words == Spelling(later.lexer).words
    assert later.spelling.texts == first.spelling.texts
    pairs = [(before, after) for before in range(0, first.compiled.end, 7) for after in range(0, first.compiled.end, 5)]
    for before, after in pairs:
        assert later.yields.between((before,), (after,), 0) == first.yields.between((before,), (after,), 0)


def test_a_damaged_file_is_not_read(tmp_path: Path) -> None:
    """Texts are found anew, and the file is written anew."""
    compiled = dovetail.load_language("go").machine.compiled
    file = texts_file(compiled)
    assert file is not None
    found = Machine(compiled).yields.of
    right = file.read_bytes()
    for data in (b"", right[:-1], right[:-1] + bytes([right[-1] ^ 1])):
        file.write_bytes(data)
        assert read_texts(file) is None
        assert Machine(compiled).yields.of == found
        assert file.read_bytes() == right
    write_texts(tmp_path / "other.texts", KeptTexts([], []))
    file.write_bytes((tmp_path / "other.texts").read_bytes())
    assert read_texts(file) is None, "a file of another language under this name"


def test_another_language_has_another_file() -> None:
    """One production more or less, or another mode, decides anew."""
    compiled = dovetail.load_language("go").machine.compiled
    productions = compiled.productions
    fewer = replace(productions, lefts=productions.lefts[:-1], rights=productions.rights[:-1])
    others = [
        compiled,
        replace(compiled, productions=fewer),
        replace(compiled, modes=[*compiled.modes[1:], compiled.modes[0]]),
        replace(compiled, deepest=7),
        dovetail.load_language("lua").machine.compiled,
    ]

    assert len({texts_file(other) for other in others}) == len(others)
    assert texts_file(dovetail.load_language("json").machine.compiled) is None, "found as fast as a file is read"
