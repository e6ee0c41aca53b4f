"""The engine against the paper's construction on random grammars, cuts and texts."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from tests.exhaustive.comparison import Comparison, every_cut
from tests.exhaustive.dialect import as_lark
from tests.oracles.earley import derives
from tests.oracles.extraction import Quotients
from tests.oracles.productions import Grammar, terminals
from tests.strategies import small_grammars

import dovetail

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SETTINGS = settings(
    deadline=None,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.function_scoped_fixture,
        HealthCheck.filter_too_much,
    ],
)


def compare(grammar: Grammar, folder: Path, length: int) -> list[str]:
    """Return the first disagreements of engine and construction on every cut of every text up to a length."""
    path = folder / "small.lark"
    path.write_text(as_lark(grammar), encoding="utf-8")
    comparison = Comparison(
        dovetail.load_language(path),
        Quotients(grammar),
        lambda text: derives(grammar, text),
        "".join(terminals(grammar)),
    )
    return list(islice(every_cut(comparison, length), 3))


@pytest.fixture(scope="module", name="folder")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return a folder where random grammars and their tables may pile up."""
    folder = tmp_path_factory.mktemp("grammars")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder))
        yield folder


HARD: list[Grammar] = [
    {"start": [("start",), ("a",)]},
    {"start": [(), ("start", "start", "start"), ("a",)]},
    {"start": [("one", "a"), ("b",)], "one": [("two",), ("start",)], "two": [("one", "c"), ("start", "a")]},
    {"start": [("one", "two")], "one": [(), ("a", "one")], "two": [(), ("two", "b"), ("one",)]},
    {"start": [("a", "start", "a"), ("b", "start", "b"), ("a",), ("b",), ()]},
    {"start": [("a", "one", "c"), ("a", "two", "b")], "one": [("b",)], "two": [("b",), ("b", "c")]},
]
"""Cycles, hidden left recursion, palindromes and a reduction that only the second next terminal decides."""


@pytest.mark.parametrize("grammar", HARD, ids=str)
def test_hard_grammars(grammar: Grammar, folder: Path) -> None:
    """The engine agrees with the construction where parsers usually have their difficulties."""
    assert compare(grammar, folder, 4) == []


@settings(SETTINGS, max_examples=40)
@given(grammar=small_grammars())
def test_random_grammars(grammar: Grammar, folder: Path) -> None:
    """The engine agrees with the construction on every cut of every short text of a random grammar."""
    assert compare(grammar, folder, 3) == []


@pytest.mark.long
@settings(SETTINGS, max_examples=1000)
@given(grammar=small_grammars())
def test_more_random_grammars(grammar: Grammar, folder: Path) -> None:
    """The same for many more grammars."""
    assert compare(grammar, folder, 4) == []
