"""Tables keep their rows as bytes until they are asked for, and a stored language has the rows of a fresh one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import platformdirs
import pytest

import dovetail
from dovetail.grammar.stored_rows import rows_of

if TYPE_CHECKING:
    from pathlib import Path

ROWS: list[dict[int, tuple[int, ...]]] = [{3: (1,), 1: (~0, 2)}, {}, {-1: (70_000,)}]


def test_a_row_is_what_was_kept() -> None:
    """Rows come back with their order, one by one and all together, and are decoded once."""
    rows = rows_of(ROWS)

    assert list(rows[0]) == [3, 1]
    assert rows.every() == ROWS
    assert rows[2] is rows[2]


def test_the_number_of_rows_does_not_depend_on_what_was_read() -> None:
    """The length counts all rows, and a number behind the last one has none, before and after some were decoded."""
    rows = rows_of(ROWS)
    for _ in range(2):
        assert (len(rows), list(rows)) == (3, [0, 1, 2])
        with pytest.raises(IndexError):
            rows[3]
        rows.every()


@pytest.mark.parametrize("name", ["json", "lua"])
def test_a_stored_language_has_the_tables_of_a_fresh_one(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All rows that were written are read again as they were."""
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda _: tmp_path)
    compiled = dovetail.load_language(name).machine.compiled
    again = dovetail.load_language(name).machine.compiled
    fresh, stored = compiled.tables, again.tables

    assert stored.actions.every() == fresh.actions.every()
    assert [list(row.items()) for row in stored.gotos.every()] == [list(row.items()) for row in fresh.gotos.every()]
    assert stored.sources.every() == fresh.sources.every()
    assert stored.kernels.every() == fresh.kernels.every()
    assert stored.entering == fresh.entering
    assert list(again.automata) == list(compiled.automata)


@pytest.mark.parametrize("name", ["json", "lua", "python", "typescript"])
def test_sources_are_the_way_back(name: str) -> None:
    """A state's sources are all states that a symbol leads from to it, in order."""
    tables = dovetail.load_language(name).machine.compiled.tables
    expected: list[list[int]] = [[] for _ in tables.entering]
    for source, row in enumerate(tables.gotos.every()):
        for target in row.values():
            expected[target].append(source)

    assert tables.sources.every() == expected


@pytest.mark.parametrize("name", ["json", "go", "python"])
def test_states_outside_of_blocks_are_those_that_are_reached_without_an_indent(name: str) -> None:
    """States that occur on no stack without an indent are inside of a block; in a language without layout none is."""
    machine = dovetail.load_language(name).machine
    tables, indent = machine.compiled.tables, machine.suffix_grammar.indent
    reached = [0]
    for state in reached:
        reached += [to for by, to in tables.gotos[state].items() if by != indent and to not in reached]

    assert machine.suffix_grammar.outside == set(reached)
