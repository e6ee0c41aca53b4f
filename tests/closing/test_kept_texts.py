"""The shortest texts of a language are the same, whether they were found now or in another run."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.languages import shared_language

from dovetail.closing.kept_texts import KeptTexts, read_texts, texts_file, write_texts
from dovetail.closing.spelling import Spelling
from dovetail.grammar.library import languages
from dovetail.quotient.machine import Machine

if TYPE_CHECKING:
    from pathlib import Path

    from dovetail.grammar.compiled import Compiled

NAMES = sorted(languages())


# Of the whole module, so that tables are read from the cache that is kept: to build all takes half a minute.
@pytest.fixture(name="compiled", scope="module", params=NAMES)
def _compiled(request: pytest.FixtureRequest) -> Compiled:
    name: str = request.param
    return shared_language(name).machine.compiled


@pytest.fixture(name="go", scope="module")
def _go() -> Compiled:
    return shared_language("go").machine.compiled


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platformdirs.user_cache_path", lambda _name: tmp_path)


def test_a_later_run_has_the_same_texts(compiled: Compiled) -> None:
    """Spellings and yields are those that the first run found, and are read and not found again."""
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


def test_a_damaged_file_is_not_read(go: Compiled, tmp_path: Path) -> None:
    """Texts are found anew, and the file is written anew."""
    file = texts_file(go)
    assert file is not None
    found = Machine(go).yields.of
    right = file.read_bytes()
    for data in (b"", right[:-1], right[:-1] + bytes([right[-1] ^ 1])):
        file.write_bytes(data)
        assert read_texts(file) is None
        assert Machine(go).yields.of == found
        assert file.read_bytes() == right
    write_texts(tmp_path / "other.texts", KeptTexts([], []))
    file.write_bytes((tmp_path / "other.texts").read_bytes())
    assert read_texts(file) is None, "a file of another language under this name"


def test_another_language_has_another_file(go: Compiled) -> None:
    """One production more or less, or another mode, decides anew."""
    productions = go.productions
    fewer = replace(productions, lefts=productions.lefts[:-1], rights=productions.rights[:-1])
    others = [
        go,
        replace(go, productions=fewer),
        replace(go, modes=[*go.modes[1:], go.modes[0]]),
        replace(go, deepest=7),
        shared_language("lua").machine.compiled,
    ]

    assert len({texts_file(other) for other in others}) == len(others)
    assert texts_file(shared_language("json").machine.compiled) is None, "found as fast as a file is read"
